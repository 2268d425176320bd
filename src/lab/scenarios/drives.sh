# drives are known by what they are: their health and its alarms, why they must not be exported, pulled under load, and back under another name

drive_size=64M

given "a management plane, and a head with seven drives, five of which are somebody's"
start_management
boot head 7
on head <<'SH'
modprobe -a dm_mod raid1
mkfs.ext4 -q -L backup "$(drive HEADNVME2)"
mkdir -p /mnt/data
mount "$(drive HEADNVME2)" /mnt/data
cp /usr/sbin/nvme /mnt/data/
mdadm --create /dev/md9 --run --level=1 --raid-devices=2 --metadata=1.2 "$(drive HEADNVME3)" "$(drive HEADNVME4)" 2> /dev/null
lvm="lvm"
config='devices { use_devicesfile=0 } activation { udev_sync=0 udev_rules=0 }'
$lvm pvcreate -q --config "$config" "$(drive HEADNVME5)"
$lvm vgcreate -q --config "$config" theirs "$(drive HEADNVME5)"
$lvm lvcreate -q --config "$config" -Wn -n home -L 16M theirs
# A master boot record with one Linux partition.
printf '\x00\x20\x21\x00\x83\x00\x00\x00\x00\x08\x00\x00\x00\x08\x00\x00' | dd of="$(drive HEADNVME6)" bs=1 seek=446 conv=notrunc status=none
printf '\x55\xaa' | dd of="$(drive HEADNVME6)" bs=1 seek=510 conv=notrunc status=none
sync
SH
# What must not change, whatever is asked for: all but the mounted file system, which its own kernel may write.
untouched() { on head bash -c 'for serial in HEADNVME3 HEADNVME5 HEADNVME6; do dd if="$(drive $serial)" bs=1M count=8 iflag=direct status=none | sha256sum; done'; }
untouched >"$run/before"
worker_in head --engine nvmet --pool files=/var/lib/fairlead/pool
address=${guest_address[head]}
drive() { api GET '/api/v1/drives?limit=100' | jq -ce --arg serial "$1" '.items[] | select(.serial == $serial)'; }

then_ "each drive is listed with its serial, model, firmware and size, and with the health that nvme-cli reads"
expect "NVMe drives" 7 "$(api GET '/api/v1/drives?limit=100' | jq '[.items[] | select(.kind == "nvme")] | length')"
has_reading() { drive "$1" | jq -e '.health.reading'; }
for number in $(seq 7); do
  within 30 "the health of drive $number" has_reading "HEADNVME$number" >"$run/reading"
  on head bash -c "nvme smart-log -o json \$(drive HEADNVME$number)" >"$run/smart"
  expect "temperature" "$(jq '.temperature - 273' "$run/smart")" "$(jq .temperatureCelsius "$run/reading")"
  expect "spare" "$(jq '.avail_spare' "$run/smart")" "$(jq .availableSparePercent "$run/reading")"
  expect "wear" "$(jq '.percent_used // .percentage_used' "$run/smart")" "$(jq .percentageUsed "$run/reading")"
done
drive HEADNVME1 | jq -r '"           \(.deviceName) \(.model) \(.firmware), \(.sizeBytes) bytes, \(.health.reading | "\(.temperatureCelsius) °C, spare \(.availableSparePercent) %, used \(.percentageUsed) %, \(.mediaErrors) media errors")"'
expect "firmware" "$(on head bash -c 'nvme id-ctrl -o json $(drive HEADNVME1)' | jq -r '.fr | rtrimstr(" ")' | sed 's/ *$//')" "$(drive HEADNVME1 | jq -r .firmware)"
expect "size" 67108864 "$(drive HEADNVME1 | jq .sizeBytes)"

and_ "the blank ones can be exported, and each other one says why not"
codes() { drive "$1" | jq -r '[.inUse[].code] | join(" ")'; }
texts() { drive "$1" | jq -r '[.inUse[].text] | join(" ")'; }
expect "drive 1" "" "$(codes HEADNVME1)"
expect "drive 7" "" "$(codes HEADNVME7)"
expect "the mounted drive" "mounted signature" "$(codes HEADNVME2)"
expect_in "the mounted drive" "/mnt/data" "$(texts HEADNVME2)"
expect_in "the mounted drive" 'ext4 "backup"' "$(texts HEADNVME2)"
for serial in HEADNVME3 HEADNVME4; do
  expect "a drive of the array" "holder signature" "$(codes $serial)"
  expect_in "a drive of the array" "the md array md9" "$(texts $serial)"
  expect_in "a drive of the array" linux_raid_member "$(texts $serial)"
done
expect "the drive of the volume group" "holder signature" "$(codes HEADNVME5)"
expect_in "the drive of the volume group" "the LVM volume theirs-home" "$(texts HEADNVME5)"
expect_in "the drive of the volume group" LVM2_member "$(texts HEADNVME5)"
expect "the partitioned drive" partitions "$(codes HEADNVME6)"
expect_in "the partitioned drive" dos "$(texts HEADNVME6)"
for number in 2 3 5 6; do
  note "drive $number: $(texts "HEADNVME$number")"
done

and_ "exporting one of them is refused for that reason, and changes nothing on it"
export_of() { # NAME SERIAL [HOSTS]
  api POST /api/v1/exports "$(jq -n --arg name "$1" --arg drive "$(drive "$2" | jq -r .id)" --arg address "$address" --argjson hosts "${3:-[]}" '
    {name: $name, driveId: $drive, hosts: $hosts, listeners: [{transport: "tcp", traddr: $address, trsvcid: 4420}]}')"
}
for number in 2 3 4 5 6; do
  expect_in "the refusal" "(POST /api/v1/exports was answered with 409" "$(refused export_of "theirs-$number" "HEADNVME$number")"
done
untouched | diff "$run/before" - || fail "a drive that is somebody's was written to"

when "a drive says that it is no longer reliable"
monitor head qom-set /machine/peripheral/drive7 smart_critical_warning 4 >/dev/null
then_ "it has an alarm that says what to do, and no other drive has one"
alarmed() { api GET '/api/v1/drives?alarm=critical' | jq -e '.items[0]'; }
within 90 "the alarm" alarmed | jq -r '"           \(.serial): \(.health.alarms[0] | "\(.severity) \(.code): \(.text)")"'
expect "drives with alarms" HEADNVME7 "$(api GET '/api/v1/drives?alarm=true' | jq -r '[.items[].serial] | join(" ")')"
expect "alarm" drive.reliability_degraded "$(alarmed | jq -r '.health.alarms[0].code')"
monitor head qom-set /machine/peripheral/drive7 smart_critical_warning 0 >/dev/null

when "a host uses an exported drive and an exported volume, and the drive is pulled"
boot client 0
on client use_initiator
hosts=$(jq -nc --arg nqn "$(on client hostnqn)" --arg id "$(on client cat /var/lib/fairlead/hostid)" '[{nqn: $nqn, hostIdentifier: $id, authentication: {hash: "sha256", dhGroup: "null", bidirectional: false}}]')
answer=$(export_of pulled HEADNVME1 "$hosts")
pulled=$(jq -r .export.id <<<"$answer") pulled_nqn=$(jq -r .export.subsystemNqn <<<"$answer")
secret=$(jq -r '.secrets[0].secret' <<<"$answer")
job "$(jq -r .jobId <<<"$answer")" >/dev/null
answer=$(api POST /api/v1/exports "$(jq -n --arg address "$address" --arg host "$(jq -r '.secrets[0].hostId' <<<"$answer")" '{name: "stays", volume: {name: "stays", sizeBytes: 16777216},
  hosts: [{hostId: $host}], listeners: [{transport: "tcp", traddr: $address, trsvcid: 4420}]}')")
stays=$(jq -r .export.id <<<"$answer") stays_nqn=$(jq -r .export.subsystemNqn <<<"$answer")
job "$(jq -r .jobId <<<"$answer")" >/dev/null
connect() { on client nvme connect -t tcp -a "$address" -s 4420 -n "$1" --dhchap-secret "$secret" --nr-io-queues 1 --reconnect-delay 1 --ctrl-loss-tmo 600; }
connect "$pulled_nqn"
connect "$stays_nqn"
on client <<SH
dd if=/dev/urandom of=/tmp/data bs=1M count=8 status=none
dd if=/tmp/data of=\$(block_device $pulled_nqn 1) bs=1M oflag=direct status=none
nohup fio --name=stays --filename=\$(block_device $stays_nqn 1) --rw=randwrite --bs=4k --direct=1 --ioengine=libaio --iodepth=2 --rate_iops=100 --time_based --runtime=3600 \
  --verify=crc32c --verify_backlog=64 --verify_fatal=1 --output-format=json --output=/tmp/stays.json > /tmp/stays.log 2>&1 & echo \$! > /tmp/stays.pid
nohup fio --name=pulled --filename=\$(block_device $pulled_nqn 1) --offset=16M --size=16M --rw=randwrite --bs=4k --direct=1 --ioengine=libaio --iodepth=2 --rate_iops=50 --time_based --runtime=3600 \
  > /tmp/pulled.log 2>&1 &
SH
controller=$(on client controllers "$stays_nqn")
name_before=$(drive HEADNVME1 | jq -r .deviceName)
first=$(on head pci_address HEADNVME1) second=$(on head pci_address HEADNVME7)
on head bash -c "echo $first > /sys/bus/pci/drivers/nvme/unbind; echo $second > /sys/bus/pci/drivers/nvme/unbind"
then_ "its export says so, the drive is missing, and everything else answers as always"
says_so() { api GET "/api/v1/exports/$pulled" | jq -e '.subsystem.namespaces[0] | select(.state != "READY") | select(.reason.code == "drive.absent")'; }
within 20 "the reason" says_so | jq -r '"           \(.state): \(.reason.text)"'
is_missing() { drive HEADNVME1 | jq -e 'select(.state == "MISSING")'; }
within 30 "the missing drive" is_missing >/dev/null
expect "the other export" READY "$(api GET "/api/v1/exports/$stays" | jq -r .state)"

when "it is put back, after another one has taken its name"
on head bash -c "echo $second > /sys/bus/pci/drivers/nvme/bind"
took_the_name() { on head bash -c "[ \"\$(drive HEADNVME7)\" ]"; }
within 20 "the other drive" took_the_name
on head bash -c "echo $first > /sys/bus/pci/drivers/nvme/bind"
then_ "the right drive is served again"
is_served() { api GET "/api/v1/exports/$pulled" | jq -e 'select(.state == "READY")'; }
within 30 "the export" is_served >/dev/null
path=$(on head bash -c "cat /sys/kernel/config/nvmet/subsystems/$pulled_nqn/namespaces/1/device_path")
expect "what is served" "$(on head drive HEADNVME1)" "$path"
note "the drive was ${name_before}, and is ${path#/dev/} now"
[ "$name_before" != "${path#/dev/}" ] || fail "the names of the drives have not moved, so nothing was shown"
on client bash -c "disconnect $pulled_nqn || true"
connect "$pulled_nqn"
on client bash -ec "test \"\$(dd if=\$(block_device $pulled_nqn 1) bs=1M count=8 iflag=direct status=none | sha256sum)\" = \"\$(sha256sum < /tmp/data)\""

and_ "the host of the other export has noticed nothing"
expect "its controller" "$controller" "$(on client controllers "$stays_nqn")"
on client bash -c 'kill -INT $(cat /tmp/stays.pid)'
ended() { ! on client bash -c 'kill -0 $(cat /tmp/stays.pid) 2>/dev/null'; }
within 60 "the end of its I/O" ended
expect "its I/O errors" 0 "$(on client cat /tmp/stays.json | sed -n '/^{/,$p' | jq '.jobs[0].error')"
