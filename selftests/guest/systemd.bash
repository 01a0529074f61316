# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A real systemd and udev in the guest, for suites of what is installed; source
# it after wavecrypt.sh
# shellcheck disable=SC2154 # set there

# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"

in_vain()
{
	systemctl --no-pager --full status wavecryptd || true
}

# In a PID namespace, as in a container, but with the guest's own devices
systemd_up()
{
	: >/etc/fstab
	mkdir -p /run/systemd/system
	cat >/run/systemd/system/test.target <<-END
		[Unit]
		Wants=systemd-udevd.service systemd-journald.service
		After=systemd-udevd.service systemd-journald.service
	END
	container=guest setsid unshare --pid --fork --mount-proc \
		/lib/systemd/systemd --system --unit=test.target --show-status=0 \
		--log-target=kmsg --log-level=warning </dev/null >/dev/null 2>&1 &
	wait_until 20 pgrep -P $!
	pgrep -P $! >/run/systemd.pid
	wait_until 60 systemctl --quiet is-active test.target
	wait_until 60 [ -S /run/udev/control ]
}

# It answers only whom it can see. (Not busybox's nsenter: it would run its own dpkg.)
in_systemd()
{
	/usr/bin/nsenter --target "$(cat /run/systemd.pid)" --pid --mount "$@"
}

systemctl()
{
	in_systemd systemctl "$@"
}

# unit_settings UNIT [SECTION SETTING...]: what it has here besides. That systemd has
# booted is not waited for, it takes a minute here.
unit_settings()
{
	local dir=/run/systemd/system/$1.d
	mkdir -p "$dir"
	{
		printf '%s\n' '[Unit]' DefaultDependencies=no
		[ $# -eq 1 ] || printf '%s\n' "[$2]" "${@:3}"
	} >"$dir/here.conf"
}

# service_settings: a daemon that waits less long than on a real machine, and runs where
# it likes
service_settings()
{
	unit_settings wavecryptd.service Service "$@" RestartSec=100ms "CPUAffinity=0 1"
}

state()
{
	cat "$sysfs/state" 2>/dev/null
}

live()
{
	[ "$(state)" = live ] && systemctl --quiet is-active wavecryptd
}

# replaced PID: another helper serves; 0 is none, while systemd has yet to notice
replaced()
{
	[[ $(cat "$sysfs/helper_pid") != @(0|"$1") ]] && live
}
