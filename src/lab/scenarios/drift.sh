# what somebody changes by hand in configfs is reported within 10 s and repaired, and nobody else's association notices

given "a management plane, and a head whose worker drives the kernel's target"
start_management
boot head 0
worker_in head --engine nvmet --pool files=/var/lib/fairlead/pool
head=$(head_id head)

and_ "a host with two exports of that head, connected to both"
boot client 0
on client use_initiator
hostnqn=$(on client hostnqn)
hostid=$(on client cat /var/lib/fairlead/hostid)
address=${guest_address[head]}

the_host=$(jq -nc --arg nqn "$hostnqn" --arg id "$hostid" '{nqn: $nqn, hostIdentifier: $id, authentication: {hash: "sha256", dhGroup: "null", bidirectional: false}}')
# export_to_client NAME SIZE : sets subnqn and secret.
export_to_client() {
  local answer
  answer=$(api POST /api/v1/exports "$(jq -n --argjson host "$the_host" --arg address "$address" --arg name "$1" --argjson size "$2" '{
    name: $name, volume: {name: $name, sizeBytes: $size}, hosts: [$host],
    listeners: [{transport: "tcp", traddr: $address, trsvcid: 4420}]}')")
  subnqn=$(jq -r .export.subsystemNqn <<<"$answer")
  job "$(jq -r .jobId <<<"$answer")" >/dev/null
  # The first export makes the host and shows its key, once.
  secret=$(jq -r --arg before "${secret:-}" '.secrets[0].secret // $before' <<<"$answer")
  the_host=$(jq -c --argjson before "$the_host" '.secrets[0].hostId // empty | {hostId: .}' <<<"$answer" | grep . || printf '%s' "$the_host")
}
connect() {
  on client nvme connect -t tcp -a "$address" -s 4420 -n "$1" --dhchap-secret "$secret" --nr-io-queues 1 --reconnect-delay 1 --ctrl-loss-tmo 600
}
export_to_client bystander 33554432
bystander=$subnqn
export_to_client victim 33554432
victim=$subnqn
connect "$bystander"
connect "$victim"
device=$(on client block_device "$bystander" 1)
controller=$(on client controllers "$bystander")
cntlid=$(on client cat "/sys/class/nvme/$controller/cntlid")
note "the bystander is controller $cntlid, $controller of the host, and writes without pause"
on client bash -c "nohup fio --name=bystander --filename=$device --rw=randwrite --bs=4k --direct=1 --ioengine=libaio --iodepth=4 --rate_iops=200 --time_based --runtime=3600 \
  --verify=crc32c --verify_backlog=64 --verify_fatal=1 --output-format=json --output=/tmp/bystander.json > /tmp/bystander.log 2>&1 & echo \$! > /tmp/bystander.pid"

# What the bystander has written so far, in sectors.
written() { on client awk '{ print $7 }' "/sys/block/${device##*/}/stat"; }
progresses() { [ "$(written)" -gt "$1" ]; }

port=$(on head bash -c "cd /sys/kernel/config/nvmet/ports && for port in *; do [ \"\$(cat \$port/addr_trsvcid)\" = 4420 ] && echo \$port; done")
configfs=/sys/kernel/config/nvmet

drift_count() { api GET "/api/v1/heads/$head/drift?limit=100" | jq '.items | length'; }
# newest finding whose differences tell of FIELD
is_reported() { # BEFORE KIND FIELD
  api GET "/api/v1/heads/$head/drift?limit=100" | jq -e --argjson before "$1" --arg kind "$2" --arg field "$3" \
    '[.items[:((.items | length) - $before)][] | select(.kind == $kind and any(.differences[]; .field | contains($field)))][0] // halt_error'
}
drift() { # TITLE KIND FIELD EDIT CHECK
  local before began finding seconds
  when "by hand: $1"
  before=$(drift_count)
  # The worker holds still for as long as a hand would take no time.
  on head bash -c "cd $configfs; pkill -STOP -x java; trap 'pkill -CONT -x java' EXIT; set -e; $4"
  began=$(date +%s%N)
  finding=$(within 10 "the report" is_reported "$before" "$2" "$3")
  seconds=$(awk -v n=$(($(date +%s%N) - began)) 'BEGIN { printf "%.1f", n / 1e9 }')
  then_ "it is reported after $seconds s, and repaired"
  jq -r '"           \(.kind) \(.name): " + ([.differences[] | "\(.field) wanted \(.wanted), found \(.found)"] | join("; ")) + "; \(.repair)"' <<<"$finding"
  expect "repaired" true "$(jq -r .repaired <<<"$finding")"
  on head bash -ec "cd $configfs; $5"
}

drift "the victim's link is taken from the port" SUBSYSTEM listener \
  "rm ports/$port/subsystems/$victim" "test -e ports/$port/subsystems/$victim"
drift "the victim lets in everybody" SUBSYSTEM access \
  "rm subsystems/$victim/allowed_hosts/*; echo 1 > subsystems/$victim/attr_allow_any_host" \
  "test \"\$(cat subsystems/$victim/attr_allow_any_host)\" = 0; test -e subsystems/$victim/allowed_hosts/$hostnqn"
drift "a stranger is let in" SUBSYSTEM allowedHosts \
  "mkdir -p hosts/nqn.2020-01.example:stranger; ln -s \$PWD/hosts/nqn.2020-01.example:stranger subsystems/$victim/allowed_hosts/" \
  "test ! -e subsystems/$victim/allowed_hosts/nqn.2020-01.example:stranger"
drift "the victim's namespace is disabled" NAMESPACE namespace \
  "echo 0 > subsystems/$victim/namespaces/1/enable" "test \"\$(cat subsystems/$victim/namespaces/1/enable)\" = 1"
drift "the victim's namespace gets another UUID" NAMESPACE "uuid" \
  "echo 0 > subsystems/$victim/namespaces/1/enable; echo 11111111-2222-4333-8444-555555555555 > subsystems/$victim/namespaces/1/device_uuid; echo 1 > subsystems/$victim/namespaces/1/enable" \
  "test \"\$(cat subsystems/$victim/namespaces/1/device_uuid)\" != 11111111-2222-4333-8444-555555555555; test \"\$(cat subsystems/$victim/namespaces/1/enable)\" = 1"
drift "the ANA state of the port is changed" LISTENER anaState \
  "echo non-optimized > ports/$port/ana_groups/1/ana_state" "test \"\$(cat ports/$port/ana_groups/1/ana_state)\" = optimized"
drift "the host gets another key" HOST keys \
  "echo '$("$home/fairlead" nvme gen-key)' > hosts/$hostnqn/dhchap_key" "true"

then_ "the stranger's own directory is shown as foreign and left alone"
is_foreign() { api GET "/api/v1/heads/$head" | jq -e '.foreign[] | select(.name == "nqn.2020-01.example:stranger")'; }
within 15 "the foreign host" is_foreign >/dev/null
on head test -d "$configfs/hosts/nqn.2020-01.example:stranger"

# Linux gives a controller up for good once it was told that it may not connect, as it was while its subsystem was away.
and_ "the victim can be used again, with the key that its host has"
on client bash -c "disconnect $victim"
connect "$victim"
on client bash -ec "dd if=\$(block_device $victim 1) of=/dev/null bs=1M count=4 iflag=direct status=none"

and_ "the bystander is the same controller, has never reconnected, and its I/O has gone on"
expect "controller id" "$cntlid" "$(on client cat "/sys/class/nvme/$controller/cntlid")"
expect "reconnects" "" "$(on client bash -c "dmesg | grep -E 'nvme $controller: .*(reconnect|timeout|error recovery)' || true")"
within 10 "more I/O" progresses "$(written)"
on client bash -c 'kill -INT $(cat /tmp/bystander.pid)'
ended() { ! on client bash -c 'kill -0 $(cat /tmp/bystander.pid) 2>/dev/null'; }
within 60 "the end of the I/O" ended
expect "I/O errors" 0 "$(on client cat /tmp/bystander.json | sed -n '/^{/,$p' | jq '.jobs[0].error')"
note "$(on client cat /tmp/bystander.json | sed -n '/^{/,$p' | jq -r '"\(.jobs[0].write.total_ios) writes, the slowest \(.jobs[0].write.clat_ns.max / 1e6 | round) ms, of \([.jobs[0].write.clat_ns.percentile["50.000000"] / 1e6] | .[0] * 10 | round / 10) ms at the median"')"

and_ "neither kernel has anything to complain about"
for guest in head client; do
  expect "kernel warnings of $guest" "" "$(on "$guest" bash -c "dmesg | grep -E 'WARNING|BUG:|Oops|blocked for more' || true")"
done
