#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What is installed for the tests starts no daemon. The package manager is made up, and so
# is /usr/sbin.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

if [ "$(id -u)" -eq 0 ] && [ "${1-}" != --private ]; then
	exec unshare --mount "$0" --private
fi

work=$(mktemp -d)
trap 'umount /usr/sbin "$work" 2>/dev/null || true; rm -rf "$work"' EXIT
policy=/usr/sbin/policy-rc.d

# machine: without these two packages, and with nothing that forbids anything
machine()
{
	mount -t tmpfs made-up "$work"
	mkdir "$work"/{bin,upper,work}
	mount -t overlay -o "lowerdir=/usr/sbin,upperdir=$work/upper,workdir=$work/work" sbin /usr/sbin
	rm -f "$policy"
	program dpkg-query <<-'END'
		case $* in *prometheus|*charon-systemd) ;; *) echo -n installed ;; esac
	END
	program apt-get <<-END
		case \$* in
		*" install "*)
			"$policy" prometheus start
			echo "\$?" >>"$work/starts"
			[ ! -e "$work/fail" ] ;;
		esac
	END
	program systemctl <<-END
		echo "\$*" >>"$work/systemctl"
	END
	program sleep </dev/null
}

program()
{
	{ echo '#!/bin/sh'; cat; } >"$work/bin/$1"
	chmod 755 "$work/bin/$1"
}

deps()
{
	PATH=$work/bin:$PATH selftests/deps
}

installed()
{
	deps
	expect_equal "what a package is told that starts something" 101 "$(cat "$work/starts")"
	expect_equal "disabled" $'--quiet disable prometheus.service\n--quiet disable strongswan.service' \
		"$(sort "$work/systemctl")"
	[ ! -e "$policy" ]
}

failed()
{
	touch "$work/fail"
	deps && return 1
	[ ! -e "$policy" ]
	rm "$work/fail" "$work/starts"
}

policy_there()
{
	printf '#!/bin/sh\nexit 0\n' >"$policy"
	chmod 755 "$policy"
	deps
	expect_equal "what a package is told" 0 "$(cat "$work/starts")"
	[ -e "$policy" ]
}

ktap_begin
if [ "$(id -u)" -ne 0 ]; then
	ktap_skip "starts nothing" "needs root, for a /usr/sbin of its own"
	ktap_end
fi
machine
ktap_test "an installation that fails leaves nothing behind" failed
ktap_test "what is installed is not started, now or later" installed
rm -f "$work/starts"
ktap_test "what the machine's owner has said of that holds" policy_there
ktap_end
