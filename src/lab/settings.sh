# What the lab is made of. Sourced; everything can be given from outside by its FAIRLEAD_LAB_ name.
lab_cache=${FAIRLEAD_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fairlead/lab}

# Seconds for a guest to answer, and how often a guest that never came up is started again.
boot_seconds=${FAIRLEAD_LAB_BOOT_SECONDS:-150}
boot_attempts=3

# Programs of this machine that the lab calls, with the package that has each.
host_tools="qemu-system-x86_64:qemu-system-x86 cpio:cpio depmod:kmod busybox:busybox-static xz:xz-utils mke2fs:e2fsprogs socat:socat
  ssh:openssh-client ssh-keygen:openssh-client jq:jq curl:curl unshare:util-linux"

# Packages in the guest: unpacked, never installed. The first line is what a guest needs to live, the second what is tested with.
guest_packages="base-files base-passwd bash coreutils grep sed mawk findutils tar gzip mount util-linux procps iproute2 kmod openssh-server
  e2fsprogs xfsprogs nvme-cli rdma-core ibverbs-providers rdmacm-utils fio lvm2 mdadm thin-provisioning-tools jq dmsetup"

# Modules without which the initial memory disk does not reach the root; what they need comes along.
boot_modules="virtio_pci virtio_blk virtio_net virtio_console 9p 9pnet_virtio overlay ext4"

# The release whose kernel runs in the guests: its stock kernel has NVMe authentication, which the one of the release before lacks.
kernel_suite=bookworm-backports

say() { printf 'lab: %s\n' "$*" >&2; }
