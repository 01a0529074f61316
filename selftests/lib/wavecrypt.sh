# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What the module shows of itself, for guest suites
# shellcheck disable=SC2034 # used by them

sysfs=/sys/class/misc/wavecrypt

# The directories of counters, as ALGORITHM.DIRECTION
cbc_sha1=authenc-hmac-sha1-cbc-aes
gcm=rfc4106-gcm-aes

# What the module may offer that authenticates, by labels as the parameter algs has them
labels=({cbc,ctr,null}-sha{1,256,384,512}{,-esn} gcm chacha20-poly1305)

# dir_of ALGORITHM: the directory, of a label as the parameter algs has them
dir_of()
{
	local form=authenc hash=${1#*-} cipher
	case $1 in
	authenc)	echo "$cbc_sha1"; return ;;
	rfc4106|gcm*)	echo "$gcm"; return ;;
	chacha20*)	echo rfc7539esp-chacha20-poly1305; return ;;
	cbc)		echo authenc-digest_null-cbc-aes; return ;;
	cbc-*)		cipher=cbc-aes ;;
	ctr-*)		cipher=rfc3686-ctr-aes ;;
	null-*)		cipher=ecb-cipher_null ;;
	esac
	[[ $1 != *-esn ]] || form=authencesn
	echo "$form-hmac-${hash%-esn}-$cipher"
}

# counter ALGORITHM.DIRECTION NAME
counter()
{
	cat "$sysfs/$1/$2"
}

# of_queues COUNTER: over all of them
of_queues()
{
	awk '{ s += $1 } END { print s }' "$sysfs"/queue*/"$1"
}

# of_algorithms COUNTER: over all of them, both directions
of_algorithms()
{
	cat "$sysfs"/*.{encrypt,decrypt}/"$1" | awk '{ s += $1 } END { print s }'
}

# kept_order WHAT COMMAND...: what went from CPU to CPU meanwhile had some pending where it came
# from, and waited for those; nothing gave up waiting, for which there was time enough
kept_order()
{
	local followed overtook

	followed=$(of_queues followed) overtook=$(of_queues overtook)
	"${@:2}"
	followed=$(($(of_queues followed) - followed))
	overtook=$(($(of_queues overtook) - overtook))
	echo "figure: moved $followed times with $1 pending, $overtook of them in vain"
	[ "$followed" -gt 0 ] && [ "$overtook" -eq 0 ]
}

# field DRIVER FIELD, of /proc/crypto
field()
{
	awk -v driver="$1" -v field="$2" '
		BEGIN { RS = ""; FS = "\n" }
		{
			delete value
			for (i = 1; i <= NF; i++) {
				split($i, pair, / +: /)
				value[pair[1]] = pair[2]
			}
		}
		value["driver"] == driver { print value[field]; exit }
	' /proc/crypto
}

# drivers NAME: who offers it, as "PRIORITY DRIVER", best first
drivers()
{
	awk -v name="$1" '
		BEGIN { RS = ""; FS = "\n" }
		{
			delete value
			for (i = 1; i <= NF; i++) {
				split($i, pair, / +: /)
				value[pair[1]] = pair[2]
			}
		}
		value["name"] == name { print value["priority"], value["driver"] }
	' /proc/crypto | sort -rn
}

# mark_log, and what the kernel said since, or a failure if its log no longer has the mark.
# (Clearing it would hide from vm/run what went wrong.)
mark_log()
{
	log_mark="mark $BASHPID.$RANDOM"
	echo "$log_mark" >/dev/kmsg
}

log_since_mark()
{
	local said

	said=$(dmesg)
	[[ $said == *"$log_mark"* ]] || {
		echo "the kernel's log has lost the mark" >&2
		return 1
	}
	sed "1,/$log_mark/d" <<<"$said"
}

# only LINES: the module has said nothing else since the mark. (What is worse
# than a line fails the run.)
only()
{
	local said

	said=$(log_since_mark)
	! grep 'wavecrypt: ' <<<"$said" | grep -vE "\] wavecrypt: ($1)"
}

# quick_starts: for a suite that starts many programs, which is what takes long where a
# processor is emulated. On one CPU, the one that devices interrupt, no other has to be
# woken for each; and C.UTF-8 is a dozen files that most programs open. The helper has
# all CPUs nevertheless, and "numbered" sends from two.
quick_starts()
{
	taskset -pc "$(($(nproc --all) - 1))" $$ >/dev/null
	export LC_ALL=C
}

# memory_groups: whether there are control groups of memory, which can be made from then on
memory_groups()
{
	{
		mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup
		echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	} 2>/dev/null
}

# set_mode auto|inline|offload
set_mode()
{
	echo "$1" >/sys/module/wavecrypt/parameters/mode
}
