# the kernel's configfs answers as the fake does with which failures are tested

given "a guest with the kernel's target"
boot head 0
on head bash -c 'modprobe -a nvmet nvmet-tcp && { mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config; }'

when "the sequence is played that FakeConfigFsTest plays on the fake"
on head /lab/guest/play-configfs-rules >"$run/played" || fail "$(cat "$run/played")"

then_ "every answer is the one that is written down"
note "$(tail -n 1 "$run/played")"
expect "what is left in configfs" "" "$(on head bash -c 'cd /sys/kernel/config/nvmet && ls subsystems hosts ports | grep rules || true')"

and_ "a player that finds another answer says so"
sed 's/^EEXIST mkdir subsystems/OK mkdir subsystems/' "$lab/guest/configfs-rules" >"$run/head/share/other-rules"
expect_in "the player" "written down is OK, this kernel says EEXIST" "$(refused on head /lab/guest/play-configfs-rules /share/other-rules)"

and_ "the kernel has nothing to complain about"
expect "kernel warnings" "" "$(on head bash -c "dmesg | grep -E 'WARNING|BUG:|Oops|blocked for more' || true")"
