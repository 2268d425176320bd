# a head that loses its power under load serves the same again before the management plane is there, and its host's I/O goes on

exports=100 namespaces_each=4
state_size=1G

given "a management plane, and a head whose worker drives the kernel's target and starts at boot"
start_management
boot head 0
worker_in head --engine nvmet --pool files=/var/lib/fairlead/pool

and_ "a host with the kernel's initiator"
boot client 0
on client use_initiator
hostnqn=$(on client hostnqn)
hostid=$(on client cat /var/lib/fairlead/hostid)
address=${guest_address[head]}

when "one volume for that host with authentication both ways, and $exports exports of $namespaces_each namespaces are asked for"
asked=$SECONDS
answer=$(api POST /api/v1/exports "$(jq -n --arg nqn "$hostnqn" --arg id "$hostid" --arg address "$address" '{
  name: "busy", volume: {name: "busy", sizeBytes: 67108864},
  hosts: [{nqn: $nqn, hostIdentifier: $id, authentication: {hash: "sha384", dhGroup: "null", bidirectional: true}}],
  listeners: [{transport: "tcp", traddr: $address, trsvcid: 4420}]}')")
subnqn=$(jq -r .export.subsystemNqn <<<"$answer")
secret=$(jq -r '.secrets[0].secret' <<<"$answer")
controller_secret=$(jq -r '.secrets[0].controllerSecret' <<<"$answer")
host=$(jq -r '.secrets[0].hostId' <<<"$answer")
first_job=$(jq -r .jobId <<<"$answer")
for number in $(seq "$exports"); do
  api POST /api/v1/exports "$(jq -n --arg name "many$number" --arg host "$host" --arg address "$address" --argjson each "$namespaces_each" '{
    name: $name, namespaces: [range($each) | {volume: {name: "\($name)-\(.)", sizeBytes: 1048576}}], hosts: [{hostId: $host}],
    listeners: [{transport: "tcp", traddr: $address, trsvcid: 4420}]}')" >/dev/null
done
job "$first_job" >/dev/null
wanted=$((exports * namespaces_each + 1))
# Waits until all is served, and prints the seconds since the worker began to start.
served() {
  on head timeout 400 bash -c '
    until [ "$(cat /sys/kernel/config/nvmet/subsystems/*/namespaces/*/enable 2>/dev/null | grep -c 1)" = '"$wanted"' ] &&
      [ "$(ls -d /sys/kernel/config/nvmet/ports/*/subsystems/* 2>/dev/null | grep -c /nqn.2026-12)" -gt '"$exports"' ]; do sleep 0.5; done
    awk -v began="$(cat /run/worker-began)" "{ printf \"%.1f\", \$1 - began }" /proc/uptime'
}
served >/dev/null
then_ "they are served $((SECONDS - asked)) s later"
on head nvmet_identities >"$run/before"
expect "namespaces" "$wanted" "$(grep -c '^namespace [^ ]* [^ ]* 1 ' "$run/before")"

and_ "the host uses its volume"
on client nvme connect -t tcp -a "$address" -s 4420 -n "$subnqn" --dhchap-secret "$secret" --dhchap-ctrl-secret "$controller_secret" \
  --nr-io-queues 1 --reconnect-delay 1 --ctrl-loss-tmo 1800
device=$(on client block_device "$subnqn" 1)
controller=$(on client controllers "$subnqn")
on client <<SH
dd if=/dev/urandom of=/tmp/data bs=1M count=16 status=none
dd if=/tmp/data of=$device bs=1M oflag=direct status=none
nohup fio --name=busy --filename=$device --offset=16M --size=16M --rw=randwrite --bs=4k --direct=1 --ioengine=libaio --iodepth=4 --rate_iops=200 --time_based \
  --runtime=3600 --verify=crc32c --verify_backlog=64 --verify_fatal=1 --output-format=json --output=/tmp/busy.json > /tmp/busy.log 2>&1 & echo \$! > /tmp/busy.pid
SH
# What the host has written so far, in sectors.
written() { on client awk '{ print $7 }' "/sys/block/${device##*/}/stat"; }
progresses() { [ "$(written)" -gt "$1" ]; }
within 20 "the first writes" progresses "$(written)"

when "the management plane ends, and the head loses its power while the host writes"
kill_management
on head bash -c 'mv /var/lib/fairlead/worker.out /var/lib/fairlead/worker.out.before; sync -f /var/lib/fairlead'
before_reset=$(written)
reset_guest head

then_ "the head serves the same subsystems, namespaces, hosts and ports, under the same identities"
restored=$(served)
is_the_same() { on head nvmet_identities >"$run/after" && diff "$run/before" "$run/after"; }
within 30 "the same identities" is_the_same
note "$((exports + 1)) subsystems with $wanted namespaces are served $restored s after the worker began to start"

and_ "the host's I/O goes on by itself"
within 120 "the host's I/O" progresses "$before_reset"
within 30 "more of it" progresses "$(written)"
expect "the host's controller" "$controller" "$(on client controllers "$subnqn")"

and_ "what was written is there: before the reset, around it, and after"
on client bash -ec "test \"\$(dd if=$device bs=1M count=16 iflag=direct status=none | sha256sum)\" = \"\$(sha256sum < /tmp/data)\""
on client bash -c 'kill -INT $(cat /tmp/busy.pid)'
ended() { ! on client bash -c 'kill -0 $(cat /tmp/busy.pid) 2>/dev/null'; }
within 60 "the end of the I/O" ended
busy=$(on client cat /tmp/busy.json | sed -n '/^{/,$p')
expect "I/O errors" 0 "$(jq '.jobs[0].error' <<<"$busy")"
note "$(jq -r '"\(.jobs[0].write.total_ios) writes verified; the longest waited \(.jobs[0].write.clat_ns.max / 1e9 | round) s, for the head"' <<<"$busy")"

when "the management plane is there again"
tunnel head "$api_port"
start_management
then_ "the worker reports to it, and nothing had to be repaired"
await_head head
expect "drift" 0 "$(api GET "/api/v1/heads/$(head_id head)/drift?limit=100" | jq '.items | length')"

and_ "neither kernel has anything to complain about"
for guest in head client; do
  expect "kernel warnings of $guest" "" "$(on "$guest" bash -c "dmesg | grep -E 'WARNING|BUG:|Oops|blocked for more' || true")"
done
