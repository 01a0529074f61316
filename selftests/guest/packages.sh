#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The Debian packages' life on a gateway, under a real systemd: installed,
# upgraded with tunnels up, the module exchanged as the manual says, built for a
# newer kernel that comes with tunnels up, removed with tunnels up, purged. Not a
# packet is lost in all of it.
#
# packages.sh --booted: a newer kernel, booted with what was installed, where modules
# have to be signed; for selftests/host/packages.sh, where DKMS really compiles and signs.
#
# check: first
# debs: kernel 6.12
# make: deb
# make: module KERNEL=6.12
# uml: 7.2-full --no-module --timeout 900
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
bin=$top/build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"
# shellcheck source=systemd.bash
. "$here/systemd.bash"

# This kernel, as selftests/debs has it, and a newer one
# shellcheck disable=SC1091,SC2154 # of what run wrote
kernel=$(. "${WAVECRYPT_VM_RUN:?}/what" && echo "$kernel_dir")
newer_kernel=$("$top/selftests/debs" kernel 6.12)
newer=$(cat "$newer_kernel/release")
version=$(cd "$top" && . packaging/sources.bash && sources_version)
old_version=0.0
# In that order, so that there is no module when the service is first started
new=("$top/build/deb/wavecryptd_${version}_amd64.deb"
	"$top/build/deb/wavecrypt-dkms_${version}_all.deb")
old=(/run/old/wavecryptd.deb /run/old/wavecrypt-dkms.deb)

tunnel_add 1 tunnel 4 authenc 128 plain
tunnel_add 2 transport 6 rfc4106 256 plain

# SAs after rekeying are others.
generation=0
spi()
{
	printf '0x%x\n' $((0x1000 + 0x100 * generation + 2 * $1 + ${host[$2]}))
}

# This kernel's modules, where DKMS can add to them. Those that are there have
# been loaded: depmod would take minutes to read them.
modules_writable()
{
	modprobe --all --quiet authenc seqiv echainiv aesni_intel ghash_clmulni_intel sha1_ssse3 \
		xfrm_user esp4 esp6 crypto_user veth ccm ctr gcm drbg || :
	# What an SA takes besides is loaded for it; 6.1 finds hmac(sha1) the second time.
	sa_add 1 left | ip -batch - || sa_add 1 left | ip -batch -
	sa_add 2 left | ip -batch -
	ip xfrm state flush
	mount -t tmpfs modules /lib/modules
	image_unpacked "$kernel"
	headers_unpacked "$kernel"
}

# What a kernel's packages bring, as far as DKMS is concerned
image_unpacked()
{
	local dir
	dir=/lib/modules/$(cat "$1/release")
	mkdir "$dir"
	cp "$1"/modules/modules.{builtin,builtin.modinfo,order} "$dir/"
}

headers_unpacked()
{
	ln -s "$1/headers" "/lib/modules/$(cat "$1/release")/build"
}

# What takes minutes here, too, has been compiled before; all else is DKMS's. The
# older release is the same but for what it calls itself.
compiled()
{
	local ko=$top/build/$WAVECRYPT_VM_KERNEL/driver/wavecrypt.ko release
	release=$(uname -r)
	mkdir -p /run/compiled/{"$version/$release","$version/$newer","$old_version/$release"}
	cp "$ko" "/run/compiled/$version/$release/"
	cp "$top/build/6.12/driver/wavecrypt.ko" "/run/compiled/$version/$newer/"
	perl -pe "s/\\0version=\\K\Q$version\E/$old_version/" "$ko" \
		>"/run/compiled/$old_version/$release/wavecrypt.ko"
	expect_equal "its version" "$old_version" \
		"$(modinfo -F version "/run/compiled/$old_version/$release/wavecrypt.ko")"
	# shellcheck disable=SC2016 # for DKMS
	printf '%s\n' 'MAKE[0]="cp /run/compiled/$PACKAGE_VERSION/$kernelver/wavecrypt.ko driver"' \
		CLEAN=true >/etc/dkms/wavecrypt.conf
}

# dpkg reads the lists of all packages' files, each time: let there be no more than
# ours depend on. Nor is there an index of manuals to bring up to date then.
fewer_packages()
{
	local needed
	needed=" dpkg $(for deb in "${new[@]}"; do
		dpkg-deb -f "$deb" Depends
	done | tr -s ' ,|\n' ' ')"
	awk -v needed="$needed" 'BEGIN { RS = ""; ORS = "\n\n" }
		index(needed, " " $2 " ")' /var/lib/dpkg/status >/run/status
	mv /run/status /var/lib/dpkg/status
}

older_packages()
{
	mkdir /run/old
	"$here/../lib/older-deb" "${new[0]}" "$old_version" "${old[0]}"
	"$here/../lib/older-deb" "${new[1]}" "$old_version" "${old[1]}"
	rm -f /usr/sbin/policy-rc.d
	service_settings WatchdogSec=60
	unit_settings wavecrypt-metrics.socket
	unit_settings wavecrypt-textfile.timer
	unit_settings wavecrypt-textfile.service Service TimeoutStartSec=60
}

# as_root COMMAND...: without a terminal
as_root()
{
	in_systemd env -i PATH="$PATH" HOME=/root \
		DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
}

# package ACTION ARGUMENT...: and what it says
package()
{
	as_root dpkg --force-unsafe-io "$@" >/run/said 2>&1 || {
		cat /run/said
		return 1
	}
	cat /run/said
}

loaded()
{
	cat /sys/module/wavecrypt/version
}

# A module for this kernel is built, loaded and served, without a boot.
install()
{
	package -i "${old[@]}"
	wait_until 60 live
	expect_equal "the module's version" "$old_version" "$(loaded)"
	wavecryptctl status | sed -n 1p | grep "^Ready"
}

# undisturbed COMMAND...: packets through both tunnels, both ways, all of which
# arrive, while COMMAND runs
undisturbed()
{
	local n pids=() status=0
	for n in 1 2; do
		"$bin/numbered" --seconds 3600 --rate 10 --sizes 100-1200 \
			left "$(inner "$n" left)" right "$(inner "$n" right)" >"/run/numbered.$n" 2>&1 &
		pids+=($!)
	done
	"$@" &
	wait $! || status=$?
	# And a while after
	sleep 1
	kill "${pids[@]}"
	wait "${pids[@]}" || true
	cat /run/numbered.*
	[ "$status" -eq 0 ]
	# Those of two SAs can overtake each other when one follows the other.
	expect_equal "directions without a loss" 4 \
		"$(cat /run/numbered.* | grep -cE ' 0 lost, 0 doubled, .* 0 changed')"
	no_xfrm_errors
}

offloaded()
{
	cat "$sysfs"/*.{encrypt,decrypt}/requests_offloaded | awk '{ n += $1 } END { print n }'
}

# served: the helper gets packets
served()
{
	local before
	before=$(offloaded)
	wait_until 20 eval "[ \$(offloaded) -gt $((before + 20)) ]"
}

tunnels()
{
	gateways_up
	sas_add left
	sas_add right
	everything_offloaded
	undisturbed served
}

everything_offloaded()
{
	set_mode offload
	# Emulation is slow.
	echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
}

# The helper is another one, the module still the same, which is said.
upgraded()
{
	local helper
	helper=$(cat "$sysfs/helper_pid")
	served
	package -i "${new[@]}"
	grep -F "wavecrypt $old_version stays loaded, and tunnels stay up. $version is used" /run/said
	wait_until 60 replaced "$helper"
	expect_equal "the module's version" "$old_version" "$(loaded)"
	expect_equal "the module on disk" "$version" "$(modinfo -F version wavecrypt)"
	served
	{ at left wavecryptctl doctor || true; } |
		grep -E "^warning +module +loaded is version $old_version, this tool $version"
}

# sas_delete END GENERATION: the SAs that this end of each, from or to, has had
sas_delete()
{
	local generation=$2 n from side
	for n in "${!tunnel_mode[@]}"; do
		for from in left right; do
			[ "$1" = from ] && side=$from || side=${other[$from]}
			ip -n "$side" xfrm state delete src "$(outer "$n" "$from")" \
				dst "$(outer "$n" "${other[$from]}")" proto esp \
				spi "$(spi "$n" "$from")"
		done
	done
}

# passed END GENERATION: packets of each SA, as this end of it has counted them
passed()
{
	local generation=$2 n from side
	for n in "${!tunnel_mode[@]}"; do
		for from in left right; do
			[ "$1" = from ] && side=$from || side=${other[$from]}
			sa_packets "$n" "$side" "$from"
		done
	done
}

# have_arrived SENT GENERATION: by all those SAs
have_arrived()
{
	[ -n "$1" ] && [ "$(passed to "$2")" = "$1" ]
}

# New SAs at both ends before any packet uses one; what IKE does
rekey()
{
	local n from side sent
	generation=$((generation + 1))
	for n in "${!tunnel_mode[@]}"; do
		for from in left right; do
			for side in "${other[$from]}" "$from"; do
				sa_add "$n" "$from" | ip -n "$side" -batch -
			done
		done
	done
	# The newer one is preferred, by the second.
	sleep 2
	sent=$(passed from $((generation - 1)))
	sas_delete from $((generation - 1))
	# What is under way arrives.
	wait_until 60 have_arrived "$sent" $((generation - 1))
	sas_delete to $((generation - 1))
}

# As UPGRADING in wavecryptctl(8) has it
exchanged()
{
	wavecryptctl retire
	rekey
	systemctl stop wavecryptd
	wait_until 120 rmmod wavecrypt
	systemctl start wavecryptd
	wait_until 60 live
	expect_equal "the module's version" "$version" "$(loaded)"
	everything_offloaded
	rekey
	served
	at left wavecryptctl status | sed -n 1p | grep -E '^(Accelerated|Ready: no traffic)'
}

# hooks DIR ARGUMENT...: those of DKMS, as kernels' packages run them
hooks()
{
	local dir=$1
	shift
	as_root run-parts --report --exit-on-error --regex='^dkms$' "${@/#/--arg=}" "$dir"
}

# The image alone is of no use to DKMS, nor does it fail for that; with the headers the
# module is there for the next boot. What runs notices nothing.
kernel_upgraded()
{
	local helper
	helper=$(cat "$sysfs/helper_pid")
	served
	image_unpacked "$newer_kernel"
	hooks /etc/kernel/postinst.d "$newer" "/boot/vmlinuz-$newer"
	headers_unpacked "$newer_kernel"
	hooks /etc/kernel/header_postinst.d "$newer"
	expect_equal "the module for it" "$newer" \
		"$(modinfo -k "$newer" -F vermagic wavecrypt | cut -d' ' -f1)"
	expect_equal "its version" "$version" "$(modinfo -k "$newer" -F version wavecrypt)"
	expect_equal "the helper" "$helper" "$(cat "$sysfs/helper_pid")"
	served
}

# The module stays with its SAs, and is served until the helper goes, too.
removed()
{
	local written=/var/lib/prometheus/node-exporter/wavecrypt.prom
	served
	mkdir -p "${written%/*}"
	systemctl enable --now wavecrypt-textfile.timer wavecrypt-metrics.socket
	wait_until 60 [ -s "$written" ]
	package -r wavecrypt-dkms
	grep "wavecrypt is in use and stays loaded" /run/said
	wait_until 60 live
	served
	package -r wavecryptd
	expect_equal "the module's state" none "$(state)"
	expect_equal "what is left of it" '' "$(find /lib/modules -name 'wavecrypt.ko*')"
	ls -l "${written%/*}"
	[ ! -e "$written" ]
	systemctl is-active wavecrypt-textfile.timer wavecrypt-metrics.socket >/run/said || :
	expect_equal "units" "inactive inactive" "$(xargs </run/said)"
}

# With no SA the module can go, too.
purged()
{
	gateways_down
	module_unload
	mkdir -p /var/cache/wavecrypt/kernels
	package --purge wavecryptd wavecrypt-dkms
	expect_equal "what is left" '' "$(find /etc /var/lib/dkms /var/cache /usr/src /usr/lib/systemd \
		/lib/modules /run/wavecrypt -name '*wavecrypt*' ! -path /etc/dkms/wavecrypt.conf)"
}

# Only what is signed by a key that was enrolled is loaded.
locked_down()
{
	dmesg | grep -F "Kernel is locked down from EFI Secure Boot"
	mount -t securityfs securityfs /sys/kernel/security
	grep -F "none [integrity] confidentiality" /sys/kernel/security/lockdown
}

# refused FILE AS: by the kernel, which says what it is; and doctor says what to do
refused()
{
	insmod "$1" 2>/run/said || true
	grep -F "Key was rejected by service" /run/said
	dmesg | grep -i "loading of $2 is rejected"
	[ ! -e /sys/module/wavecrypt ]
	{ wavecryptctl doctor || true; } | tee /run/said
	grep -F "mokutil --import /var/lib/dkms/mok.pub" /run/said
}

# The module is loaded before any SA is made, the helper started for it.
booted()
{
	local release
	release=$(cat "$kernel/release")
	expect_equal "the kernel" "$release" "$(uname -r)"
	expect_equal "where the module is" "/lib/modules/$release/updates/dkms" \
		"$(dirname "$(modinfo -n wavecrypt)")"
	systemctl start systemd-modules-load || {
		in_systemd journalctl --no-pager -o cat -u systemd-modules-load
		return 1
	}
	expect_equal "the module's version" "$version" "$(loaded)"
	wait_until 60 live
}

ktap_begin
quick_starts
if [ "${1-}" = --booted ]; then
	service_settings WatchdogSec=60
	ktap_test "systemd and udev" systemd_up
	ktap_test "Secure Boot: the kernel is locked down" locked_down
	ktap_test "Secure Boot: a module that nobody has signed is refused" \
		refused /others/unsigned.ko "unsigned module"
	ktap_test "Secure Boot: a module that anybody has signed is refused" \
		refused /others/anybody.ko "module with unavailable key"
	ktap_test "module, signed by DKMS, and helper" booted
	ktap_test "tunnels" tunnels
	ktap_end
fi
ktap_test "this kernel's modules" modules_writable
ktap_test "systemd and udev" systemd_up
ktap_test "modules of two releases" compiled
ktap_test "fewer packages" fewer_packages
ktap_test "packages of two releases" older_packages
ktap_test "install: built, loaded, served" install
ktap_test "tunnels" tunnels
ktap_test "upgrade with tunnels up" undisturbed upgraded
ktap_test "the module is exchanged with tunnels up" undisturbed exchanged
ktap_test "kernel upgrade with tunnels up" undisturbed kernel_upgraded
ktap_test "remove with tunnels up" undisturbed removed
ktap_test "purge" purged
ktap_end
