#!/usr/bin/env bash
# Runs one scenario in a process of its own: run-scenario.sh NAME DIRECTORY. lab.sh sets the environment.
set -Eeuo pipefail

lab=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
home=$FAIRLEAD_HOME
app=$home/target/quarkus-app
name=$1 run=$2
scenario_started=$SECONDS
# What a command is told to keep for itself does not swallow a failure.
exec 3>&1
lan_port=$((20000 + $$ % 20000))
for part in settings prepare guests steps appliance; do
  # shellcheck source=/dev/null
  . "$lab/$part.sh"
done
kernel_dir=$lab_cache/kernel-$kernel_suite
kernel_version=$(cat "$kernel_dir/version")
prepare_root && prepare_memory_disk

finish() {
  local status=$?
  trap - ERR EXIT
  set +e
  [ "$status" = 0 ] || evidence
  stop_appliance
  stop_guests
  exit "$status"
}
trap 'on_error "$BASH_COMMAND" "$LINENO"' ERR
trap finish EXIT
trap 'exit 130' INT TERM

# shellcheck source=/dev/null
. "$lab/scenarios/$name.sh"
