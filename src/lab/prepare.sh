# Prepares kernel, root image and initial memory disk, once; each is kept under a name that changes with what goes into it. Sourced.

# The tools of this machine, installed if we may; 1 and a sentence if they cannot be had.
need_host_tools() {
  local tool missing=()
  for tool in $host_tools; do
    PATH="$PATH:/usr/sbin:/sbin" command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
  done
  [ "${#missing[@]}" = 0 ] && return 0
  if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    say "the lab needs these packages, please install them: ${missing[*]}"
    return 1
  fi
  say "installing what the lab needs: ${missing[*]}"
  apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "${missing[@]}" >"$lab_cache/install.log" 2>&1 && return 0
  tail -n 5 "$lab_cache/install.log" >&2
  say "these packages could not be installed: ${missing[*]}"
  return 1
}

digest_of() { sha256sum | cut -c1-16; }

# The mirror that this machine's own package manager uses.
mirror() {
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && awk '/^URIs:/ { print $2; exit }' "$file"
  done | head -n 1 | grep . || awk '$1 == "deb" { sub(/\[[^]]*\] */, ""); print $2; exit }' /etc/apt/sources.list
}

# Maps this user to root where we are not root, so that the files in the image belong to root.
as_image_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else unshare --map-root-user -- "$@"; fi
}

# Sets kernel_dir and kernel_version.
prepare_kernel() {
  kernel_dir=$lab_cache/kernel-$kernel_suite
  if [ ! -f "$kernel_dir/.done" ]; then
    say "fetching the guest's kernel ($kernel_suite) ..."
    local lists=$lab_cache/kernel-lists package options
    rm -rf "$kernel_dir" "$lists"
    mkdir -p "$kernel_dir/debs" "$lists/lists/partial" "$lists/cache/archives/partial"
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: amd64\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
      "$(mirror)" "$kernel_suite" >"$lists/suite.sources"
    options=(-qq -o Dir::Etc::sourcelist="$lists/suite.sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$lists/lists" -o Dir::Cache="$lists/cache" -o APT::Sandbox::User="$(id -un)")
    apt-get "${options[@]}" update || return 1
    package=$(apt-cache "${options[@]}" depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }')
    (cd "$kernel_dir/debs" && apt-get "${options[@]}" download "$package") || return 1
    dpkg-deb -x "$kernel_dir"/debs/"$package"_*.deb "$kernel_dir/root" || return 1
    if [ ! -e "$kernel_dir/root/usr/lib/modules" ]; then
      mkdir -p "$kernel_dir/root/usr/lib" && mv "$kernel_dir/root/lib/modules" "$kernel_dir/root/usr/lib/" || return 1
      rm -rf "$kernel_dir/root/lib" && ln -s usr/lib "$kernel_dir/root/lib"
    fi
    printf '%s\n' "${package#linux-image-}" >"$kernel_dir/version"
    PATH="$PATH:/usr/sbin:/sbin" depmod -b "$kernel_dir/root" "${package#linux-image-}" || return 1
    rm -rf "$kernel_dir/debs" "$lists"
    touch "$kernel_dir/.done"
  fi
  kernel_version=$(cat "$kernel_dir/version")
}

# Unpacks the packages into the directory; the closure is resolved against an empty machine.
unpack_root() {
  local root=$1 debs=$lab_cache/debs directory deb
  mkdir -p "$debs/partial" && : >"$debs/status"
  # shellcheck disable=SC2086 # the list is words
  apt-get -qq -y -o Dir::State::status="$debs/status" -o Dir::Cache::archives="$debs" -o APT::Sandbox::User="$(id -un)" \
    -o APT::Install-Recommends=0 -o Debug::NoLocking=1 --download-only install $guest_packages >&2 || return 1
  mkdir -p "$root"
  for directory in bin sbin lib lib64; do
    mkdir -p "$root/usr/$directory" && ln -s "usr/$directory" "$root/$directory"
  done
  for deb in "$debs"/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root" --keep-directory-symlink --no-same-owner \
      --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' --exclude='./usr/share/info/*' || return 1
  done
  # What the packages' own scripts would have done, as far as it is needed.
  cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
  cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
  echo 'sshd:x:100:65534::/run/sshd:/usr/sbin/nologin' >>"$root/etc/passwd"
  [ -e "$root/usr/bin/awk" ] || ln -s mawk "$root/usr/bin/awk"
  [ -e "$root/usr/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
  PATH="$PATH:/usr/sbin:/sbin" ldconfig -r "$root" || return 1
  mkdir -p "$root"/{proc,sys,dev,run,tmp,mnt,lab,share,jvm,app,root,var/lib/fairlead}
  echo '127.0.0.1 localhost' >"$root/etc/hosts"
}

# Sets root_image.
prepare_root() {
  root_image=$lab_cache/root-$({ echo "$guest_packages" && cat "$lab/prepare.sh"; } | digest_of).ext4
  [ -f "$root_image" ] && return 0
  say "fetching and unpacking the guest's packages ..."
  rm -rf "$lab_cache"/root-*
  local root=$lab_cache/root-unpacked
  unpack_root "$root" || return 1
  truncate -s 3G "$root_image.new"
  PATH="$PATH:/usr/sbin:/sbin" as_image_root mke2fs -q -t ext4 -O '^has_journal' -E lazy_itable_init=1 -d "$root" "$root_image.new" || return 1
  mv "$root_image.new" "$root_image" && rm -rf "$root"
}

# Sets memory_disk.
prepare_memory_disk() {
  memory_disk=$lab_cache/boot-$({ echo "$kernel_version $boot_modules" && cat "$lab/guest/initramfs-init" "$lab/prepare.sh"; } | digest_of).cpio
  [ -f "$memory_disk" ] && return 0
  local work module file number=100
  rm -f "$lab_cache"/boot-*
  work=$(mktemp -d) && mkdir -p "$work"/{bin,modules,proc,sys,dev,upper,root} || return 1
  cp "$(command -v busybox)" "$work/bin/busybox" && ln -s busybox "$work/bin/sh" || return 1
  for module in $boot_modules; do
    PATH="$PATH:/usr/sbin:/sbin" modprobe -d "$kernel_dir/root" -S "$kernel_version" --show-depends "$module" 2>/dev/null
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$work/order"
  while read -r file; do
    number=$((number + 1))
    case $file in
      *.xz) xz -dc "$file" >"$work/modules/$number-$(basename "${file%.xz}")" ;;
      *) cp "$file" "$work/modules/$number-$(basename "$file")" ;;
    esac || return 1
  done <"$work/order"
  rm "$work/order"
  install -m 755 "$lab/guest/initramfs-init" "$work/init" || return 1
  (cd "$work" && find . | cpio -o -H newc -R 0:0 --quiet) >"$memory_disk.new" && mv "$memory_disk.new" "$memory_disk" || return 1
  rm -rf "$work"
}

# Everything, or 1 and the reason.
prepare() {
  mkdir -p "$lab_cache"
  need_host_tools || return 1
  prepare_kernel || { say "the guest's kernel cannot be had from this machine's package mirror."; return 1; }
  prepare_root || { say "the guest's packages cannot be had from this machine's package mirror."; return 1; }
  prepare_memory_disk || { say "the initial memory disk could not be made."; return 1; }
}
