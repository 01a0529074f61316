# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What packages of any kind are made of; for scripts in the sources' top directory

# The sources' own version
sources_version()
{
	sed -n 's/^#define WAVECRYPT_VERSION.*"\(.*\)"/\1/p' driver/uapi/version.h
}

# sources_may_be VERSION: packages of either kind, DKMS and the module can have it: no
# epoch, and no revision
sources_may_be()
{
	[[ $1 =~ ^[0-9][0-9A-Za-z.+~]*$ ]] || {
		echo "\"$1\" is no version here: a digit, then digits, letters, \".\", \"+\" and \"~\"" >&2
		return 1
	}
}

# sources_name VERSION DIR: sources that are there are of that version from now on
sources_name()
{
	sed -i "s/^\(#define WAVECRYPT_VERSION\t\+\).*/\1\"$1\"/" "$2/driver/uapi/version.h"
}

# sources_copy VERSION DIR: into a directory that there is, as of that version. What git
# was not told of may be anything, and not for others.
sources_copy()
{
	selftests/lib/tracked --added | tar -cf - -T - | tar -C "$2" -xf -
	sources_name "$1" "$2"
}

# When the newest was changed, so that the same sources make the same packages
sources_changed()
{
	git log -1 --format=%ct 2>/dev/null || stat -c %Y driver/uapi/version.h
}
