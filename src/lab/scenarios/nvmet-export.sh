# one request configures the kernel's target over RDMA and TCP, and the connect bundle's own commands work on the host

given "a management plane, and a head whose worker drives the kernel's target"
start_management
boot head 0
on head use_rdma
worker_in head --engine nvmet --pool files=/var/lib/fairlead/pool
capabilities=$(api GET "/api/v1/heads/$(head_id head)" | jq -c .engine)
expect_in "capabilities" transport.rdma "$capabilities"
expect_in "capabilities" auth.dhchap.bidirectional "$capabilities"

and_ "a host with the kernel's initiator"
boot client 0
on client use_initiator
on client use_rdma
hostnqn=$(on client hostnqn)
hostid=$(on client cat /var/lib/fairlead/hostid)
address=${guest_address[head]}

when "one request exports a volume over both transports, with authentication both ways"
answer=$(api POST /api/v1/exports "$(jq -n --arg nqn "$hostnqn" --arg id "$hostid" --arg address "$address" '{
  name: "home", volume: {name: "home", sizeBytes: 100663296},
  hosts: [{nqn: $nqn, hostIdentifier: $id, authentication: {hash: "sha256", dhGroup: "ffdhe2048", bidirectional: true}}],
  listeners: [{transport: "tcp", traddr: $address, trsvcid: 4420}, {transport: "rdma", traddr: $address, trsvcid: 4421}]}')")
subnqn=$(jq -r .export.subsystemNqn <<<"$answer")
export_id=$(jq -r .export.id <<<"$answer")
host=$(jq -r '.secrets[0].hostId' <<<"$answer")
secret=$(jq -r '.secrets[0].secret' <<<"$answer")
controller_secret=$(jq -r '.secrets[0].controllerSecret' <<<"$answer")
job "$(jq -r .jobId <<<"$answer")" >"$run/job.json"

then_ "the TCP path is proven, and the RDMA path is said to be unproven"
jq -r '.result.paths[] | "           \(.state) \(.transport // "") \(.reason.text // "")"' "$run/job.json"
expect "states" "PROVEN UNPROVEN" "$(jq -r '[.result.paths[].state] | sort | join(" ")' "$run/job.json")"

and_ "the kernel of the head serves exactly that"
ports=$(on head <<'SH'
cd /sys/kernel/config/nvmet/ports
for port in *; do
  echo "$(cat "$port/addr_trtype") $(cat "$port/addr_traddr") $(cat "$port/addr_trsvcid"): $(ls "$port/subsystems" | tr '\n' ' ')"
done
SH
)
expect_in "ports" "tcp $address 4420" "$ports"
expect_in "ports" "rdma $address 4421" "$ports"
expect "ports that serve it" 2 "$(grep -cF "$subnqn" <<<"$ports")"

and_ "the commands of the connect bundle are all that the host needs"
bundle=$(api GET "/api/v1/hosts/$host/connect-bundle")
on client bash -ec "$(jq -r '.prepare[] | select(startswith("read") | not)' <<<"$bundle")"
while read -r discover; do
  expect_in "$discover" "$subnqn" "$(on client bash -ec "$discover")"
done < <(jq -r '.discover[]' <<<"$bundle")
# connect TRANSPORT [SECRET [CONTROLLER_SECRET]]
connect() {
  local command
  command=$(jq -er --arg transport "$1" '.connections[] | select(.transport == $transport).command' <<<"$bundle")
  on client env "FAIRLEAD_HOST_SECRET=${2:-$secret}" "FAIRLEAD_CONTROLLER_SECRET=${3:-$controller_secret}" bash -ec "$command"
}

and_ "a wrong key is refused over each transport, and the appliance says whose and why"
wrong=$("$home/fairlead" nvme gen-key)
expect_in "wrong key over tcp" "rejected by service" "$(refused connect tcp "$wrong")"
# Over RDMA nvmet hangs up before its answer is out, and the initiator repeats two commands six times, each for its whole timeout (60 s).
on client bash -c 'echo 1 > /sys/module/nvme_core/parameters/admin_timeout'
refused connect rdma "$wrong" >"$run/wrong-rdma"
note "over rdma, the host says: $(tail -n 1 "$run/wrong-rdma")"
on client bash -c 'echo 60 > /sys/module/nvme_core/parameters/admin_timeout'
is_explained() { # CHECK
  expect_in "checks" "$1" "$(api GET "/api/v1/hosts/$host/authentication-failures?limit=100" | jq -r '[.items[].check] | unique | join(" ")')" 3>/dev/null
}
within 20 "the explanation" is_explained KEY_MISMATCH

and_ "with the right keys it connects over both, as two paths of one namespace"
connect tcp
connect rdma
device=$(on client block_device "$subnqn" 1)
expect "controllers" 2 "$(on client controllers "$subnqn" | wc -l)"

and_ "data that was written over both is read back over each alone"
on client <<SH
path() { controller $subnqn $address \$1; }
content() { dd if=$device bs=1M count=32 iflag=direct status=none | sha256sum; }
dd if=/dev/urandom of=/tmp/data bs=1M count=32 status=none
dd if=/tmp/data of=$device bs=1M oflag=direct status=none
test "\$(content)" = "\$(sha256sum < /tmp/data)"
nvme disconnect -d "\$(path 4421)" > /dev/null
test "\$(content)" = "\$(sha256sum < /tmp/data)"
SH
connect rdma
on client bash -ec "nvme disconnect -d \"\$(controller $subnqn $address 4420)\" > /dev/null
  test \"\$(dd if=$device bs=1M count=32 iflag=direct status=none | sha256sum)\" = \"\$(sha256sum < /tmp/data)\""
connect tcp

when "the host is taken out of the export while it is connected"
job "$(api DELETE "/api/v1/exports/$export_id/hosts/$host" "" -H "If-Match: $(etag_of "/api/v1/exports/$export_id")" | jq -r .jobId)" >/dev/null
then_ "once it has disconnected it cannot come back"
on client bash -ec "$(jq -r .undo <<<"$bundle")"
for transport in tcp rdma; do
  refused connect "$transport" >/dev/null
done

and_ "the appliance says why"
within 20 "the explanation" is_explained HOST_NOT_ALLOWED
api GET "/api/v1/hosts/$host/authentication-failures?limit=100" | jq -r '.items[] | "           explained: \(.check): \(.detail)"' | sort -u

and_ "neither kernel has anything to complain about"
for guest in head client; do
  expect "kernel warnings of $guest" "" "$(on "$guest" bash -c "dmesg | grep -E 'WARNING|BUG:|Oops|blocked for more' || true")"
done
