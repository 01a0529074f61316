#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# make install into a directory, and make uninstall of it again
#
# debs: kernel 6.1
# make: code-objects

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

dest=$(mktemp -d)
# For another place than that of what other suites run meanwhile
built=$(mktemp -d)
trap 'rm -rf "$dest" "$built"' EXIT
prefix=/opt/wavecrypt
unit=$dest$prefix/lib/systemd/system/wavecryptd.service
conf=$dest/etc/wavecrypt/wavecryptd.conf
layout=$(selftests/lib/gpu-layout)

build()
{
	make -s --no-print-directory KERNEL=6.1 DESTDIR="$dest" PREFIX="$prefix" \
		BUILD="$built" MODDIR="$top/build/6.1" "$@"
}

# What does not name the place need not be built again.
all()
{
	mkdir "$built/bench"
	cp -a build/helperd build/code-objects "$built/"
	[ ! -e build/bench/loopback ] || cp -a build/bench/loopback "$built/bench/"
	build all
	touch "$built/all"
}

# Who installs may be root, and who built and will clean not.
install()
{
	build install
	expect_equal "what is built anew" '' \
		"$(find "$built" "$top/build/6.1/driver" -type f -newer "$built/all")"
}

# files FILE...: are there, and not empty, with nobody but root to write them
files()
{
	local file
	for file in "$@"; do
		[ -s "$dest$file" ] || { echo "no $file"; return 1; }
		[ -z "$(find "$dest$file" -perm /022)" ] || { echo "$file: others may write"; return 1; }
	done
}

programs_run()
{
	local name
	for name in wavecryptd wavecryptctl; do
		"$dest$prefix/sbin/$name" --version
	done
	"$dest$prefix/sbin/wavecryptd" --config "$conf" --test-config
	"$dest$prefix/bin/wavecrypt-bench" --help >/dev/null
}

# What the CPU does instead is no figure of a GPU.
absent_gpu()
{
	local backend status
	for backend in opencl hsa; do
		status=0
		OCL_ICD_VENDORS=/nothing LD_LIBRARY_PATH=/nothing \
			"$dest$prefix/bin/wavecrypt-bench" --backend "$backend" --time 0.1 --warm-up 0 \
			>"$built/said" 2>"$built/log" || status=$?
		cat "$built/said" "$built/log"
		expect_equal "$backend, exit status" 69 "$status"
		grep -x '\.B 69' "$dest$prefix/share/man/man1/wavecrypt-bench.1"
		[ ! -s "$built/said" ]
		grep "^wavecrypt-bench: backend $backend: auto: nothing of it can be measured" "$built/log"
	done
}

# Which workers there are is a setting like any other.
bench_workers()
{
	local how
	for how in "--workers 2" "--set workers=2"; do
		# shellcheck disable=SC2086 # two words
		"$dest$prefix/bin/wavecrypt-bench" --queues 2 $how --time 0.1 --warm-up 0 --json |
			tee "$built/said"
		grep -q '"workers":2,' "$built/said"
	done
}

# The units that ours names are this machine's own.
unit_verifies()
{
	sed "s,=$prefix,=$dest$prefix," "$unit" >"$dest/wavecryptd.service"
	systemd-analyze verify --man=no "$dest/wavecryptd.service" >"$dest/verify" 2>&1 || {
		cat "$dest/verify"
		return 1
	}
	expect_equal "what systemd has to say" '' "$(grep wavecrypt "$dest/verify" || true)"
	rm "$dest/wavecryptd.service" "$dest/verify"
	grep -qx "ExecStart=$prefix/sbin/wavecryptd --foreground" "$unit"
	! grep -n '@[A-Z]*@' "$unit"
}

drop_ins_verify()
{
	local maker
	for maker in amd intel nvidia; do
		mkdir -p "$dest/etc/systemd/system"
		cp "$unit" "$dest/etc/systemd/system/"
		"$dest$prefix/sbin/wavecryptctl" --root "$dest" gpu enable "$maker" >"$dest/verify"
		grep -x "$maker .*; the daemon's unit allows it" "$dest/verify" || {
			cat "$dest/verify"
			return 1
		}
		sed "s,=$prefix,=$dest$prefix," "$unit" >"$dest/wavecryptd.service"
		mkdir "$dest/wavecryptd.service.d"
		cp "$dest$prefix/share/wavecrypt/wavecryptd-$maker.conf" "$dest/wavecryptd.service.d/"
		systemd-analyze verify --man=no "$dest/wavecryptd.service" >"$dest/verify" 2>&1 || {
			cat "$dest/verify"
			return 1
		}
		expect_equal "what systemd has to say of $maker" '' \
			"$(grep wavecrypt "$dest/verify" || true)"
		rm -r "$dest"/etc/systemd "$dest"/wavecryptd.service{,.d} "$dest/verify"
	done
}

# drivers_first MAKER MODULE...: systemd looks up what DeviceAllow= names when the unit starts.
drivers_first()
{
	local name drop_in=$dest$prefix/share/wavecrypt/wavecryptd-$1.conf
	for name in "${@:2}"; do
		grep -E "^Wants=.*\bmodprobe@$name\.service" "$drop_in"
		grep -E "^After=.*\bmodprobe@$name\.service" "$drop_in"
	done
}

# So do those of monitoring, of which each is off unless somebody enables it.
monitoring_verifies()
{
	local from=$dest$prefix/lib/systemd/system unit
	mkdir "$dest/units"
	for unit in wavecrypt-textfile.{service,timer} wavecrypt-metrics.socket \
			wavecrypt-metrics@.service; do
		! grep -n '@[A-Z]*@' "$from/$unit" || return 1
		[ -s "$from/$unit" ]
		sed "s,$prefix/sbin,$dest$prefix/sbin," "$from/$unit" >"$dest/units/$unit"
	done
	SYSTEMD_UNIT_PATH=$dest/units: systemd-analyze verify --man=no \
		"$dest"/units/wavecrypt-{textfile.timer,textfile.service,metrics.socket} \
		"$dest/units/wavecrypt-metrics@x.service" >"$dest/verify" 2>&1 || {
		cat "$dest/verify"
		return 1
	}
	expect_equal "what systemd has to say" '' "$(grep wavecrypt "$dest/verify" || true)"
	rm -r "$dest/units" "$dest/verify"
}

# Of systemd's ten points of exposure, where ten is no protection at all.
unit_is_tight()
{
	systemd-analyze security --offline=yes --no-pager --threshold=15 "$unit"
}

default_config_has_every_setting()
{
	local name
	while read -r name; do
		grep -qE "^#$name = " "$conf" || [ "$name" = user ] || {
			echo "$name is not there"
			return 1
		}
	done < <(sed -n 's/^\tSETTING("\([^"]*\)".*/\1/p' helperd/daemon/config.c)
	grep -qE "^#user = " "$conf"
	# As it says, commented out or not; what it names has to be there.
	sed "s/^#\([a-z-]* = \)/\1/; /^user/d; s,^hsa-code = .*,hsa-code = $dest$prefix/lib/wavecrypt," "$conf" >"$dest/all"
	"$dest$prefix/sbin/wavecryptd" --config "$dest/all" --test-config
	rm "$dest/all"
}

keeps_changed_config()
{
	echo "log-level = debug" >>"$conf"
	build install
	tail -n 1 "$conf" | grep -x "log-level = debug"
	build uninstall >"$dest.out"
	grep "kept.*wavecryptd.conf" "$dest.out"
	rm "$dest.out"
	expect_equal "what is left" "$conf" "$(find "$dest" -type f)"
	rm "$conf"
}

# The same as of any package, which would not be asked about else.
config_is_the_packages()
{
	cmp helperd/wavecryptd.conf "$conf"
}

# with_systemctl ARGUMENT...: as where systemd runs, but it only notes what it is told
with_systemctl()
{
	local name
	mkdir -p "$built/bin"
	for name in systemctl udevadm rmmod depmod; do
		printf '#!/bin/sh\necho "%s $*" >>%s/told\n' "$name" "$built" >"$built/bin/$name"
		chmod +x "$built/bin/$name"
	done
	[ ! -e "$built/in-use" ] || echo "exit 1" >>"$built/bin/rmmod"
	rm -f "$built/told"
	PATH=$built/bin:$PATH build here= systemd= "$@"
	cat "$built/told"
}

# What has the same name and is a package's stays as it is, and takes over.
beside_packages()
{
	local link=$dest/etc/systemd/system/wavecryptd.service.d/wavecryptd-nvidia.conf
	local written=$dest/var/lib/prometheus/node-exporter/wavecrypt.prom
	build install
	mkdir -p "$dest"/usr/{lib/systemd/system,share/wavecrypt} "$dest/etc/systemd/system" \
		"${written%/*}" "$dest/sys/module/wavecrypt"
	touch "$dest/usr/lib/systemd/system/wavecryptd.service" \
		"$dest/usr/share/wavecrypt/wavecryptd-nvidia.conf" "$written"
	"$dest$prefix/sbin/wavecryptctl" --root "$dest" gpu enable nvidia >/dev/null
	with_systemctl uninstall
	! grep -E 'disable|stop|rmmod|udevadm' "$built/told" || return 1
	grep '^systemctl try-restart wavecryptd.service' "$built/told"
	[ -e "$written" ]
	[ -e "$conf" ]
	expect_equal "drop-in" "$dest/usr/share/wavecrypt/wavecryptd-nvidia.conf" "$(realpath "$link")"
	rm -r "${dest:?}"/{usr,var,sys,etc}
}

# Without a word it would stay behind.
module_in_use()
{
	mkdir -p "$dest/sys/module/wavecrypt"
	touch "$built/in-use"
	# Not the tool itself, which would turn to the kernel that runs
	mkdir -p "$dest$prefix/sbin"
	printf '#!/bin/sh\necho "wavecryptctl $*"\n' >"$dest$prefix/sbin/wavecryptctl"
	chmod +x "$dest$prefix/sbin/wavecryptctl"
	with_systemctl uninstall | tee "$built/said"
	rm -r "$dest/sys" "$built/in-use"
	grep '^wavecrypt is in use and stays loaded' "$built/said"
	# For SAs that are made from now on
	grep '^wavecryptctl retire' "$built/said"
}

leaves_nothing()
{
	build install
	mkdir -p "$dest/etc/systemd/system"
	"$dest$prefix/sbin/wavecryptctl" --root "$dest" gpu enable nvidia >/dev/null
	[ -L "$dest/etc/systemd/system/wavecryptd.service.d/wavecryptd-nvidia.conf" ]
	# Of a kernel whose headers are gone; and what the daemon has compiled for a GPU
	mkdir -p "$dest/lib/modules/other/updates" "$dest/var/cache/wavecrypt" \
		"$dest"/{sys/module,run}/wavecrypt "$dest/run/udev"
	cp "$dest"/lib/modules/*/updates/wavecrypt.ko "$dest/lib/modules/other/updates/"
	touch "$dest/var/cache/wavecrypt/kernels" "$dest/run/udev/control"
	with_systemctl uninstall KERNEL= KDIR=/nothing 2>"$built/errors"
	rm "$dest/run/udev/control"
	cat "$built/errors"
	! grep utsrelease "$built/errors" || return 1
	grep '^systemctl disable --now wavecryptd.service' "$built/told"
	grep '^udevadm control --reload' "$built/told"
	grep '^rmmod wavecrypt' "$built/told"
	find "$dest" ! -type d
	[ -z "$(find "$dest" ! -type d)" ]
	[ ! -e "$dest/etc/wavecrypt" ]
	[ ! -e "$dest/run/wavecrypt" ]
	[ ! -e "$dest/etc/systemd/system/wavecryptd.service.d" ]
}

ktap_begin
ktap_test "all that there is to install is built" all
ktap_test "install, which builds nothing" install
ktap_test "module" files "/lib/modules/$(cat "$(selftests/debs kernel 6.1)/release")/updates/wavecrypt.ko"
ktap_test "programs" files $prefix/{sbin/wavecryptd,sbin/wavecryptctl,bin/wavecrypt-bench}
ktap_test "manuals" files $prefix/share/man/{man8/wavecryptd.8,man8/wavecryptctl.8,man5/wavecryptd.conf.5}
ktap_test "completion" files $prefix/share/bash-completion/completions/{wavecryptctl,wavecryptd}
ktap_test "tracing scripts" files $prefix/share/wavecrypt/wavecrypt-{latency,batches}.bt
ktap_test "service" files /etc/wavecrypt/wavecryptd.conf \
	$prefix/lib/{systemd/system/wavecryptd.service,udev/rules.d/60-wavecrypt.rules} \
	$prefix/lib/{sysusers.d,modules-load.d}/wavecrypt.conf
ktap_test "monitoring" files \
	$prefix/lib/systemd/system/wavecrypt-{textfile.service,textfile.timer,metrics.socket,metrics@.service} \
	$prefix/share/wavecrypt/wavecrypt{.rules.yml,-dashboard.json}
ktap_test "what the unit has to allow for GPUs" files \
	$prefix/share/wavecrypt/wavecryptd-{amd,intel,nvidia}.conf
ktap_test "AMD's driver is loaded before the daemon starts" drivers_first amd amdgpu
ktap_test "NVIDIA's" drivers_first nvidia nvidia nvidia_uvm
ktap_test "Intel's" drivers_first intel i915 xe
ktap_test "the code of AMD's GPUs" files \
	$prefix/lib/wavecrypt/gfx{801,803,902,90c,1035,1036,1103,1150,1151}-v"$layout".co
ktap_test "what is installed runs" programs_run
ktap_test "wavecrypt-bench has the workers that are set" bench_workers
ktap_test "no GPU, no figure of one" absent_gpu
ktap_test "the default configuration has every setting" default_config_has_every_setting
ktap_test "and is that of packages" config_is_the_packages
if command -v systemd-analyze >/dev/null; then
	ktap_test "the unit verifies" unit_verifies
	ktap_test "the unit is tight" unit_is_tight
	ktap_test "with each drop-in for GPUs it verifies" drop_ins_verify
	ktap_test "units for monitoring verify" monitoring_verifies
	ktap_test "the user can be made" systemd-sysusers --dry-run "$dest$prefix/lib/sysusers.d/wavecrypt.conf"
else
	ktap_skip "the unit verifies" "no systemd-analyze here"
fi
ktap_test "uninstall keeps a configuration that was changed" keeps_changed_config
ktap_test "uninstall leaves a package what is its own" beside_packages
ktap_test "uninstall says that the module is in use" module_in_use
ktap_test "uninstall leaves nothing else" leaves_nothing
ktap_end
