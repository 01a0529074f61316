#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The documentation builds without a warning, and what it names is there.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

# named WHERE: paths in the sources that WHERE names, without wildcards
named()
{
	grep -ohP '(?<![\w/])(driver|helperd|kernels|selftests|strongswan|packaging|Documentation)/[][A-Za-z0-9_./*-]*[A-Za-z0-9/*]' \
		"$@" | sort -u
}

paths_exist()
{
	local path missing=0
	while read -r path; do
		# A program is named without its source's suffix.
		compgen -G "$path" >/dev/null || compgen -G "$path.*" >/dev/null ||
			{ echo "there is no $path"; missing=1; }
	done < <(named Documentation/*.rst README.md)
	[ "$missing" -eq 0 ]
}

# targets_named: Makefile's, as the documentation names them, in a literal, as a command or at
# the beginning of a block's line, and its own help
targets_named()
{
	grep -ohE '(^ *([$#] )?|`)make [a-z][a-z-]*' Documentation/*.rst README.md
	make -s --no-print-directory help | grep -oE '^ *make [a-z][a-z-]*'
}

targets_exist()
{
	local target missing=0
	while read -r target; do
		make -nq "$target" >/dev/null 2>"build/style/make" ||
			! grep "No rule to make target '$target'" build/style/make || missing=1
	done < <(targets_named | sed 's/.*make //' | sort -u)
	[ "$missing" -eq 0 ]
}

# in_readme DIRECTORY: the suites of a directory that selftests/README.rst names
in_readme()
{
	awk -v wanted="$1/" '
		/^   / {
			if (substr($0, 42, 1) != " ")
				directory = substr($0, 42, 8)
			sub(/ *$/, "", directory)
			if (directory == wanted)
				text = text " " substr($0, 51)
		}
		END {
			gsub(/\([^)]*\)/, "", text)
			gsub(/ +/, "\n", text)
			print text
		}' selftests/README.rst | sed '/^$/d' | sort
}

# Its table has every suite, and nothing else for one.
suites_in_readme()
{
	local directory
	for directory in style host guest debug long; do
		diff -u --label "selftests/$directory" --label README.rst \
			<(find "selftests/$directory" -maxdepth 1 -type f -executable \
				\( -name '*.sh' -o ! -path 'selftests/debug/*' \) \
				-printf '%f\n' | sed 's/\.sh$//' | sort) \
			<(in_readme "$directory")
	done
}

# narrow NAME: a number of the shape of work-groups that AMD's GPUs have
narrow()
{
	sed -nE "s/^#define WAVECRYPT_GPU_NARROW_$1\s+//p" kernels/layout.h
}

# hsa.rst says how many packets there are in one, and on a GPU.
groups()
{
	local text words chains
	chains=$((2 * $(narrow PAIRS)))
	text=$(tr -s ' \n' ' ' <Documentation/hsa.rst)
	for words in "a work-group for every $chains packets of AES-CBC to encrypt," \
		" $(narrow TEAMS) of AES-GCM or ChaCha20-Poly1305, or $(narrow HASHED) of any" \
		"four groups on each compute unit, $((chains * 4 * 8)) packets of AES-CBC on eight"; do
		[[ $text == *"$words"* ]] || { echo "not in hsa.rst: $words"; return 1; }
	done
}

# described PATTERN FILE...: every name that these have by it, as a literal
described()
{
	local names
	names=$(sed -nE "s/$1/\1/p" "${@:2}" | sort)
	[ -n "$names" ]
	# shellcheck disable=SC2016 # literals of the page
	expect_equal "not in operations.rst" '' "$(comm -23 <(echo "$names") \
		<(grep -oE '``\w+``' Documentation/operations.rst | tr -d '`' | sort -u))"
}

# Every metric that has a name of its own: whole, or behind a table's prefix
metrics_described()
{
	local names name missing=0
	names=$(sed -nE 's/.*"(wavecrypt_\w+)".*/\1/p; s/.*\.metric = "(\w+)".*/\1/p
		s/.*\.key = "(\w+)", \.gauge = .*/\1/p' helperd/report/*.c)
	[ -n "$names" ]
	grep -oE 'wavecrypt_\w+' helperd/man/wavecryptctl.8 >build/style/metrics
	for name in $names; do
		grep -qxE "(wavecrypt_\w+_)?$name(_total)?" build/style/metrics ||
			{ echo "not in wavecryptctl(8): $name"; missing=1; }
	done
	[ "$missing" -eq 0 ]
}

# manual PAGE: no complaint of the formatter's
manual()
{
	expect_equal "what man has to say" '' \
		"$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null)"
}

mkdir -p build/style
ktap_begin
ktap_test "make docs" make -s --no-print-directory docs
ktap_test "paths that the documentation names" paths_exist
ktap_test "targets of make that it names" targets_exist
ktap_test "the tests' page has every suite" suites_in_readme
ktap_test "every parameter of the module is described" \
	described '^\w+_param\w*\((\w+),.*' driver/*.c
ktap_test "every file of its device in sysfs" described '^static DEVICE_ATTR_RO\((\w+)\);' driver/*.c
ktap_test "every counter" described '^WC_COUNTER\(\w+, (\w+)\);' driver/stats.c
ktap_test "every other figure" described '^\t\.attr = \{ \.name = "(\w+)",.*' driver/stats.c
ktap_test "every alert" described ' *- alert: (\w+)' packaging/prometheus/*.rules.yml
ktap_test "packets of a work-group are as many as the kernels'" groups
ktap_test "every metric that has a name of its own" metrics_described
mapfile -t manuals < <(selftests/lib/tracked "*.[1-8]" | xargs grep -l "^\.TH ")
if command -v man >/dev/null; then
	for page in "${manuals[@]}"; do
		ktap_test "$page" manual "$page"
	done
else
	ktap_skip "manuals" "no man here"
fi
ktap_end
