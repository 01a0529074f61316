#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The module as anybody would build it who has the sources and a kernel's headers,
# and that "make module" does not mind having been preceded by that. That it builds for
# every kernel is for warnings.
#
# debs: kernel 6.1
# debs: kernel 7.2

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/wavecrypt
mkdir "$tree"
selftests/lib/tracked | tar -cf - -T - | tar -C "$tree" -xf -

# kbuild KERNEL TARGET
kbuild()
{
	make -s --no-print-directory -j2 -C "$(selftests/debs kernel "$1")/headers" \
		M="$tree" "$2" 2>&1
}

# for_kernel KERNEL FILE: a module that was built for it
for_kernel()
{
	local release

	release=$(cat "$(selftests/debs kernel "$1")/release")
	expect_equal "what it was built for" "$release" \
		"$(modinfo -F vermagic "$2" | cut -d' ' -f1)"
}

plain()
{
	kbuild "$1" modules
	for_kernel "$1" "$tree/driver/wavecrypt.ko"
}

# It was built in the tree for another kernel just now.
ours_beside()
{
	[ -e "$tree/driver/wavecrypt.mod.c" ]
	make -s --no-print-directory -C "$tree" module \
		KDIR="$(realpath "$(selftests/debs kernel 6.1)/headers")" MODDIR="$work/farm"
	for_kernel 6.1 "$work/farm/driver/wavecrypt.ko"
	[ ! -L "$work/farm/driver/wavecrypt.mod.c" ]
	for_kernel "$1" "$tree/driver/wavecrypt.ko"
}

leaves_nothing()
{
	kbuild "$1" clean
	expect_equal "what is left" '' "$(find "$tree" -newer "$work/built" -type f)"
}

touch "$work/built"
ktap_begin
# The newest that the archive has
for kernel in 7.2 6.12; do
	! selftests/debs kernel $kernel >"$work/where" || break
done
ktap_test "kernel $kernel, with its make alone" plain "$kernel"
ktap_test "make module afterwards, for another kernel" ours_beside "$kernel"
ktap_test "clean leaves nothing" leaves_nothing "$kernel"
ktap_end
