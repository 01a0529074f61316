#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The kernel's checkpatch --strict, on every C file
#
# debs: source 6.1

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

# What checkpatch wants of the kernel tree and not of us, with the reason
not_for_us=$(sed 's/#.*//' <<'END'
LINUX_VERSION_CODE	# one source for several kernels
CONSTANT_COMPARISON	# sees one in LINUX_VERSION_CODE >= KERNEL_VERSION()
TRAILING_SEMICOLON	# a list of algorithms, a declaration for each of its lines
COMPLEX_MACRO		# that list
MACRO_ARG_REUSE		# its arguments are constants
FILE_PATH_CHANGES	# there is no MAINTAINERS here
END
)
# and of what is not kernel code
not_userspace=$(sed 's/#.*//' <<'END'
ARRAY_SIZE		# a macro of the kernel's
USE_NEGATIVE_ERRNO	# a convention of the kernel's
AVOID_EXTERNS		# no header of the kernel's has them
PREFER_KERNEL_TYPES	# stdint.h's are userspace's own
CAMELCASE		# libipsec-mb, OpenCL and HSA have it
PREFER_FALLTHROUGH	# a macro of the kernel's
PREFER_DEFINED_ATTRIBUTE_MACRO	# macros of the kernel's
NEW_TYPEDEFS		# callbacks of libraries
STRLCPY			# not in glibc 2.36
VOLATILE		# sig_atomic_t
BIT_MACRO		# a macro of the kernel's
CONST_STRUCT		# the kernel's list of types
ENOSYS			# what libraries and system calls return
ENOTSUPP		# the same
EMBEDDED_FUNCTION_NAME	# of loggers that have no %pf
USE_RELATIVE_PATH	# of libraries' headers
END
)

# allowed FILE: what of all this it may have, by where it is
allowed()
{
	local allowed=$not_for_us
	case $1 in
	# The type of a callback's argument differs from kernel to kernel.
	driver/compat.h) allowed+=" NEW_TYPEDEFS" ;;
	# TRACE_EVENT() is written as the kernel writes it.
	driver/trace.h)	allowed+=" OPEN_ENDED_LINE PARENTHESIS_ALIGNMENT" ;;
	# BIT(), and the macros for assertions and attributes, are not for userspace
	# to see.
	*/uapi/*)	allowed+=" BIT_MACRO CAMELCASE PREFER_DEFINED_ATTRIBUTE_MACRO" ;;
	driver/*)	;;
	*)		allowed+=" $not_userspace" ;;
	esac
	xargs <<<"$allowed" | tr ' ' ,
}

# checkpatch ALLOWED FILE...: in one process, which takes as long to begin as with a file
checkpatch()
{
	printf '%s\n' IMB_MGR IMB_JOB >build/style/typedefs
	# In a directory of its own, for the file of names that it leaves, with no
	# user's .checkpatch.conf, and not asking git, which GIT_DIR would have it do.
	cd build/style
	GIT_DIR=none HOME=$PWD perl "$source/scripts/checkpatch.pl" --root="$source" --strict --no-summary \
		--emacs --color=never --ignore "$1" --typedefsfile typedefs --file "${@:2}"
}

# clean FILE: checkpatch was there, and says so
clean()
{
	! grep -E "^$top/$1:" "$out" || return 1
	grep -Fx "$top/$1 has no obvious style problems and is ready for submission." "$out"
}

mkdir -p build/style
out=$top/build/style/checkpatch.out
ktap_begin
source=$(selftests/debs source 6.1)
mapfile -t files < <(selftests/lib/tracked '*.[ch]')
declare -A alike=()
for file in "${files[@]}"; do
	alike[$(allowed "$file")]+="$top/$file "
done
for allowed in "${!alike[@]}"; do
	# shellcheck disable=SC2086 # words
	(checkpatch "$allowed" ${alike[$allowed]}) || true
done >"$out"
for file in "${files[@]}"; do
	ktap_test "$file" clean "$file"
done
ktap_end
