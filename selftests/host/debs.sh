#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Which of the archive's kernels are taken. The archive is made up, and has no files.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cat >"$work/bin/apt-get" <<'END'
#!/bin/sh
case $* in
*--print-uris*)	echo "'made-up:/dists/bookworm/InRelease' made-up 0" ;;
*download*)	exit 100 ;;
esac
END
cat >"$work/bin/apt-cache" <<END
#!/bin/sh
case \$* in
*pkgnames*)	cat "$work/names" ;;
*)		for name; do :; done; grep -qx "\$name" "$work/there" && echo "Version: 1" ;;
esac
END
chmod 755 "$work"/bin/*

# taken RELEASE THERE...: it is, of what the archive has names of, and those are there
taken()
{
	local release=$1

	printf 'linux-%s\n' headers-amd64 {headers,image}-6.1.0-{9,10,11,12}-amd64 \
		headers-6.1.0-13-rt-amd64 >"$work/names"
	printf '%s-amd64\n' "${@:2}" >"$work/there"
	PATH=$work/bin:$PATH WAVECRYPT_CACHE=$work/cache selftests/debs kernel 6.1 \
		>"$work/said" 2>&1 && return 1
	cat "$work/said"
	expect_equal "fetched" "$release" \
		"$(sed -n 's/^debs: fetching linux-image-\([^ ]*\)-amd64 linux-headers-\1-amd64.*/\1/p' \
			"$work/said")"
}

none()
{
	local status=0

	taken '' linux-headers-6.1.0-12 linux-image-6.1.0-11
	PATH=$work/bin:$PATH WAVECRYPT_CACHE=$work/cache selftests/debs kernel 6.1 || status=$?
	expect_equal "exit status" 3 "$status"
}

ktap_begin
ktap_test "the newest" taken 6.1.0-12 linux-{headers,image}-6.1.0-{9,10,11,12}
ktap_test "the newest whose image is there, too" taken 6.1.0-11 \
	linux-headers-6.1.0-{9,10,11,12} linux-image-6.1.0-{9,10,11}
ktap_test "the newest whose headers are" taken 6.1.0-9 \
	linux-headers-6.1.0-9 linux-image-6.1.0-{9,10,11,12}
ktap_test "none that is there in part" none
ktap_end
