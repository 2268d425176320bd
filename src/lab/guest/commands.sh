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

# nvmet_identities: everything by which hosts know what the kernel's target serves, one line each.
nvmet_identities() {
  local subsystem namespace port link
  for subsystem in /sys/kernel/config/nvmet/subsystems/*; do
    (
      cd "$subsystem"
      read -r serial < attr_serial
      read -r model < attr_model
      echo "subsystem ${subsystem##*/} $serial $model $(cd allowed_hosts && echo *)"
      for namespace in namespaces/*; do
        [ -d "$namespace" ] || continue
        for attribute in enable device_uuid device_nguid ana_grpid device_path; do
          read -r "$attribute" < "$namespace/$attribute"
        done
        echo "namespace ${subsystem##*/} ${namespace##*/} $enable $device_uuid $device_nguid $ana_grpid $device_path"
      done
    )
  done | sort
  for port in /sys/kernel/config/nvmet/ports/*; do
    for link in "$port"/subsystems/*; do
      [ -e "$link" ] || continue
      echo "port $(cat "$port/addr_trtype") $(cat "$port/addr_traddr") $(cat "$port/addr_trsvcid") ${link##*/}"
    done
  done | sort
}
