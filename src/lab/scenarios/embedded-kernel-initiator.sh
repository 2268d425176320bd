# the kernel's initiator uses the embedded target over TCP: a file system, digests, authentication both ways

given "a management plane and a worker with the embedded engine on this machine"
start_management
worker_here alpha --engine embedded --pool "files=$run/pool"

and_ "a guest whose kernel is the initiator"
boot client 0
on client use_initiator
hostnqn=$(on client hostnqn)
hostid=$(on client cat /var/lib/fairlead/hostid)

when "one request exports a volume to that host, with authentication both ways"
answer=$(api POST /api/v1/exports "$(jq -n --arg nqn "$hostnqn" --arg id "$hostid" '{
  name: "home", volume: {name: "home", sizeBytes: 134217728},
  hosts: [{nqn: $nqn, hostIdentifier: $id, authentication: {hash: "sha512", dhGroup: "ffdhe2048", bidirectional: true}}],
  listeners: [{transport: "tcp", traddr: "127.0.0.1", trsvcid: 0}]}')")
subnqn=$(jq -r .export.subsystemNqn <<<"$answer")
host=$(jq -r '.secrets[0].hostId' <<<"$answer")
secret=$(jq -r '.secrets[0].secret' <<<"$answer")
controller_secret=$(jq -r '.secrets[0].controllerSecret' <<<"$answer")
proof=$(job "$(jq -r .jobId <<<"$answer")" | jq -c '.result.paths[0]')
port=$(jq -r .proof.trsvcid <<<"$proof")
expect "path" PROVEN "$(jq -r .state <<<"$proof")"

then_ "the kernel discovers it"
entry=$(on client nvme discover -t tcp -a 10.0.2.2 -s "$port" -o json)
expect_in "discovery log" "$subnqn" "$entry"

connect() { # SECRET CONTROLLER_SECRET OPTIONS...
  local key=$1 controller_key=$2
  shift 2
  on client nvme connect -t tcp -a 10.0.2.2 -s "$port" -n "$subnqn" --dhchap-secret "$key" --dhchap-ctrl-secret "$controller_key" --nr-io-queues 2 "$@"
}

and_ "a wrong key, a missing key and a wrong controller key are refused, and the appliance says which check failed"
other=$("$home/fairlead" nvme gen-key)
expect_in "wrong key" "rejected by service" "$(refused connect "$other" "$controller_secret")"
expect_in "missing key" "Required key not available" "$(refused on client nvme connect -t tcp -a 10.0.2.2 -s "$port" -n "$subnqn")"
expect_in "wrong controller key" "rejected by service" "$(refused connect "$secret" "$other")"
refusals_are() { # CHECK...
  expect "checks" "$*" "$(api GET "/api/v1/hosts/$host/authentication-failures?limit=100" | jq -r '[.items[].check] | unique | join(" ")')" 3>&1
}
within 15 "the explanations" refusals_are CONTROLLER_PROOF_REFUSED KEY_MISMATCH KEY_NOT_PRESENTED
api GET "/api/v1/hosts/$host/authentication-failures?limit=100" | jq -r '.items[] | "           explained: \(.check): \(.detail)"'

and_ "with the right keys it connects, with both digests"
connect "$secret" "$controller_secret" --hdr-digest --data-digest
device=$(on client block_device "$subnqn" 1)
note "the namespace is $device"

and_ "a file system can be made, filled, unmounted, checked and read back"
on client <<SH
mkfs.ext4 -q $device
mount $device /mnt
dd if=/dev/urandom of=/mnt/random bs=1M count=48 status=none
cp -r /usr/share/misc /usr/sbin/nvme /mnt/
find /mnt -type f -exec sha256sum {} + | sort > /tmp/before
umount /mnt
fsck.ext4 -fn $device > /tmp/fsck 2>&1
mount -o ro $device /mnt
find /mnt -type f -exec sha256sum {} + | sort > /tmp/after
test "\$(sha256sum < /tmp/before)" = "\$(sha256sum < /tmp/after)"
umount /mnt
echo "           \$(wc -l < /tmp/before) files with the same checksums"
SH

when "the volume grows while the host is connected"
volume=$(api GET '/api/v1/volumes?limit=100' | jq -r '.items[] | select(.name == "home") | .id')
job "$(change PATCH "/api/v1/volumes/$volume" '{"sizeBytes": 201326592}' | jq -r .jobId)" >/dev/null
then_ "the host sees the new size without doing anything"
has_size() { [ "$(on client blockdev --getsize64 "$device")" = 201326592 ]; }
within 20 "the new size on the host" has_size

when "the worker is killed while the host writes, and starts again without the management plane"
kill_management
on client bash -c "nohup fio --name=io --filename=$device --rw=randwrite --bs=4k --size=32M --offset=128M --direct=1 --ioengine=libaio --iodepth=8 --verify=crc32c --do_verify=1 --output=/tmp/fio.txt > /tmp/fio.log 2>&1 & echo \$! > /tmp/fio.pid"
kill_worker_here alpha
"$home/fairlead" worker --management "$api" --state-dir "$run/alpha/state" --name alpha --engine embedded --pool "files=$run/pool" >"$run/alpha.out" 2>>"$run/alpha.log" &
worker_pid[alpha]=$!
then_ "the host's I/O goes on and verifies"
fio_ended() { ! on client bash -c 'kill -0 $(cat /tmp/fio.pid) 2>/dev/null'; }
within 120 "the end of the host's I/O" fio_ended
expect_in "fio" "err= 0" "$(on client cat /tmp/fio.txt)"
on client bash -c "e2fsck -fn $device > /dev/null"
on client disconnect "$subnqn"

and_ "the host's kernel has nothing to complain about"
expect "kernel warnings" "" "$(on client bash -c "dmesg | grep -E 'WARNING|BUG:|Oops|blocked for more' || true")"
