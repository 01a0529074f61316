#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The Debian packages: what is in them, and DKMS through a package's life and
# its kernels', in a copy of this machine's root that is forgotten afterwards,
# after the newer kernel was booted with it, by a firmware with Secure Boot that DKMS's key
# was enrolled in. What tunnels notice of it is for
# selftests/guest/packages.sh, the unit itself for selftests/host/install.sh.
#
# check: first
# debs: kernel 6.1
# debs: kernel 7.2
# debs: kernel 7.3
# make: deb
# make: tests

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

# On with it in a mount namespace, so that nothing stays mounted
if [ "$(id -u)" -eq 0 ] && [ "${1-}" != --private ]; then
	exec unshare --mount "$0" --private
fi

work=$(mktemp -d)
# What is mounted there is others': it goes first, in use or not, and is never looked into.
trap 'umount --lazy "$work/root" "$work/layer" 2>/dev/null || true
	rm -rf --one-file-system "$work"' EXIT
version=$(. packaging/sources.bash && sources_version)
dkms_deb=build/deb/wavecrypt-dkms_${version}_all.deb
daemon_deb=build/deb/wavecryptd_${version}_amd64.deb
updates=updates/dkms/wavecrypt.ko

declare -A kernel_dir release
for name in 6.1 7.2 7.3; do
	status=0
	kernel_dir[$name]=$(selftests/debs kernel $name) || status=$?
	[ $status -ne 3 ] || { unset "kernel_dir[$name]"; continue; }
	release[$name]=$(cat "${kernel_dir[$name]}/release")
done

lintian_clean()
{
	local said
	said=$(lintian --allow-root --fail-on none --tag-display-limit 0 \
		build/deb/*"_${version}_"*.deb)
	expect_equal "what lintian has to say" '' "$said"
}

# holds DEB FILE...: all of these
holds()
{
	local deb=$1
	shift
	expect_equal "missing" '' "$(comm -23 <(printf '%s\n' "$@" | sort) \
		<(dpkg-deb --fsys-tarfile "$deb" | tar -tf - | sed 's/^\.//' | sort))"
}

dkms_files()
{
	selftests/lib/tracked --added Kbuild 'driver/*' |
		sed "s,^,/usr/src/wavecrypt-$version/,"
	echo "/usr/src/wavecrypt-$version/dkms.conf"
	echo /usr/lib/modules-load.d/wavecrypt.conf
}

daemon_files=(
	/etc/wavecrypt/wavecryptd.conf /lib/systemd/system/wavecryptd.service
	/lib/udev/rules.d/60-wavecrypt.rules /usr/lib/sysusers.d/wavecrypt.conf
	/usr/sbin/wavecryptd /usr/sbin/wavecryptctl /usr/bin/wavecrypt-bench
	/usr/share/man/man8/wavecryptd.8.gz /usr/share/man/man8/wavecryptctl.8.gz
	/usr/share/man/man5/wavecryptd.conf.5.gz
	/lib/systemd/system/wavecrypt-{textfile.service,textfile.timer,metrics.socket,metrics@.service}
	/usr/share/wavecrypt/wavecrypt{.rules.yml,-dashboard.json}
	/usr/share/wavecrypt/wavecryptd-{amd,intel,nvidia}.conf
)

layout=$(selftests/lib/gpu-layout)
read -ra gpus < <(make -npC kernels 2>/dev/null | sed -n 's/^AMDGCN := //p')

# For each of AMD's GPUs, and for all others as OpenCL's source
gpu_code()
{
	local gfx code
	dpkg-deb -x "$daemon_deb" "$work/daemon"
	for gfx in "${gpus[@]}"; do
		code=/usr/lib/wavecrypt/$gfx-v$layout.co
		holds "$daemon_deb" "$code"
		grep -q 'Machine: *AMD GPU' <<<"$(readelf -h "$work/daemon$code")"
	done
	grep -qa '^KERNEL void wavecrypt_batch' "$work/daemon/usr/sbin/wavecryptd"
}

# A copy of /, which sees the kernels' directories where they are here
root_up()
{
	local dir
	mkdir "$work/layer" "$work/root"
	mount -t tmpfs layer "$work/layer"
	mkdir "$work/layer/upper" "$work/layer/work"
	mount -t overlay -o "lowerdir=/,upperdir=$work/layer/upper,workdir=$work/layer/work" \
		root "$work/root"
	for dir in /proc /dev; do
		mount --rbind "$dir" "$work/root$dir"
	done
	mount -t tmpfs run "$work/root/run"
	# What is mounted below / is not in the copy.
	for dir in "${kernel_dir[@]}"; do
		dir=$(realpath "$dir")
		mkdir -p "$work/root$dir"
		mount --bind "$dir" "$work/root$dir"
	done
	rm -rf "$work/root/lib/modules"
	mkdir -p "$work/root/lib/modules" "$work/root/debs"
	cp "$dkms_deb" "$daemon_deb" "$work/root/debs/"
	kernel_unpacked 6.1
}

in_root()
{
	chroot "$work/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}

# kernel_comes NAME: what installing it and its headers does
kernel_comes()
{
	kernel_unpacked "$1"
	in_root run-parts --exit-on-error --arg="${release[$1]}" /etc/kernel/postinst.d
	built_for "$1"
}

kernel_unpacked()
{
	local rel=${release[$1]} dir
	dir=$(realpath "${kernel_dir[$1]}")
	mkdir "$work/root/lib/modules/$rel"
	ln -s "$dir/headers" "$work/root/lib/modules/$rel/build"
	ln -s "$dir/modules/kernel" "$work/root/lib/modules/$rel/kernel"
	cp "$dir"/modules/modules.{builtin,builtin.modinfo,order} "$work/root/lib/modules/$rel/"
}

# built_for NAME: signed, and depmod knows it
built_for()
{
	local rel=${release[$1]} file
	file=$(in_root modinfo -k "$rel" -n wavecrypt)
	expect_equal "module" "/lib/modules/$rel/$updates" "${file%.xz}"
	in_root modinfo -k "$rel" -F vermagic wavecrypt | grep -F "$rel "
	expect_equal "signer" "DKMS module signing key" "$(in_root modinfo -F signer "$file")"
	in_root dkms status | grep "wavecrypt/.*$rel.*: installed"
}

# made_up RELEASE CONFIG...: a kernel's headers, as far as DKMS looks at them
made_up()
{
	local dir=$work/root/lib/modules/$1/build
	mkdir -p "$dir/include"
	printf 'CONFIG_%s=y\n' "${@:2}" >"$dir/.config"
}

# dkms_status RELEASE: of building it for that kernel
dkms_status()
{
	local status=0
	in_root dkms build "wavecrypt/$version" -k "$1" >"$work/dkms" 2>&1 || status=$?
	cat "$work/dkms" >&2
	rm -r "$work/root/lib/modules/$1"
	echo "$status"
}

# 77: it is not to be built, which bookworm's DKMS takes for a failure when a kernel is
# installed, and later ones do not; 10: there was an attempt.
real_time()
{
	local lock=PREEMPT_RT_NEEDS_BH_LOCK newer=7.2.12+deb13-rt-amd64
	made_up "$newer" SMP PREEMPT_RT
	expect_equal "7.2, real time" 77 "$(dkms_status "$newer")"
	made_up 6.18.1-rt PREEMPT_RT
	expect_equal "6.18, real time" 77 "$(dkms_status 6.18.1-rt)"
	made_up 6.18.1-rt PREEMPT_RT "$lock"
	expect_equal "6.18, real time, one at a time" 10 "$(dkms_status 6.18.1-rt)"
	made_up 6.18.1 SMP
	expect_equal 6.18 10 "$(dkms_status 6.18.1)"
	made_up 6.12.1-rt PREEMPT_RT
	expect_equal "6.12, real time" 10 "$(dkms_status 6.12.1-rt)"
}

# What operations.rst has for a kernel that it does not compile for
way_out()
{
	local newer=9.9.9 command
	command=$(sed -nE 's/^ *# (sed .*dkms\.conf)$/\1/p' Documentation/operations.rst)
	made_up "$newer" SMP
	! in_root run-parts --exit-on-error --arg="$newer" /etc/kernel/postinst.d || return 1
	in_root cp -a "/usr/src/wavecrypt-$version/dkms.conf" /
	in_root sh -c "$command"
	in_root run-parts --exit-on-error --arg="$newer" /etc/kernel/postinst.d
	in_root mv /dkms.conf "/usr/src/wavecrypt-$version/"
	rm -r "$work/root/lib/modules/$newer"
}

upgrade()
{
	selftests/lib/older-deb "$dkms_deb" 0.0 "$work/root/debs/old.deb"
	in_root dpkg -i /debs/old.deb
	built_for 6.1
	in_root dkms status | grep '^wavecrypt/0.0'
	in_root dpkg -i "/debs/$(basename "$daemon_deb")" "/debs/$(basename "$dkms_deb")"
	expect_equal "versions that DKMS knows" "wavecrypt/$version" \
		"$(in_root dkms status | sed -n 's,^\(wavecrypt/[^,:]*\).*,\1,p' | sort -u)"
	[ ! -e "$work/root/usr/src/wavecrypt-0.0" ]
	built_for 6.1
}

# others_sign NAME: the module as nobody has signed it, and as anybody may
others_sign()
{
	local file dir=$work/root/others
	file=$work/root$(in_root modinfo -k "${release[$1]}" -n wavecrypt)
	mkdir -p "$dir"
	xz --decompress --force --stdout "$file" >"$dir/module"
	objcopy "$dir/module" "$dir/unsigned.ko"
	cp "$dir/unsigned.ko" "$dir/anybody.ko"
	openssl req -new -x509 -nodes -subj "/CN=DKMS module signing key" -newkey rsa:2048 \
		-keyout "$dir/key" -outform DER -out "$dir/certificate"
	"${kernel_dir[$1]}/headers/scripts/sign-file" sha256 "$dir/key" "$dir/certificate" \
		"$dir/anybody.ko"
	expect_equal "signers" " DKMS module signing key" \
		"$(modinfo -F signer "$dir/unsigned.ko") $(modinfo -F signer "$dir/anybody.ko")"
}

# The machine that has all this, with that kernel, whose owner trusts DKMS's key
boots()
{
	selftests/vm/run --kernel "$1" --no-self-tests --secure-boot "$work/root/var/lib/dkms/mok.pub" \
		--over "$work/layer/upper" -- selftests/guest/packages.sh --booted
}

# Installed, the tool finds the code for each of them.
doctor_finds_code()
{
	local machine=$work/root/machine node gfx
	mkdir -p "$machine/sys/module/amdgpu" "$machine/dev"
	touch "$machine/dev/kfd"
	for gfx in "${gpus[@]}"; do
		node=$machine/sys/class/kfd/kfd/topology/nodes/$gfx
		mkdir -p "$node"
		# gfx90c is 90012 to the kernel.
		printf 'simd_count 8\ngfx_target_version %d%02d%02d\n' \
			"${gfx:3:-2}" "0x${gfx: -2:1}" "0x${gfx: -1}" >"$node/properties"
	done
	in_root wavecryptctl --root /machine doctor >"$work/doctor" || true
	cat "$work/doctor"
	for gfx in "${gpus[@]}"; do
		grep "$gfx, for which there is /usr/lib/wavecrypt/$gfx-v$layout.co" "$work/doctor"
	done
}

purge()
{
	in_root systemctl enable wavecrypt-textfile.timer wavecrypt-metrics.socket
	in_root wavecryptctl gpu enable nvidia
	[ -L "$work/root/etc/systemd/system/wavecryptd.service.d/wavecryptd-nvidia.conf" ]
	in_root dpkg --purge wavecryptd wavecrypt-dkms
	find "$work/root"/{etc,lib/modules,lib/systemd,var/lib/dkms,usr/src,usr/lib} \
		-name '*wavecrypt*' | tee "$work/left"
	[ ! -s "$work/left" ]
}

ktap_begin
ktap_test "lintian" lintian_clean
mapfile -t files < <(dkms_files)
ktap_test "wavecrypt-dkms holds the module's sources" holds "$dkms_deb" "${files[@]}"
ktap_test "wavecryptd holds programs, service and manuals" holds "$daemon_deb" "${daemon_files[@]}"
ktap_test "wavecryptd holds the GPUs' code" gpu_code
if [ "$(id -u)" -ne 0 ]; then
	ktap_skip "DKMS" "needs root, for a copy of this machine's root"
	ktap_end
fi
ktap_test "a copy of this machine's root" root_up
ktap_test "install and upgrade build it for the kernel there is" upgrade
for name in 7.2 7.3; do
	if [ -n "${kernel_dir[$name]-}" ]; then
		ktap_test "a kernel upgrade builds it for $name" kernel_comes $name
	else
		ktap_skip "a kernel upgrade builds it for $name" "the Debian archive carries no $name"
	fi
done
ktap_test "and leaves 6.1's" built_for 6.1
if [ -n "${kernel_dir[7.2]-}" ]; then
	ktap_test "the same module for 7.2, not signed or by another key" others_sign 7.2
	ktap_test "7.2 boots with it and Secure Boot: loaded, served" boots 7.2
else
	ktap_skip "7.2 boots with it" "the Debian archive carries no 7.2"
fi
ktap_test "kernels for real time that it cannot be for are left alone" real_time
ktap_test "one that it does not compile for can be installed without it" way_out
ktap_test "wavecryptctl doctor finds the GPUs' code" doctor_finds_code
ktap_test "purge leaves nothing" purge
ktap_end
