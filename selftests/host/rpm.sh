#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The RPM packages, as Debian's rpmbuild makes them: what is in them, against what
# packaging/install.mk installs, and a module from akmods' source package. Nothing is
# installed: there is no akmods here, nor systemd's macros.
#
# debs: kernel 6.1
# make: code-objects

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$top/build/rpm
version=$(. packaging/sources.bash && sources_version)
daemon=$out/wavecryptd-$version-1.x86_64.rpm
common=$out/wavecrypt-kmod-common-$version-1.noarch.rpm
akmod=$out/akmod-wavecrypt-$version-1.x86_64.rpm
source=usr/src/akmods/wavecrypt-kmod-$version-1.src.rpm

rpmlint_clean()
{
	rpmlint --rpmlintrc packaging/rpm/wavecrypt.rpmlintrc "$out"/*.rpm >"$work/lint" 2>&1 || true
	expect_equal "what rpmlint has to say" '' "$(grep -E ': [EW]: ' "$work/lint" || true)"
	grep -E '^ *5 packages .* 0 errors, 0 warnings' "$work/lint"
}

# The module is akmods' business, and what has it loaded the other package's.
install_elsewhere()
{
	make -s --no-print-directory -C "$out/BUILD/wavecrypt-$version" DESTDIR="$work/tree" \
		PREFIX=/usr -o module -o install-module install
}

# holds RPM FILE...: these with modes and owners, and nothing else but licence, readme
# and build IDs
holds()
{
	diff <(printf '%s\n' "${@:2}" | sort) \
		<(rpm -qp --qf '[%{FILEMODES:perms} %{FILEUSERNAME} %{FILENAMES}\n]' "$1" |
			grep -vE '^d|/usr/share/(licenses|doc)/|/usr/lib/\.build-id/' | sort)
	rpm -qpL "$1" | grep '/COPYING$'
}

daemon_holds()
{
	local files
	install_elsewhere
	gzip "$work"/tree/usr/share/man/man*/*
	mapfile -t files < <(find "$work/tree" -type f -printf '%M root /%P\n')
	holds "$daemon" "${files[@]}"
	grep -c '\.co$' <<<"$(printf '%s\n' "${files[@]}")"
}

# The same as installed, but for programs, which are stripped
daemon_is_the_same()
{
	mkdir "$work/daemon"
	rpm2cpio "$daemon" | (cd "$work/daemon" && cpio --quiet -id)
	rm -rf "$work"/daemon/usr/{lib/.build-id,share/{doc,licenses}}
	find "$work"/{daemon,tree} -path '*/man/*' -name '*.gz' -exec gunzip {} +
	diff -r --exclude=sbin --exclude=bin "$work/tree" "$work/daemon"
	"$work/daemon/usr/sbin/wavecryptctl" --version | grep -F "$version"
}

# A changed configuration is kept, and licences are found.
marked()
{
	expect_equal "configuration" /etc/wavecrypt/wavecryptd.conf "$(rpm -qpc "$daemon")"
	expect_equal "flags of it" cn "$(rpm -qp --qf '[%{FILEFLAGS:fflags} %{FILENAMES}\n]' "$daemon" |
		sed -n 's, /etc/wavecrypt/wavecryptd.conf$,,p')"
}

# With macros of those names, each scriptlet there is one for has it.
scriptlets()
{
	local macro
	for macro in sysusers_create_compat systemd_{post,preun,postun_with_restart}; do
		echo "%$macro() $macro of %{**}"
	done >"$work/macros"
	rpmspec --load "$work/macros" --define "_sourcedir $out/SOURCES" -P \
		"$out/SPECS/wavecrypt.spec" >"$work/spec"
	grep -A1 '^%pre -n wavecryptd$' "$work/spec" |
		grep -x "sysusers_create_compat of $out/SOURCES/wavecrypt.sysusers"
	cmp "$out/SOURCES/wavecrypt.sysusers" packaging/sysusers.conf
	grep -A1 '^%post -n wavecryptd$' "$work/spec" | grep -x "systemd_post of wavecryptd.service"
	grep -A1 '^%preun -n wavecryptd$' "$work/spec" |
		grep -x "systemd_preun of wavecryptd.service wavecrypt-textfile.timer wavecrypt-metrics.socket wavecrypt-textfile.service"
	grep -A1 '^%postun -n wavecryptd$' "$work/spec" |
		grep -x "systemd_postun_with_restart of wavecryptd.service"
}

# removed COUNT: what the package's scriptlet does in $work when so many are left
removed()
{
	rpm -qp --qf '%{POSTUN}' "$daemon" |
		sed -E "s,(^|[ =])/(etc|run|var)/,\1$work/left/\2/,g" | sh -seu "$1"
}

# Links for GPUs, and what was compiled; not what is somebody's own
leaves_nothing()
{
	local dir=$work/left/etc/systemd/system/wavecryptd.service.d
	mkdir -p "$dir" "$work"/left/{run,var/cache}/wavecrypt
	touch "$work/left/var/cache/wavecrypt/kernels" "$dir/mine.conf"
	ln -s /nothing "$dir/wavecryptd-amd.conf"
	removed 1
	[ -L "$dir/wavecryptd-amd.conf" ]
	removed 0
	expect_equal "left" "$dir/mine.conf" "$(find "$work/left" ! -type d)"
	[ ! -e "$work/left/var/cache/wavecrypt" ]
	[ ! -e "$work/left/run/wavecrypt" ]
}

# unpacked_source: of the source package in the akmod, its archive's directory
unpacked_source()
{
	(
		cd "$work"
		rpm2cpio "$akmod" | cpio --quiet -id
		expect_equal "latest" "$(basename "$source")" \
			"$(readlink usr/src/akmods/wavecrypt-kmod.latest)"
		rpm2cpio "$source" | cpio --quiet -id
		tar -xf "wavecrypt-kmod-$version.tar.gz"
	)
}

akmod_holds()
{
	local file
	unpacked_source
	while read -r file; do
		cmp "$file" "$work/wavecrypt-kmod-$version/$file"
	done < <(selftests/lib/tracked --added Kbuild 'driver/*')
}

akmod_requires()
{
	local wanted
	rpm -qp --requires "$akmod" >"$work/requires"
	for wanted in akmods kmodtool "wavecrypt-kmod-common >= $version"; do
		grep -xF "$wanted" "$work/requires"
	done
	rpm -qp --provides "$akmod" | grep -x "wavecrypt-kmod = $version-1"
	rpm -qp --requires "$common" | grep -x "wavecrypt-kmod >= $version"
}

# What akmods does, but for kmodtool, which says where headers and modules are, and
# has a package for what is built.
akmod_builds()
{
	local dir release file
	dir=$(selftests/debs kernel 6.1)
	release=$(cat "$dir/release")
	rpmbuild -ri --nodeps --noclean --define "_topdir $work/akmods" \
		--define "kernel_versions ${release}___$dir/headers" \
		--define "_unpackaged_files_terminate_build 0" \
		--define "kmodinstdir_prefix /lib/modules/" \
		--define "kmodinstdir_postfix /extra/wavecrypt/" "$work/$source"
	file=$(find "$work/akmods/BUILDROOT" -path "*/lib/modules/$release/extra/wavecrypt/wavecrypt.ko")
	modinfo -F vermagic "$file" | grep -F "$release "
	expect_equal "version" "$version" "$(modinfo -F version "$file")"
}

ktap_begin
ktap_test "make rpm" make -s --no-print-directory rpm
ktap_test "rpmlint" rpmlint_clean
ktap_test "wavecryptd holds what make install installs" daemon_holds
ktap_test "and the same of it" daemon_is_the_same
ktap_test "a changed configuration is kept" marked
ktap_test "scriptlets for user and units, given systemd's macros" scriptlets
ktap_test "removed, it leaves nothing that came of it" leaves_nothing
ktap_test "wavecrypt-kmod-common has the module loaded" holds "$common" \
	"-rw-r--r-- root /usr/lib/modules-load.d/wavecrypt.conf"
ktap_test "akmod-wavecrypt holds the module's sources" akmod_holds
ktap_test "and needs what akmods' packages do" akmod_requires
ktap_test "a module for 6.1 from it" akmod_builds
ktap_end
