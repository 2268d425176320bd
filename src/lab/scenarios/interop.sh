# both targets against both initiators: 3 hashes, 6 DH groups, one way and both ways, with and without digests; right, wrong and missing keys

given "a management plane, a head whose worker drives the kernel's target, and a worker with the embedded one"
start_management
boot head 0
on head use_rdma
worker_in head --engine nvmet --pool kernel=/var/lib/fairlead/pool
worker_here near --engine embedded --pool "embedded=$run/pool"

and_ "the kernel's initiator in another guest"
boot client 0
on client use_initiator
on client use_rdma

# One host for each way to authenticate, and the wrong key that all of them try.
shapes=$(jq -nc '[["sha256", "sha384", "sha512"] as $hashes | ["null", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192"] as $groups |
  $hashes[] as $hash | $groups[] as $group | (false, true) | {hash: $hash, dhGroup: $group, bidirectional: .}]')
count=$(jq length <<<"$shapes")
wrong=$("$home/fairlead" nvme gen-key)

# export_from TARGET POOL LISTENERS: an export that lets every host in; writes TARGET.hosts and sets subnqn_of and listener ports.
declare -A subnqn_of
export_from() {
  local target=$1 pool=$2 listeners=$3 answer request
  pool=$(api GET '/api/v1/pools?limit=100' | jq -er --arg name "$pool" '.items[] | select(.name == $name) | .id')
  request=$(jq -n --argjson shapes "$shapes" --arg name "$target" --arg pool "$pool" --argjson listeners "$listeners" '{
    name: $name, volume: {name: $name, poolId: $pool, sizeBytes: 1048576}, listeners: $listeners,
    hosts: [$shapes | to_entries[] | {name: "\($name)-\(.key)", nqn: "nqn.2026-12.io.example:\($name)-\(.key)", authentication: .value}]}')
  answer=$(api POST /api/v1/exports "$request")
  subnqn_of[$target]=$(jq -r .export.subsystemNqn <<<"$answer")
  job "$(jq -r .jobId <<<"$answer")" 300 >"$run/$target.job"
  jq -c '.secrets[]' <<<"$answer" >"$run/$target.secrets"
  expect "hosts of $target" "$count" "$(wc -l <"$run/$target.secrets")"
}

when "each target exports a volume to $count hosts, one for each way to authenticate"
export_from embedded embedded '[{"transport": "tcp", "traddr": "127.0.0.1", "trsvcid": 0}]'
export_from nvmet kernel "$(jq -n --arg address "${guest_address[head]}" '[
  {transport: "tcp", traddr: $address, trsvcid: 4420}, {transport: "rdma", traddr: $address, trsvcid: 4421}]')"
address_of() { [ "$1" = nvmet ] && printf '%s' "${guest_address[head]}" || printf 10.0.2.2; }
embedded_port=$(jq -r '.result.paths[0].proof.trsvcid' "$run/embedded.job")
nvmet_port_here=$(forward head "${guest_address[head]}" 4420)
port_of() { # TARGET TRANSPORT
  case $1.$2 in
    embedded.tcp) printf '%s' "$embedded_port" ;;
    nvmet.tcp) printf 4420 ;;
    nvmet.rdma) printf 4421 ;;
  esac
}
# While hosts try, the worker beside the kernel's target rests: the target is the kernel's, and what it logs is read afterwards.
on head pkill -STOP -x java

digest_options() { [ "$1" = on ] && printf '%s' '["--hdr-digest", "--data-digest"]' || printf '[]'; }

# Each prints a line for each host: `NUMBER ok`, or `NUMBER refused WHY`. TARGET TRANSPORT DIGESTS KEYS, and for the kernel which hosts.
try_kernel() {
  local options
  mapfile -t options < <(digest_options "$3" | jq -r '.[]')
  jq -r --arg keys "$4" --arg wrong "$wrong" '[input_line_number - 1, .hostNqn, .hostIdentifier,
    if $keys == "right" then .secret, .controllerSecret // "-" elif $keys == "wrong" then $wrong, "-" else "-", "-" end] | join(" ")' "$run/$1.secrets" |
    awk -v only="${5:-}" 'only == "" || index("," only ",", "," $1 ",")' |
    feed client /lab/guest/try-connections "$2" "$(address_of "$1")" "$(port_of "$1" "$2")" "${subnqn_of[$1]}" "${options[@]}"
}
try_ours() {
  local port
  port=$([ "$1" = nvmet ] && printf '%s' "$nvmet_port_here" || port_of "$1" "$2")
  # What was agreed on has to be what the host was made for.
  jq -c --arg keys "$4" --arg wrong "$wrong" --arg port "$port" --arg nqn "${subnqn_of[$1]}" --argjson digests "$(digest_options "$3")" '
    ["connect-check", "--json", "--traddr", "127.0.0.1", "--trsvcid", $port, "--nqn", $nqn, "--hostnqn", .hostNqn, "--hostid", .hostIdentifier] + $digests +
    if $keys == "right" then ["--dhchap-secret", .secret] + (if .controllerSecret then ["--dhchap-ctrl-secret", .controllerSecret] else [] end)
    elif $keys == "wrong" then ["--dhchap-secret", $wrong] else [] end' "$run/$1.secrets" |
    { "$home/fairlead" nvme batch - 2>&1 || true; } |
    jq -rc --argjson shapes "$shapes" '(input_line_number - 1) as $n | "\($n) " + if .ok == true then
      (if (.authentication | {hash, dhGroup, bidirectional}) == ($shapes[$n]) then "ok" else "agreed on \(.authentication)" end)
      else "refused \(.code)" end'
}

# What each initiator says for itself when a target refuses it.
why() { # INITIATOR KEYS
  case $1.$2 in
    kernel.wrong) printf 'rejected by service' ;;
    kernel.missing) printf 'Required key not available' ;;
    # The tunnel into a guest may lose a target's last words when the target hangs up with them.
    ours.wrong) printf 'host\.(authentication_refused|connection_lost)' ;;
    ours.missing) printf 'host\.key_required' ;;
  esac
}

# tried NAME EXPECTED-PATTERN < OUTCOMES: prints how many ended so, and keeps the others for the end.
tried() {
  local outcomes good
  outcomes=$(cat)
  good=$(grep -cE -- "$2" <<<"$outcomes" || true)
  printf '%s/%s' "$good" "$(grep -c . <<<"$outcomes" || true)"
  grep -vE -- "$2" <<<"$outcomes" | sed "s/^/$1: host /" >>"$run/failures" || true
}

: >"$run/failures"
printf '%s\n' "target initiator transport digests null 2048 3072 4096 6144 8192 wrong missing" >"$run/table"
# row TARGET INITIATOR TRANSPORT DIGESTS: the right keys of all hosts; where digests are off, the wrong and the missing ones as well.
row() {
  local target=$1 initiator=$2 transport=$3 digests=$4 name="$1 target, $2 initiator, $3, digests $4" group cells=() wrong_cell=- missing_cell=- only=
  then_ "the $initiator initiator uses the $target target over $transport, digests $digests"
  "try_$initiator" "$target" "$transport" "$digests" right >"$run/outcomes"
  for group in 0 1 2 3 4 5; do
    cells+=("$(awk -v group=$group 'int($1 / 2) % 6 == group' "$run/outcomes" | tried "$name, right key" " ok")")
  done
  if [ "$digests" = off ]; then
    # Over RDMA each wrong key costs the kernel's initiator a dozen timeouts, whatever the hash: the first and the last host stand for all.
    [ "$transport" = rdma ] && only="0,$((count - 1))"
    wrong_cell=$("try_$initiator" "$target" "$transport" "$digests" wrong "$only" | tried "$name, wrong key" "$([ "$transport" = rdma ] && echo refused || why "$initiator" wrong)")
    missing_cell=$("try_$initiator" "$target" "$transport" "$digests" missing | tried "$name, missing key" "$(why "$initiator" missing)")
  fi
  printf '%s\n' "$target $initiator $transport $digests ${cells[*]} $wrong_cell $missing_cell" >>"$run/table"
  note "right ${cells[*]}, wrong $wrong_cell, missing $missing_cell"
}

for target in embedded nvmet; do
  for initiator in ours kernel; do
    for digests in off on; do
      row "$target" "$initiator" tcp "$digests"
    done
  done
done
on client bash -c 'echo 1 > /sys/module/nvme_core/parameters/admin_timeout'
row nvmet kernel rdma off

then_ "the appliance explains each host's wrong keys, and its missing ones where the target can tell"
on head pkill -CONT -x java
# explained TARGET CHECK TIMES: of how many hosts the appliance says at least that often that the check failed.
explained() {
  local host number=0
  while read -r host; do
    [ "$(api GET "/api/v1/hosts/$host/authentication-failures?limit=100" | jq --arg check "$2" '[.items[] | select(.check == $check)] | length')" -ge "$3" ] && number=$((number + 1))
  done < <(jq -r .hostId "$run/$1.secrets")
  [ "$number" = "$count" ] || { echo "$number of $count hosts"; return 1; }
}
# Once for each initiator.
within 60 "the explanations of wrong keys at the embedded target" explained embedded KEY_MISMATCH 2
within 60 "the explanations of missing keys at the embedded target" explained embedded KEY_NOT_PRESENTED 2
within 60 "the explanations of wrong keys at the kernel's target" explained nvmet KEY_MISMATCH 2
expect_in "limits of the kernel's target" host.refusals "$(api GET "/api/v1/heads/$(head_id head)" | jq -c '[.engine.limits[].code]')"

echo
echo "  Each cell: hosts of $((count / 6)), that is 3 hashes, one way and both ways. Below wrong and missing: refused for that reason, and explained."
column -t "$run/table" | sed 's/^/  /'
if [ -s "$run/failures" ]; then
  cat "$run/failures"
  fail "$(wc -l <"$run/failures") connections did not end as they should"
fi
