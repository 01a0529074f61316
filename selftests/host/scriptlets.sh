#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What the packages' scripts do with module and units; neither is there, nor is anything
# installed.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
debian=packaging/debian
mkdir -p "$work/bin"

# command_is NAME: what standard input says
command_is()
{
	{
		echo '#!/bin/sh'
		echo "cd '$work' && echo \"$1 \$*\" >>told"
		cat -
	} >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

command_is rmmod <<<'[ ! -e in-use ] && rmdir sys/module/wavecrypt'
command_is systemctl <<'END'
case $* in
"--quiet is-active wavecryptd.service")	[ -e active ] ;;
"stop wavecryptd.service")		rm -f active ;;
"start wavecryptd.service")		touch active ;;
esac
END
# shellcheck disable=SC2016 # for that shell
command_is deb-systemd-invoke <<<'exec systemctl "$@"'

command_is wavecryptctl <<<'echo "New SAs use others"'
command_is dkms <<<'[ ! -e fails ]'
command_is modinfo <<<'[ -e built ]'
command_is modprobe <<<'mkdir sys/module/wavecrypt'
command_is uname <<<'echo 6.1.0-running'

# machine [FILE...]: with systemd, the module, and these
machine()
{
	rm -rf "${work:?}"/{run,sys,lib,etc,active,in-use,built,fails,told}
	mkdir -p "$work"/{run/systemd/system,sys/module/wavecrypt}
	cd "$work"
	[ $# -eq 0 ] || touch "$@"
	touch told
	cd "$top"
}

# does ARGUMENT...: a script from standard input, on that machine
does()
{
	sed -E "s,(^|[^[:alnum:]])/(etc|lib|run|sys)/,\1$work/\2/,g" |
		PATH=$work/bin:$PATH sh -e -s "$@" >"$work/said" 2>&1
	cat "$work/said" "$work/told"
}

# spec_script NAME: that scriptlet
spec_script()
{
	sed -n "/^%$1\$/,/^%files/ { /^%/!p }" packaging/rpm/wavecrypt.spec
}

# module_goes ARGUMENT: with the script from standard input
module_goes()
{
	machine active
	does "$1"
	[ ! -e "$work/active" ]
	[ ! -e "$work/sys/module/wavecrypt" ]
	[ ! -s "$work/said" ]
}

# module_stays ARGUMENT SCRIPT: so does the helper, if there was one; SAs to come do without,
# where the tool is there for that
module_stays()
{
	machine in-use active
	does "$1" <"$2"
	grep '^wavecrypt is in use and stays loaded' "$work/said"
	[ -e "$work/active" ]
	grep '^wavecryptctl retire' "$work/told"
	grep '^New SAs use others' "$work/said"
	machine in-use
	mv "$work/bin/wavecryptctl" "$work/"
	does "$1" <"$2"
	mv "$work/wavecryptctl" "$work/bin/"
	grep '^wavecrypt is in use and stays loaded' "$work/said"
	expect_equal "lines" 1 "$(wc -l <"$work/said")"
	[ ! -e "$work/active" ]
}

# The older release's script has stopped the helper.
module_was_there()
{
	machine built
	echo 1 >"$work/sys/module/wavecrypt/version"
	does configure "" <"$debian/wavecrypt-dkms.postinst"
	[ -e "$work/active" ]
	rm "$work/active"
	does configure 1 <"$debian/wavecrypt-dkms.postinst"
	[ ! -e "$work/active" ]
}

# On a machine with systemd, for the running kernel
module_is_new()
{
	machine built
	rmdir "$work/sys/module/wavecrypt"
	does configure "" <"$debian/wavecrypt-dkms.postinst"
	[ -e "$work/sys/module/wavecrypt" ]
	[ ! -s "$work/said" ]
}

# DKMS builds it for kernels that have their headers.
module_is_not_built()
{
	local old
	for old in "" 1; do
		machine
		rmdir "$work/sys/module/wavecrypt"
		does configure "$old" <"$debian/wavecrypt-dkms.postinst"
		grep '^The running kernel, 6.1.0-running, has no module wavecrypt' "$work/said"
		grep 'apt install linux-headers-6.1.0-running' "$work/said"
		[ ! -e "$work/sys/module/wavecrypt" ]
	done
	# Who makes an image is on another kernel.
	rm -r "$work/run/systemd"
	does configure "" <"$debian/wavecrypt-dkms.postinst"
	[ ! -s "$work/said" ]
}

# What is loaded stays, and the next boot has none.
module_is_not_built_anew()
{
	machine
	echo 1 >"$work/sys/module/wavecrypt/version"
	does configure 1 <"$debian/wavecrypt-dkms.postinst"
	grep '^The running kernel, 6.1.0-running, has no module wavecrypt, and from its next boot' \
		"$work/said"
}

# Debhelper's part builds it for the running kernel and the newest.
other_kernels()
{
	machine built
	echo 1 >"$work/sys/module/wavecrypt/version"
	mkdir -p "$work"/lib/modules/{6.1.0-1,6.1.0-2}/build/include "$work"/lib/modules/6.1.0-3
	does configure 1 <"$debian/wavecrypt-dkms.postinst"
	expect_equal "for which kernels" "dkms autoinstall -k 6.1.0-1
dkms autoinstall -k 6.1.0-2" "$(grep ^dkms "$work/told")"
	touch "$work/fails"
	does configure 1 <"$debian/wavecrypt-dkms.postinst"
	grep '^DKMS has not built all that it should for 6.1.0-1' "$work/said"
	mkdir -p "$work/etc/dkms"
	touch "$work/etc/dkms/no-autoinstall"
	: >"$work/told"
	does configure 1 <"$debian/wavecrypt-dkms.postinst"
	! grep ^dkms "$work/told"
}

# What was enabled is not, wherever the package is removed.
monitoring_ends()
{
	local units="wavecrypt-textfile.timer wavecrypt-metrics.socket"
	machine
	does remove <"$debian/wavecryptd.prerm"
	grep "^systemctl disable $units" "$work/told"
	grep "^systemctl stop .*wavecrypt-metrics.socket" "$work/told"
	machine
	rm -r "$work/run/systemd"
	does remove <"$debian/wavecryptd.prerm"
	grep "^systemctl disable $units" "$work/told"
	! grep "^systemctl stop" "$work/told"
}

spec_script "preun kmod-common" >"$work/preun"
ktap_begin
ktap_test "wavecrypt-dkms is removed, the module goes" module_goes remove \
	<"$debian/wavecrypt-dkms.prerm"
ktap_test "or is in use, and the helper goes on" module_stays remove \
	"$debian/wavecrypt-dkms.prerm"
ktap_test "wavecrypt-dkms comes back, the helper does" module_was_there
ktap_test "it comes for the first time, the module is loaded" module_is_new
ktap_test "or is not built for this kernel, and that is said" module_is_not_built
ktap_test "nor for it anew, with the older one loaded" module_is_not_built_anew
ktap_test "all other kernels have it built as well" other_kernels
ktap_test "wavecrypt-kmod-common is removed, the module goes" module_goes 0 <"$work/preun"
ktap_test "or is in use, and the helper goes on" module_stays 0 "$work/preun"
ktap_test "wavecryptd is removed, nothing of it stays enabled" monitoring_ends
ktap_end
