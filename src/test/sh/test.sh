#!/usr/bin/env bash
# `./fairlead test`: every test that this machine can run, then how many ran in each tier.
# Arguments go to Maven, for example -Dtest=GenerationTest; then, and with FAIRLEAD_TEST_LAB=no, the lab is left out.
set -uo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../.." && pwd)
cd "$root" || exit 1
reports=("$root/target/surefire-reports" "$root/target/failsafe-reports")

# What the tests call besides the JDK: PostgreSQL is a dependency of the build, but root starts it through unshare (util-linux).
missing=()
for tool in mvn:maven unshare:util-linux; do
  command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing what the tests need: ${missing[*]}"
    apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null
  else
    echo "The tests need these packages, please install them: ${missing[*]}" >&2
    exit 1
  fi
fi

# Without these some cases are skipped, and say so.
optional=()
for tool in mkfs.xfs:xfsprogs mkfs.btrfs:btrfs-progs; do
  PATH="$PATH:/usr/sbin:/sbin" command -v "${tool%%:*}" >/dev/null || optional+=("${tool##*:}")
done
if [ "${#optional[@]}" -gt 0 ]; then
  echo "Some cases will be skipped; to run them, install: ${optional[*]}"
fi

rm -rf "${reports[@]}"
began=$(date +%s)
mvn -B -ntp verify "$@"
status=$?
# What was packaged just now is what the launcher would build.
[ "$status" != 0 ] || [ ! -f target/quarkus-app/quarkus-run.jar ] || touch -d "@$began" target/quarkus-app/built

# Real kernels in guests come last: they take the longest, and they need what was built.
lab_log=$root/target/lab.log lab="left out"
if [ $# -eq 0 ] && [ "${FAIRLEAD_TEST_LAB:-yes}" != no ] && [ "$status" = 0 ]; then
  echo
  "$root/fairlead" lab 2>&1 | tee "$lab_log"
  lab_status=${PIPESTATUS[0]}
  case $lab_status in
    0 | 1) lab=run ;;
    69) lab="passed over, because what it needs cannot be had here (see above)" ;;
    *) lab="ended with $lab_status before its scenarios did" ;;
  esac
  [ "$lab_status" = 0 ] || [ "$lab_status" = 69 ] || status=1
fi

tier_of() {
  case "$1" in
    *.architecture.*) echo "1 architecture and style" ;;
    *ApplianceIT) echo "7 packaged appliance: demo, kill -9" ;;
    *Fuzz) echo "6 fuzzing, seeded" ;;
    io.fairlead.platform.* | io.fairlead.management.*) echo "4 management plane on PostgreSQL" ;;
    *EngineContractTest | *ContractIT | *EngineTest) echo "3 engine contract" ;;
    *IT) echo "5 integration: sockets, processes, kill -9" ;;
    *) echo "2 unit, property and layout" ;;
  esac
}

declare -A ran failed skipped
total=0 bad=0 passed_over=0
for report in "${reports[0]}"/TEST-*.xml "${reports[1]}"/TEST-*.xml; do
  [ -f "$report" ] || continue
  line=$(grep -m1 -o '<testsuite [^>]*>' "$report")
  [ -n "$line" ] || line=$(tr '\n' ' ' <"$report" | grep -o -m1 '<testsuite [^>]*>')
  number() { sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p" <<<"$line"; }
  name=$(sed -n 's/.* name="\([^"]*\)".*/\1/p' <<<"$line")
  tier=$(tier_of "$name")
  tests=$(number tests) errors=$(number errors) failures=$(number failures) skips=$(number skipped)
  ran[$tier]=$((${ran[$tier]:-0} + tests - skips))
  failed[$tier]=$((${failed[$tier]:-0} + errors + failures))
  skipped[$tier]=$((${skipped[$tier]:-0} + skips))
  total=$((total + tests - skips)) bad=$((bad + errors + failures)) passed_over=$((passed_over + skips))
done

if [ "$lab" = run ]; then
  tier="8 lab: Linux kernels in guests"
  passed=$(grep -cE '^[a-z0-9-]+ +passed +[0-9]+ s$' "$lab_log")
  broken=$(grep -cE '^[a-z0-9-]+ +FAILED ' "$lab_log")
  ran[$tier]=$((passed + broken)) failed[$tier]=$broken skipped[$tier]=0
  total=$((total + passed + broken)) bad=$((bad + broken))
fi

echo
echo "Tests by tier"
for tier in "${!ran[@]}"; do
  printf '  %-44s %5d ran, %d failed, %d skipped\n' "${tier#* }" "${ran[$tier]}" "${failed[$tier]}" "${skipped[$tier]}" | sed "s/^/${tier%% *}/"
done | sort | cut -c2-
[ "$lab" = run ] || echo "  lab: $lab"
echo "$((total - bad)) passed, $bad failed, $passed_over skipped"
[ "$total" -gt 0 ] || status=1
exit "$status"
