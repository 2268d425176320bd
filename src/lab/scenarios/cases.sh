# what users of other products have complained of, on the kernel's target: late addresses and devices, lost configuration, races, growth

drive_size=64M state_size=512M

given "a management plane, a head with two drives whose worker drives the kernel's target, and a host"
start_management
boot head 2
worker_in head --engine nvmet --pool files=/var/lib/fairlead/pool
head=$(head_id head)
address=${guest_address[head]}
boot client 0
on client use_initiator
hostnqn=$(on client hostnqn)
hostid=$(on client cat /var/lib/fairlead/hostid)
configfs=/sys/kernel/config/nvmet

export_state() { api GET "/api/v1/exports/$1" | jq -r .state; }
export_is() { [ "$(export_state "$1")" = "$2" ] || { export_state "$1"; return 1; }; }
nqn_of() { api GET "/api/v1/exports/$1" | jq -r .subsystemNqn; }
# export_of NAME WHAT-IS-SERVED [LISTENERS]: asks for it and prints the answer.
export_of() {
  api POST /api/v1/exports "$(jq -n --arg name "$1" --argjson served "$2" --arg address "$address" --argjson listeners "${3:-null}" '
    {name: $name, listeners: ($listeners // [{transport: "tcp", traddr: $address, trsvcid: 4420}])} + $served')"
}
volume() { jq -nc --arg name "$1" '{volume: {name: $name, sizeBytes: 4194304}}'; }
# The worker's pid changes when it is killed: its service starts it again.
kill_worker() { on head pkill -KILL -x java; }

when "50 exports are asked for, eight at a time (case 5)"
for lane in $(seq 0 7); do
  (for number in $(seq $((lane + 1)) 8 50); do
    export_of "many-$number" "$(jq -nc --arg name "many-$number" '{volume: {name: $name, sizeBytes: 1048576}}')" | jq -r .jobId >"$run/many-$number"
  done) &
  lanes[lane]=$!
done
for lane in "${lanes[@]}"; do wait "$lane"; done
for number in $(seq 50); do
  job "$(cat "$run/many-$number")" >"$run/many-$number.job"
done
then_ "50 jobs succeed, and each subsystem is there once, with its one namespace and its one link"
expect "namespaces" 50 "$(on head bash -c "ls -d $configfs/subsystems/nqn.2026-12*/namespaces/1 | wc -l")"
expect "other namespaces" 0 "$(on head bash -c "ls -d $configfs/subsystems/nqn.2026-12*/namespaces/[!1]* 2>/dev/null | wc -l")"
expect "links" 50 "$(on head bash -c "ls -d $configfs/ports/*/subsystems/nqn.2026-12* | wc -l")"
expect "ports" 1 "$(on head bash -c "ls $configfs/ports | wc -l")"

when "an export asks for a listener at an address that the head does not have, and for one that it has (case 1)"
answer=$(export_of early "$(volume early)" "$(jq -nc --arg address "$address" '[{transport: "tcp", traddr: $address, trsvcid: 4420}, {transport: "tcp", traddr: "10.77.0.99", trsvcid: 4420}]')")
early=$(jq -r .export.id <<<"$answer") early_job=$(jq -r .jobId <<<"$answer")
listener() { api GET "/api/v1/exports/$early" | jq -c --arg traddr "$1" '.listeners[] | select(.traddr == $traddr) | {state, reason}'; }
listener_is() { listener "$1" | jq -e --arg state "$2" 'select(.state == $state)'; }
then_ "the one listens, and the other waits and says for what"
within 10 "the listener at $address" listener_is "$address" READY >/dev/null
within 10 "the reason" listener_is 10.77.0.99 PENDING | jq -r '"           \(.state): \(.reason.text)"'
expect "reason" listener.address_absent "$(listener 10.77.0.99 | jq -r .reason.code)"
when "the address comes"
on head ip addr add 10.77.0.99/24 dev eth1
then_ "the listener listens without anybody doing anything, and the job that waited succeeds"
within 10 "the late listener" listener_is 10.77.0.99 READY >/dev/null
job "$early_job" >/dev/null

when "somebody has a port of their own at an address that an export asks for (case 9)"
on head bash -ec "mkdir $configfs/ports/900 && cd $configfs/ports/900 && echo tcp > addr_trtype && echo ipv4 > addr_adrfam && echo $address > addr_traddr && echo 4490 > addr_trsvcid
  mkdir $configfs/subsystems/nqn.2020-01.example:theirs && ln -s $configfs/subsystems/nqn.2020-01.example:theirs subsystems/"
answer=$(export_of taken "$(volume taken)" "$(jq -nc --arg address "$address" '[{transport: "tcp", traddr: $address, trsvcid: 4490}]')")
taken=$(jq -r .export.id <<<"$answer") taken_job=$(jq -r .jobId <<<"$answer")
then_ "the export says so instead of saying that all is well"
# What is in the way may go at any time, so it is waited for.
in_the_way() { api GET "/api/v1/exports/$taken" | jq -e '.listeners[0] | select(.reason.code == "listener.address_in_use")'; }
within 10 "the reason" in_the_way | jq -r '"           \(.state): \(.reason.text)"'
when "they take it away"
on head bash -ec "rm $configfs/ports/900/subsystems/nqn.2020-01.example:theirs && rmdir $configfs/ports/900 $configfs/subsystems/nqn.2020-01.example:theirs"
then_ "the export is served, and its link was read back"
job "$taken_job" >/dev/null
on head bash -ec "ls $configfs/ports/*/subsystems/$(nqn_of "$taken")" >/dev/null

when "an export of a drive is served, and the drive leaves (cases 3, 4 and 21)"
drive=$(api GET '/api/v1/drives?limit=100' | jq -er '.items[] | select(.serial == "HEADNVME1") | .id')
answer=$(export_of late "$(jq -nc --arg id "$drive" '{driveId: $id}')")
late=$(jq -r .export.id <<<"$answer")
job "$(jq -r .jobId <<<"$answer")" >/dev/null
nqn=$(nqn_of "$late")
on head nvmet_identities | grep -v "^namespace $nqn " >"$run/before"
on head nvmet_identities | grep "^namespace $nqn " | sed 's/ [^ ]*$//' >"$run/before.drive"
slot=$(on head pci_address HEADNVME1)
on head bash -c "echo $slot > /sys/bus/pci/drivers/nvme/unbind"
and_ "the worker is killed, and everything is taken out of the kernel's target, as by a power cut (case 2)"
on head bash -ec 'pkill -STOP -x java; clear_nvmet; test -z "$(ls /sys/kernel/config/nvmet/subsystems)"; pkill -KILL -x java'
others_are_back() { on head nvmet_identities | grep -v "^subsystem $nqn " >"$run/after" && grep -v "^subsystem $nqn \|^port .* $nqn\$" "$run/before" | diff - "$run/after"; }
then_ "all others come back under their identities; the one whose drive is away has no listener's link, and says why"
within 60 "the others" others_are_back
is_waiting() { api GET "/api/v1/exports/$late" | jq -e '.subsystem.namespaces[0] | select(.state == "PENDING" or .state == "DEGRADED") | select(.reason.code == "drive.absent")'; }
within 20 "the reason" is_waiting | jq -r '"           \(.state): \(.reason.text)"'
expect "links of the one" "" "$(on head bash -c "ls -d $configfs/ports/*/subsystems/$nqn 2>/dev/null || true")"
expect "others" READY "$(export_state "$early")"

when "the drive is there again"
on head bash -c "echo $slot > /sys/bus/pci/drivers/nvme/bind"
then_ "it is served within seconds, under the same identity, whatever its name is now"
within 12 "the export" export_is "$late" READY >/dev/null
expect "identity" "$(cat "$run/before.drive")" "$(on head nvmet_identities | grep "^namespace $nqn " | sed 's/ [^ ]*$//')"

when "the worker is killed and starts again (case 21)"
windows() { on head bash -c "cd $configfs/subsystems; for s in nqn.2026-12*; do echo \$s \$(cat \$s/attr_cntlid_min) \$(cat \$s/attr_cntlid_max); done"; }
windows >"$run/windows"
kill_worker
has_started_again() { [ "$(on head pgrep -xo java)" ] && head_is_online head; }
within 60 "the worker" has_started_again >/dev/null
then_ "the windows of controller ids are what they were"
expect "windows" "$(cat "$run/windows")" "$(windows)"

when "a host uses a volume, and the volume grows (case 11)"
answer=$(export_of grown "$(jq -nc --arg nqn "$hostnqn" --arg id "$hostid" '{volume: {name: "grown", sizeBytes: 33554432},
  hosts: [{nqn: $nqn, hostIdentifier: $id, authentication: {hash: "sha256", dhGroup: "null", bidirectional: false}}]}')")
subnqn=$(jq -r .export.subsystemNqn <<<"$answer")
job "$(jq -r .jobId <<<"$answer")" >/dev/null
on client nvme connect -t tcp -a "$address" -s 4420 -n "$subnqn" --dhchap-secret "$(jq -r '.secrets[0].secret' <<<"$answer")" --nr-io-queues 1
device=$(on client block_device "$subnqn" 1)
volume=$(api GET '/api/v1/volumes?limit=100' | jq -r '.items[] | select(.name == "grown") | .id')
job "$(change PATCH "/api/v1/volumes/$volume" '{"sizeBytes": 67108864}' | jq -r .jobId)" >/dev/null
then_ "the host sees it by itself"
has_size() { [ "$(on client blockdev --getsize64 "$device")" = 67108864 ]; }
within 20 "the new size on the host" has_size
and_ "it cannot be made smaller, and the refusal names both sizes"
smaller=$(refused change PATCH "/api/v1/volumes/$volume" '{"sizeBytes": 33554432}')
expect_in "refusal" volume.shrink "$smaller"
expect_in "refusal" '"currentSize":67108864' "$smaller"

and_ "neither kernel has anything to complain about"
for guest in head client; do
  expect "kernel warnings of $guest" "" "$(on "$guest" bash -c "dmesg | grep -E 'WARNING|BUG:|Oops|blocked for more' || true")"
done
