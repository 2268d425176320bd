# The words in which scenarios are written. Sourced by a scenario's process.

step_started=$SECONDS
sentence="the scenario begins"

# A sentence opens a step; what follows belongs to it, and the first command that fails ends the scenario at that sentence.
step() {
  sentence="$1 $2"
  step_started=$SECONDS
  printf '  %5s s  %-5s %s\n' "$((SECONDS - scenario_started))" "$1" "$2"
}
given() { step given "$*"; }
when() { step when "$*"; }
then_() { step then "$*"; }
and_() { step and "$*"; }
note() { printf '           %s\n' "$*"; }

fail() {
  printf '  FAILED   %s\n' "$*" >&3
  exit 1
}

# expect NAME WANTED ACTUAL: compares whole.
expect() {
  [ "$2" = "$3" ] && return 0
  fail "$1: wanted '$2', found '$3'"
}

# expect_in NAME WANTED TEXT: the text says it.
expect_in() {
  case $3 in
    *"$2"*) return 0 ;;
  esac
  fail "$1: '$2' is not in: $3"
}

# refused COMMAND...: the command has to fail; prints what it said.
refused() {
  local said
  if said=$("$@" 2>&1); then
    fail "this should have been refused: $*"
  fi
  printf '%s' "$said"
}

# within SECONDS NAME COMMAND...: repeats the command until it succeeds; prints its last output.
within() {
  local seconds=$1 name=$2 deadline=$((SECONDS + $1)) said
  shift 2
  while :; do
    if said=$("$@" 2>&1); then
      printf '%s' "$said"
      return 0
    fi
    [ $SECONDS -lt $deadline ] || fail "$name did not become true within $seconds s; last: $said"
    sleep 0.3
  done
}

# Told at each level, so that a command inside a command is found.
on_error() {
  printf '  FAILED   %s: %s (line %s)\n' "$sentence" "$1" "$2" >&3
}

# What helps to understand a failure: the ends of the logs.
evidence() {
  local file name
  for file in "$run"/*.log "$run"/*/console; do
    [ -s "$file" ] || continue
    printf '  ---- %s\n' "${file#"$run"/}"
    tail -n "${evidence_lines:-15}" "$file"
  done
  for name in "${!guest_pid[@]}"; do
    printf '  ---- kernel log of %s\n' "$name"
    timeout 20 ssh -F "$run/$name/ssh" -o ConnectTimeout=5 "$name" 'dmesg | tail -n 25; tail -n 25 /var/lib/fairlead/worker.log 2>/dev/null' 2>/dev/null || true
  done
}
