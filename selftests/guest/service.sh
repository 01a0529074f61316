#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The service as the package has it, under a real systemd and udev: the module's
# coming starts it, with hardly any rights; it is started again when it crashes
# or hangs, and not when its configuration is bad; it reads that again when it is told
# to; and the units for monitoring have what they need.
#
# make: deb
# uml: 7.2-full --no-helper
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=systemd.bash
. "$here/systemd.bash"

version=$(cd "$here/../.." && . packaging/sources.bash && sources_version)
deb=$here/../../build/deb/wavecryptd_${version}_amd64.deb
conf=/etc/wavecrypt/wavecryptd.conf

# The package's files: what dpkg does besides is for packages.sh.
installed()
{
	dpkg-deb -x "$deb" /run/deb
	cp -a /run/deb/etc /run/deb/usr /
	[ ! -d /run/deb/lib ] || cp -a /run/deb/lib/. /usr/lib/
	service_settings WatchdogSec=60
	unit_settings wavecrypt-metrics.socket
	unit_settings wavecrypt-metrics@.service Service RuntimeMaxSec=60
	unit_settings wavecrypt-textfile.timer
	unit_settings wavecrypt-textfile.service Service TimeoutStartSec=60
	in_systemd systemd-sysusers
	in_systemd udevadm control --reload
	systemctl daemon-reload
	systemctl enable wavecryptd
}

module_brings_service()
{
	# shellcheck disable=SC1091,SC2154 # of what run wrote
	(. "${WAVECRYPT_VM_RUN:?}/what" && insmod "$module")
	wait_until 60 live
}

# field NAME: of the helper's /proc/PID/status
field()
{
	sed -n "s/^$1:\t//p" "/proc/$(cat "$sysfs/helper_pid")/status"
}

hardly_any_rights()
{
	local uid
	uid=$(id -u wavecrypt)
	expect_equal "user" "$uid	$uid	$uid	$uid" "$(field Uid)"
	expect_equal "capabilities" 0000000000000000 "$(field CapEff)"
	expect_equal "what could be had" 0000000000001000 "$(field CapBnd)"
	expect_equal "no new privileges" 1 "$(field NoNewPrivs)"
	expect_equal "seccomp" 2 "$(field Seccomp)"
	expect_equal "the device" "wavecrypt 600" "$(stat -c '%U %a' /dev/wavecrypt)"
	[ "$(readlink "/proc/$(cat "$sysfs/helper_pid")/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

crash()
{
	local pid
	live
	pid=$(cat "$sysfs/helper_pid")
	kill -KILL "$pid"
	wait_until 60 replaced "$pid"
}

# watchdog SECONDS: how long the daemon may say nothing
watchdog()
{
	service_settings "WatchdogSec=$1"
	systemctl daemon-reload
	systemctl restart wavecryptd
	wait_until 60 live
}

# systemd itself logs to the kernel's log here.
hang()
{
	local pid
	watchdog 3
	pid=$(cat "$sysfs/helper_pid")
	kill -STOP "$pid"
	wait_until 60 replaced "$pid"
	dmesg | grep -i 'wavecryptd.*watchdog timeout'
	watchdog 60
}

bad_configuration()
{
	local line
	line=$(($(wc -l <"$conf") + 1))
	echo "colour = blue" >>"$conf"
	! systemctl restart wavecryptd || return 1
	wait_until 30 systemctl --quiet is-failed wavecryptd
	expect_equal "exit status" 78 "$(systemctl show -P ExecMainStatus wavecryptd)"
	in_systemd journalctl --no-pager -u wavecryptd -o cat |
		grep -F "$conf:$line:1: unknown setting"
	sed -i '$d' "$conf"
	systemctl restart wavecryptd
	wait_until 30 live
}

# setting NAME: as the daemon that runs has it
setting()
{
	in_systemd wavecryptctl config | sed -n "s/^$1 *= *\([^ ]*\).*/\1/p"
}

# still PID: serves
still()
{
	live
	expect_equal "helper" "$1" "$(cat "$sysfs/helper_pid")"
}

reloaded()
{
	local pid main
	pid=$(cat "$sysfs/helper_pid")
	main=$(systemctl show -P MainPID wavecryptd)
	echo "spin-us = 77" >>"$conf"
	systemctl reload wavecryptd
	expect_equal "spin-us" 77 "$(setting spin-us)"
	expect_equal "main process" "$main" "$(systemctl show -P MainPID wavecryptd)"
	still "$pid"
}

# What was good stays.
bad_reload()
{
	local pid
	pid=$(cat "$sysfs/helper_pid")
	echo "spin-us = soon" >>"$conf"
	! systemctl reload wavecryptd || return 1
	expect_equal "spin-us" 77 "$(setting spin-us)"
	still "$pid"
	sed -i '$d' "$conf"
}

answers="wavecrypt_helper_answers 1"

port=/dev/tcp/127.0.0.1/9744

# Whether the daemon answers, over HTTP
scraped()
{
	(
		exec 3<>"$port"
		printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3
		cat <&3 >/run/answer
	)
	head -n 5 /run/answer
	grep -x "$answers" /run/answer
}

endpoint()
{
	ip link set lo up
	systemctl start wavecrypt-metrics.socket
	scraped
	systemctl stop wavecrypt-metrics.socket
}

# Each keeps its connection, and asks nothing.
many_connect()
{
	local i connection
	for ((i = 0; i < 300; i++)); do
		# shellcheck disable=SC2034 # it is there, and that is all
		exec {connection}<>"$port"
	done
}

# Anybody on this machine may connect, and at any pace.
endpoint_stays()
{
	systemctl start wavecrypt-metrics.socket
	(many_connect)
	wait_until 60 scraped
	systemctl stop wavecrypt-metrics.socket
}

override=/run/systemd/system/wavecrypt-textfile.service.d/override.conf

# drop_in WORDS: that of the manual's for the textfile unit which has these
drop_in()
{
	awk -v RS= -v words="$1" '/systemctl edit wavecrypt-textfile/ && index($0, words)' \
		"$here/../../Documentation/operations.rst" | sed -n 's/^   \([^#]\)/\1/p'
}

# elsewhere [LINE]: as the manual has it for another directory than Debian's, without LINE
elsewhere()
{
	local dir=/var/lib/node_exporter
	drop_in "$dir" | grep -vx "${1-}" >"$override"
	grep -x "ReadWritePaths=$dir" "$override"
	systemctl daemon-reload
	systemctl start wavecrypt-textfile.service
	grep -x "$answers" "$dir/wavecrypt.prom"
	rm "$dir/wavecrypt.prom"
}

# There is no such directory as Debian's, whether or not that is taken from what may be written.
textfile_elsewhere()
{
	rm -rf /var/lib/prometheus
	mkdir -p /var/lib/node_exporter
	elsewhere
	elsewhere ReadWritePaths=
	rm "$override"
	systemctl daemon-reload
}

# Into somebody else's directory, for him to read
textfile()
{
	local dir=/var/lib/prometheus/node-exporter
	mkdir -p "$dir"
	chown nobody "$dir"
	systemctl start wavecrypt-textfile.service
	setpriv --reuid nobody --clear-groups grep -x "$answers" "$dir/wavecrypt.prom"
	rm "$dir/wavecrypt.prom"
	systemctl start wavecrypt-textfile.timer
	wait_until 60 [ -s "$dir/wavecrypt.prom" ]
	systemctl stop wavecrypt-textfile.timer
}

# As the manual has it for SAs; the rest is as it was.
textfile_sas()
{
	local dir=/var/lib/prometheus/node-exporter
	ip xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp spi 0x1000 reqid 7 mode tunnel \
		aead 'rfc4106(gcm(aes))' "0x$(printf '%040d' 1)" 128
	drop_in --sas >"$override"
	systemctl daemon-reload
	systemctl start wavecrypt-textfile.service
	ip xfrm state flush
	rm "$override"
	systemctl daemon-reload
	grep '^wavecrypt_sas{reqid="7",' "$dir/wavecrypt.prom"
}

# answered_by PID: that one serves the module, and is who answers; systemd and all that it runs
# have numbers of their own
answered_by()
{
	expect_equal "helper" "$1" "$(cat "$sysfs/helper_pid")"
	in_systemd wavecryptctl --json status |
		grep "\"pid\": $(sed -n 's/^NSpid:.*\t//p' "/proc/$1/status"),\?$"
}

service_over()
{
	! systemctl --quiet is-active wavecryptd
}

nobody_serves()
{
	[ "$(state)" = none ]
}

# The service ends, as it was replaced, and then cannot start: neither is the end of the
# other's socket, which the service finds unserved when that one was killed.
anothers_socket()
{
	local pid
	pid=$(cat "$sysfs/helper_pid")
	in_systemd wavecryptd --replace
	wait_until 30 service_over
	[ "$(cat "$sysfs/helper_pid")" != "$pid" ]
	pid=$(cat "$sysfs/helper_pid")
	answered_by "$pid"
	! systemctl start wavecryptd || return 1
	expect_equal "exit status" 75 "$(systemctl show -P ExecMainStatus wavecryptd)"
	answered_by "$pid"
	kill -KILL "$pid"
	wait_until 30 nobody_serves
	systemctl start wavecryptd
	wait_until 30 live
	answered_by "$(cat "$sysfs/helper_pid")"
}

stopped()
{
	systemctl stop wavecryptd
	expect_equal "state" none "$(state)"
	[ ! -e /run/wavecrypt/control ]
}

ktap_begin
quick_starts
rmmod wavecrypt
ktap_test "systemd and udev" systemd_up
ktap_test "what the package installs" installed
ktap_test "the module's coming starts the service" module_brings_service
ktap_test "it has hardly any rights" hardly_any_rights
ktap_test "killed: started again" crash
ktap_test "hung: started again" hang
ktap_test "bad configuration: line and column, and no other try" bad_configuration
ktap_test "reload: a setting applies, and the process stays" reloaded
ktap_test "reload: a bad setting changes nothing, and is said" bad_reload
ktap_test "metrics over HTTP" endpoint
ktap_test "the same after more connections than may be answered" endpoint_stays
ktap_test "metrics for node_exporter in another directory" textfile_elsewhere
ktap_test "metrics for node_exporter's textfile collector" textfile
ktap_test "and with SAs" textfile_sas
ktap_test "a helper that was started by hand keeps its socket" anothers_socket
ktap_test "stopped" stopped
ktap_end
