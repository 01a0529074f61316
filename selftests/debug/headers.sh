#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The module builds without a warning for every kernel whose headers the Debian archive
# has at the moment: its releases, their backports, and the flavours for clouds and for
# real time. (In make check: the newest of each series.)

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
# shellcheck source=../lib/ktap.sh
. selftests/lib/ktap.sh

# Half a gigabyte all together, of which nothing is needed twice
builds()
{
	local dir built=$top/build/headers/$1
	dir=$(selftests/debs headers "$1")
	make -s --no-print-directory KDIR="$dir/headers" MODDIR="$built" \
		MODARGS="W=1 KCFLAGS=-Werror" module
	rm -rf "$dir" "$built"
}

ktap_begin
if releases=$(selftests/debs releases) && [ -n "$releases" ]; then
	for release in $releases; do
		ktap_test "$release" builds "$release"
	done
else
	ktap_skip "every kernel's headers" "the Debian archive does not answer"
fi
ktap_end
