# Starts, reaches, resets and stops guests. Sourced by a scenario's process; guests end with it.
#
# A guest `head` is on the private network with the address that boot prints, sees this repository's lab as /lab, the JDK as /jvm and the
# built application as /app, and has: NVMe drives with the serials HEADNVME1.., virtio disks with HEADDISK1.., a state disk.

declare -A guest_pid guest_address guest_shape
guest_count=0

# boot NAME [DRIVES] [DISKS]: starts a guest and returns when commands can be run in it. What never comes up is started again.
boot() {
  local name=$1 drives=${2:-3} disks=${3:-0} attempt
  guest_count=$((guest_count + 1))
  guest_address[$name]=10.77.0.$guest_count
  guest_shape[$name]="$drives $disks $guest_count"
  make_disks "$name" "$drives" "$disks"
  for attempt in $(seq "$boot_attempts"); do
    start_guest "$name"
    if await_shell "$name"; then
      note "guest $name is up at ${guest_address[$name]} after $(on "$name" cut -d' ' -f1 /proc/uptime) s"
      return 0
    fi
    say "guest $name never came up (attempt $attempt of $boot_attempts); its console ends with:"
    tail -n 5 "$run/$name/console" >&2 || true
    stop_guest "$name"
  done
  exit 125
}

make_disks() {
  local name=$1 drives=$2 disks=$3 upper=${1^^} number
  mkdir -p "$run/$name/share"
  ssh-keygen -q -t ed25519 -N '' -f "$run/$name/share/host_key" -C lab
  [ -f "$run/key" ] || ssh-keygen -q -t ed25519 -N '' -f "$run/key" -C lab
  cp "$run/key.pub" "$run/$name/share/key.pub"
  truncate -s "${state_size:-256M}" "$run/$name/state"
  for number in $(seq "$drives"); do
    truncate -s "${drive_size:-1G}" "$run/$name/nvme$number"
  done
  for number in $(seq "$disks"); do
    truncate -s "${drive_size:-1G}" "$run/$name/disk$number"
  done
}

start_guest() {
  local name=$1 upper=${1^^} i directory=$run/$1 drives disks number mac
  read -r drives disks number <<<"${guest_shape[$name]}"
  mac=$(printf '%02x' "$number")
  local arguments=(
    -name "$name" -accel tcg,thread=single -cpu max -smp 2 -m "${guest_memory:-2G}" -machine q35 -nodefaults -display none
    -kernel "$kernel_dir/root/boot/vmlinuz-$kernel_version" -initrd "$memory_disk" -serial "file:$directory/console"
    -append "console=ttyS0 panic=-1 net.ifnames=0 mitigations=off nowatchdog tsc=nowatchdog lab.name=$name lab.address=${guest_address[$name]}"
    -monitor "unix:$directory/monitor,server,nowait"
    -device virtio-rng-pci
    -netdev "user,id=outside,hostfwd=tcp:127.0.0.1:0-:22" -device "virtio-net-pci,netdev=outside,romfile=,mac=52:54:00:01:00:$mac"
    -netdev "socket,id=inside,mcast=239.77.7.7:$lan_port,localaddr=127.0.0.1" -device "virtio-net-pci,netdev=inside,romfile=,mac=52:54:00:02:00:$mac"
    -drive "file=$root_image,format=raw,if=none,id=root,snapshot=on,cache=unsafe" -device virtio-blk-pci,drive=root,serial=LABROOT
    -drive "file=$directory/state,format=raw,if=none,id=state,cache=unsafe" -device virtio-blk-pci,drive=state,serial=LABSTATE)
  local share
  for share in "lab:$lab:ro" "share:$directory/share:rw" "jvm:$JAVA_HOME:ro" "app:$app:ro" "modules:$kernel_dir/root/usr/lib/modules:ro"; do
    local path=${share#*:}
    arguments+=(-virtfs "local,path=${path%:*},mount_tag=${share%%:*},security_model=none,multidevs=remap$([ "${path##*:}" = rw ] || echo ,readonly=on)")
  done
  for i in $(seq "$drives"); do
    arguments+=(-drive "file=$directory/nvme$i,format=raw,if=none,id=nvme$i,cache=unsafe,discard=unmap" -device "nvme,id=drive$i,drive=nvme$i,serial=${upper}NVME$i")
  done
  for i in $(seq "$disks"); do
    arguments+=(-drive "file=$directory/disk$i,format=raw,if=none,id=disk$i,cache=unsafe,discard=unmap" -device "virtio-blk-pci,drive=disk$i,serial=${upper}DISK$i")
  done
  # Drives that two heads share are given by name of the file: shared_drives="array1 array2".
  for i in ${shared_drives:-}; do
    [ -f "$run/$i" ] || truncate -s "${drive_size:-1G}" "$run/$i"
    arguments+=(-drive "file=$run/$i,format=raw,if=none,id=$i,cache=unsafe,file.locking=off" -device "nvme,id=$i,drive=$i,serial=${i^^}")
  done
  TMPDIR=$run nice qemu-system-x86_64 "${arguments[@]}" >"$directory/qemu.log" 2>&1 &
  guest_pid[$name]=$!
}

# monitor NAME COMMAND...: says something to the machine under the guest, as a hand on its switches and slots would.
monitor() {
  local name=$1
  shift
  printf '%s\n' "$*" | socat -t 2 - "UNIX-CONNECT:$run/$name/monitor"
}

await_shell() {
  local name=$1 deadline=$((SECONDS + boot_seconds)) port
  while [ $SECONDS -lt $deadline ]; do
    kill -0 "${guest_pid[$name]}" 2>/dev/null || return 1
    port=$(monitor "$name" info usernet 2>/dev/null | awk '/HOST_FORWARD/ { print $4; exit }')
    if [ -n "$port" ]; then
      write_ssh_settings "$name" "$port"
      timeout 10 ssh -F "$run/$name/ssh" -o ConnectTimeout=4 "$name" true 2>/dev/null && return 0
    fi
    sleep 0.3
  done
  return 1
}

write_ssh_settings() {
  local name=$1 port=$2
  printf '%s %s\n' "$name" "$(cut -d' ' -f1,2 "$run/$name/share/host_key.pub")" >"$run/$name/known_host"
  cat >"$run/$name/ssh" <<TXT
Host $name
  HostName 127.0.0.1
  Port $port
  User root
  IdentityFile $run/key
  IdentitiesOnly yes
  HostKeyAlias $name
  UserKnownHostsFile $run/$name/known_host
  StrictHostKeyChecking yes
  LogLevel ERROR
  Ciphers chacha20-poly1305@openssh.com
  ControlMaster auto
  ControlPath $run/$name/control
  ControlPersist yes
  ServerAliveInterval 15
  ServerAliveCountMax 8
TXT
}

# on GUEST COMMAND...: runs a command in the guest; without one, the script on standard input. Output and exit code come back.
on() {
  local name=$1
  shift
  if [ $# -gt 0 ]; then
    ssh -F "$run/$name/ssh" "$name" "$(printf '%q ' "$@")" </dev/null
  else
    ssh -F "$run/$name/ssh" "$name" bash -euo pipefail -s
  fi
}

# feed GUEST COMMAND...: runs a command in the guest with our standard input.
feed() {
  local name=$1
  shift
  ssh -F "$run/$name/ssh" "$name" "$(printf '%q ' "$@")"
}

# reset_guest NAME: takes the power away and gives it back; nothing in the guest is asked. Returns when commands can be run again.
# A new machine on the old disks, because QEMU's own reset button leaves an emulated processor that is many times slower.
reset_guest() {
  local name=$1
  kill -KILL "${guest_pid[$name]}"
  wait "${guest_pid[$name]}" 2>/dev/null || true
  forget_connection "$name"
  rm -f "$run/$name/monitor"
  mv "$run/$name/console" "$run/$name/console.before"
  start_guest "$name"
  if ! await_shell "$name"; then
    say "guest $name did not come back; its console ends with:"
    tail -n 20 "$run/$name/console" >&2
    return 1
  fi
}

# A connection through which commands ran before a reset leads nowhere now.
forget_connection() {
  pkill -f -- "ssh -F $run/$1/ssh" 2>/dev/null || true
  rm -f "$run/$1/control"
}

# tunnel NAME PORT: makes a port of this machine's loopback the same port of the guest's loopback.
tunnel() {
  ssh -F "$run/$1/ssh" -O forward -R "127.0.0.1:$2:127.0.0.1:$2" "$1"
}

# forward NAME ADDRESS PORT: prints a port of this machine's loopback that leads to that address as the guest sees it.
forward() {
  local port attempt
  for attempt in $(seq 20); do
    port=$((20000 + RANDOM % 20000))
    if ssh -F "$run/$1/ssh" -O forward -L "127.0.0.1:$port:$2:$3" "$1" >/dev/null 2>&1; then
      printf '%s' "$port"
      return 0
    fi
  done
  fail "no port of this machine could be led to $2 port $3 of $1"
}

stop_guest() {
  local name=$1
  [ -n "${guest_pid[$name]:-}" ] || return 0
  [ -f "$run/$name/ssh" ] && ssh -F "$run/$name/ssh" -O exit "$name" 2>/dev/null || true
  kill "${guest_pid[$name]}" 2>/dev/null || true
  wait "${guest_pid[$name]}" 2>/dev/null || true
  unset "guest_pid[$name]"
}

stop_guests() {
  local name
  for name in "${!guest_pid[@]}"; do
    stop_guest "$name"
  done
}
