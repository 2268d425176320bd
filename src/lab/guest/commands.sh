# Commands for scripts in a guest; every shell there has them.

hostnqn() { echo "nqn.2014-08.org.nvmexpress:uuid:$(cat /var/lib/fairlead/hostid)"; }

# use_initiator: the kernel's initiator with its transports, and a host identity that stays.
use_initiator() {
  modprobe -a nvme-tcp nvme-rdma
  mkdir -p /etc/nvme
  hostnqn > /etc/nvme/hostnqn
  cat /var/lib/fairlead/hostid > /etc/nvme/hostid
}

# use_rdma: soft-RoCE on the network that the guests share, here and after the next boot.
use_rdma() {
  modprobe rdma_rxe
  rdma link show | grep -q '^link rxe0/' || rdma link add rxe0 type rxe netdev eth1
  touch /var/lib/fairlead/rdma
}

# drive SERIAL: the block device of a drive, wherever it appeared.
drive() {
  local serial
  for serial in /sys/block/*/device/serial /sys/block/*/serial; do
    [ -e "$serial" ] || continue
    [ "$(tr -d ' ' < "$serial")" = "$1" ] || continue
    echo "/dev/$(cut -d/ -f4 <<< "$serial")"
    return 0
  done
  return 1
}

# subsystem NQN: its directory in sysfs.
subsystem() {
  local nqn
  for nqn in /sys/class/nvme-subsystem/*/subsysnqn; do
    [ "$(cat "$nqn" 2>/dev/null)" = "$1" ] && dirname "$nqn" && return 0
  done
  return 1
}

# controllers NQN: the names of the controllers that are connected to it.
controllers() {
  local directory entry
  directory=$(subsystem "$1") || return 1
  for entry in "$directory"/nvme*; do
    [ ! -e "$entry/state" ] || basename "$entry"
  done
}

# controller NQN TRADDR TRSVCID: the controller that came through that address.
controller() {
  local name
  for name in $(controllers "$1"); do
    case $(cat "/sys/class/nvme/$name/address") in
      *"traddr=$2,trsvcid=$3"*) echo "$name" && return 0 ;;
    esac
  done
  return 1
}

# block_device NQN NSID: the node of a namespace, through all its paths; waits for it.
block_device() {
  local attempt directory node
  for attempt in $(seq 100); do
    if directory=$(subsystem "$1"); then
      for node in "$directory"/nvme*n*; do
        [ "$(cat "$node/nsid" 2>/dev/null)" = "$2" ] || continue
        case ${node##*/} in
          *c*n*) ;;
          *) [ -b "/dev/${node##*/}" ] && echo "/dev/${node##*/}" && return 0 ;;
        esac
      done
    fi
    sleep 0.1
  done
  echo "namespace $2 of $1 did not appear" >&2
  return 1
}

# disconnect NQN
disconnect() { nvme disconnect -n "$1" > /dev/null; }

# nvmet_identities: everything by which hosts know what the kernel's target serves, one line each. No host sees what keeps the ports listening.
nvmet_identities() {
  local subsystem namespace port link attribute serial model hosts enable device_uuid device_nguid ana_grpid device_path addr_trtype addr_traddr addr_trsvcid
  for subsystem in /sys/kernel/config/nvmet/subsystems/*; do
    [ "${subsystem##*/}" != nqn.2026-01.io.fairlead:nvmet:listening ] || continue
    [ -d "$subsystem" ] || continue
    read -r serial < "$subsystem/attr_serial"
    read -r model < "$subsystem/attr_model"
    hosts=("$subsystem"/allowed_hosts/*)
    echo "subsystem ${subsystem##*/} $serial $model ${hosts[*]##*/}"
    for namespace in "$subsystem"/namespaces/*; do
      [ -d "$namespace" ] || continue
      for attribute in enable device_uuid device_nguid ana_grpid device_path; do
        read -r "$attribute" < "$namespace/$attribute"
      done
      echo "namespace ${subsystem##*/} ${namespace##*/} $enable $device_uuid $device_nguid $ana_grpid $device_path"
    done
  done | sort
  for port in /sys/kernel/config/nvmet/ports/*; do
    [ -d "$port" ] || continue
    for attribute in addr_trtype addr_traddr addr_trsvcid; do
      read -r "$attribute" < "$port/$attribute"
    done
    for link in "$port"/subsystems/*; do
      [ ! -e "$link" ] || echo "port $addr_trtype $addr_traddr $addr_trsvcid ${link##*/}"
    done
  done | sort
}

# clear_nvmet: takes everything out of the kernel's target, as a power cut would.
clear_nvmet() {
  local nvmet=/sys/kernel/config/nvmet entry
  for entry in "$nvmet"/ports/*/subsystems/* "$nvmet"/subsystems/*/allowed_hosts/*; do
    [ ! -L "$entry" ] || rm "$entry"
  done
  for entry in "$nvmet"/subsystems/*/namespaces/* "$nvmet"/ports/*/ana_groups/* "$nvmet"/ports/* "$nvmet"/subsystems/* "$nvmet"/hosts/*; do
    case $entry in
      */ana_groups/1) ;;
      *) [ ! -d "$entry" ] || rmdir "$entry" ;;
    esac
  done
}

# pci_address SERIAL: where a drive is plugged in.
pci_address() {
  local controller
  for controller in /sys/class/nvme/nvme*; do
    [ "$(tr -d ' ' < "$controller/serial")" = "$1" ] || continue
    basename "$(readlink -f "$controller/device")"
    return 0
  done
  return 1
}
