#!/usr/bin/env bash
# `./fairlead lab [scenario...]`: real kernels in guests, and Fairlead against them. Without names: all scenarios. See README.md.
set -uo pipefail

lab=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
for part in settings prepare; do
  # shellcheck source=/dev/null
  . "$lab/$part.sh"
done

all=()
for file in "$lab"/scenarios/*.sh; do
  all+=("$(basename "$file" .sh)")
done

usage() {
  echo "usage: ./fairlead lab [--prepare] [scenario...]"
  echo "Without names all scenarios run. --prepare only fetches and builds what guests need. Scenarios:"
  for name in "${all[@]}"; do
    printf '  %-28s %s\n' "$name" "$(sed -n '1s/^# *//p' "$lab/scenarios/$name.sh")"
  done
}

wanted=()
only_prepare=no
for argument in "$@"; do
  case $argument in
    -h | --help | help)
      usage
      exit 0
      ;;
    --prepare) only_prepare=yes ;;
    *)
      if [ ! -f "$lab/scenarios/$argument.sh" ]; then
        echo "lab: there is no scenario '$argument'." >&2
        usage >&2
        exit 64
      fi
      wanted+=("$argument")
      ;;
  esac
done
[ "${#wanted[@]}" -gt 0 ] || wanted=("${all[@]}")

started=$SECONDS
# 69: what a lab needs cannot be had on this machine (sysexits: unavailable).
prepare || exit 69
say "prepared in $((SECONDS - started)) s: kernel $kernel_version, root $(basename "$root_image")"
[ "$only_prepare" = no ] || exit 0

# In an emulated processor a worker spends half a minute on loading its classes. It finds them laid out already when one of the same build
# has run before (JEP 483); where that cannot be had, it starts as it always does.
lay_out_classes() {
  local cache=$FAIRLEAD_HOME/target/quarkus-app/worker.aot built=$FAIRLEAD_HOME/target/quarkus-app/quarkus-run.jar scratch pid
  [ ! "$cache" -nt "$built" ] || return 0
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/fairlead-lab.XXXXXX")
  echo none >"$scratch/token"
  "$JAVA_HOME/bin/java" "-XX:AOTCacheOutput=$cache" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp "$FAIRLEAD_CLASS_PATH" \
    io.fairlead.worker.agent.WorkerMain --management http://127.0.0.1:9 --state-dir "$scratch/state" --name layout --enrolment-token-file "$scratch/token" \
    --engine embedded --pool "files=$scratch/pool" >"$scratch/out" 2>"$scratch/log" &
  pid=$!
  for _ in $(seq 100); do
    grep -q serving "$scratch/out" && break
    sleep 0.2
  done
  kill "$pid" 2>/dev/null
  wait "$pid"
  [ -f "$cache" ] || say "the worker's classes could not be laid out; see $scratch/log"
  [ ! -f "$cache" ] || rm -rf "$scratch"
}
lay_out_classes

runs=$(mktemp -d "${TMPDIR:-/tmp}/fairlead-lab.XXXXXX")
status=0
lines=()
for name in "${wanted[@]}"; do
  begin=$SECONDS
  mkdir -p "$runs/$name"
  printf '\n== %s: %s\n' "$name" "$(sed -n '1s/^# *//p' "$lab/scenarios/$name.sh")"
  "$lab/run-scenario.sh" "$name" "$runs/$name"
  code=$?
  if [ "$code" = 0 ]; then
    result=passed
    [ -n "${FAIRLEAD_LAB_KEEP:-}" ] || rm -rf "${runs:?}/$name"
  else
    result="FAILED ($code)"
    status=1
  fi
  lines+=("$(printf '%-28s %-14s %5d s' "$name" "$result" "$((SECONDS - begin))")")
  [ "$code" = 130 ] && break
done

printf '\nscenario                     result           time\n'
printf '%s\n' "${lines[@]}"
printf '%d of %d scenarios passed in %d s\n' "$(printf '%s\n' "${lines[@]}" | grep -c ' passed ')" "${#wanted[@]}" "$((SECONDS - started))"
rmdir "$runs" 2>/dev/null || echo "logs are in $runs"
exit "$status"
