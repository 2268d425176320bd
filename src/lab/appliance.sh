# The appliance in a scenario: the management plane on this machine, workers here or in guests, and the API. Sourced.

declare -A worker_pid
management_pid=

# Starts the management plane with its own database. The port is chosen at the first start and kept.
start_management() {
  mkdir -p "$run/management"
  : >"$run/management.out"
  QUARKUS_HTTP_PORT=${api_port:-0} FAIRLEAD_STATE_DIR=$run/management "$home/fairlead" management >"$run/management.out" 2>>"$run/management.log" &
  management_pid=$!
  within 120 "the management plane's start" grep -q '"event":"ready"' "$run/management.out" >/dev/null
  api=$(jq -r 'select(.event == "ready").url' "$run/management.out" 2>/dev/null | tail -n 1)
  [ -n "$api" ] || api=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$run/management.out")
  api_port=${api##*:}
  token=$(cat "$run/management/admin-token")
}

# Ends it as a power cut would.
kill_management() {
  kill -9 "$management_pid"
  wait "$management_pid" 2>/dev/null || true
  management_pid=
}

# api METHOD PATH [BODY] [CURL OPTIONS...]: the answer's body; a refusal fails with the problem document.
api() {
  local method=$1 path=$2 body=${3:-} status answer said
  [ $# -ge 3 ] && shift 3 || shift 2
  answer=$(mktemp "$run/answer.XXXX")
  local options=(-sS -o "$answer" -D "$answer.head" -w '%{http_code}' -X "$method" -H "Authorization: Bearer $token" -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)")
  [ -z "$body" ] || options+=(-H 'Content-Type: application/json' --data "$body")
  status=$(curl "${options[@]}" "$@" "$api$path")
  said=$(cat "$answer")
  printf '%s' "$said"
  etag=$(sed -n 's/^[Ee][Tt]ag: *\([^\r]*\).*/\1/p' "$answer.head")
  rm -f "$answer" "$answer.head"
  [ "${status:0:1}" = 2 ] || { printf '\n(%s %s was answered with %s: %s)\n' "$method" "$path" "$status" "$said" >&2; return 1; }
}

# etag_of PATH: the version that a change has to name.
etag_of() {
  curl -sS -o /dev/null -D - -H "Authorization: Bearer $token" "$api$1" | sed -n 's/^[Ee][Tt]ag: *\([^\r]*\)\r*$/\1/p'
}

# change METHOD PATH [BODY]: a change of the version that is there now.
change() {
  api "$1" "$2" "${3:-}" -H "If-Match: $(etag_of "$2")"
}

# job ID: waits for the job's end, prints it, and fails unless it succeeded.
job() {
  local seconds=${2:-180} answer deadline=$((SECONDS + ${2:-180}))
  while :; do
    answer=$(api GET "/api/v1/jobs/$1")
    case $(jq -r .state <<<"$answer") in
      SUCCEEDED)
        printf '%s' "$answer"
        return 0
        ;;
      FAILED)
        jq -r '"job failed: \(.failure.code // .failureCode // "") \(.failure.text // .failureText // "")"' <<<"$answer" >&2
        jq -c . <<<"$answer" >&2
        return 1
        ;;
    esac
    [ $SECONDS -lt $deadline ] || { printf 'job is still running after %s s: %s\n' "$seconds" "$answer" >&2; return 1; }
    sleep 0.3
  done
}

enrolment_token() {
  api POST /api/v1/heads/enrolment-tokens '{}' | jq -r .token
}

# worker_here NAME ARGUMENTS...: a worker on this machine; returns when it serves.
worker_here() {
  local name=$1
  shift
  mkdir -p "$run/$name"
  [ -s "$run/$name/token" ] || enrolment_token >"$run/$name/token"
  : >"$run/$name.out"
  "$home/fairlead" worker --management "$api" --state-dir "$run/$name/state" --name "$name" --enrolment-token-file "$run/$name/token" "$@" \
    >"$run/$name.out" 2>>"$run/$name.log" &
  worker_pid[$name]=$!
  within 60 "the worker's start" grep -q '"event":"serving"' "$run/$name.out" >/dev/null
  await_head "$name"
}

kill_worker_here() {
  kill -9 "${worker_pid[$1]}"
  wait "${worker_pid[$1]}" 2>/dev/null || true
  unset "worker_pid[$1]"
}

# worker_in GUEST ARGUMENTS...: makes the worker a service of the guest that starts at boot, starts it, and waits for it.
worker_in() {
  local name=$1 one_time
  shift
  one_time=$(enrolment_token)
  tunnel "$name" "$api_port"
  {
    printf 'umask 077\nprintf %%s %q > /var/lib/fairlead/enrolment-token\n' "$one_time"
    printf 'cat > /var/lib/fairlead/worker.arguments <<TXT\n'
    printf '%s\n' -XX:AOTCache=/app/worker.aot -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -Xmx512m -cp "${FAIRLEAD_CLASS_PATH//$app//app}" \
      io.fairlead.worker.agent.WorkerMain --management "http://127.0.0.1:$api_port" --state-dir /var/lib/fairlead/worker --name "$name" \
      --enrolment-token-file /var/lib/fairlead/enrolment-token "$@"
    printf 'TXT\ncp /lab/guest/at-boot /var/lib/fairlead/at-boot\nchmod 755 /var/lib/fairlead/at-boot\n'
    printf 'setsid /var/lib/fairlead/at-boot < /dev/null > /dev/null 2>&1 &\n'
  } | on "$name"
  await_head "$name"
}

# head_id NAME
head_id() {
  api GET '/api/v1/heads?limit=100' | jq -er --arg name "$1" '.items[] | select(.name == $name) | .id'
}

head_is_online() {
  [ "$(api GET '/api/v1/heads?limit=100' | jq -r --arg name "$1" '.items[] | select(.name == $name) | .state')" = ONLINE ]
}

await_head() {
  within 120 "head $1 online" head_is_online "$1" >/dev/null
}

stop_appliance() {
  local name
  for name in "${!worker_pid[@]}"; do
    kill "${worker_pid[$name]}" 2>/dev/null || true
    wait "${worker_pid[$name]}" 2>/dev/null || true
  done
  if [ -n "$management_pid" ]; then
    kill "$management_pid" 2>/dev/null || true
    wait "$management_pid" 2>/dev/null || true
  fi
}
