#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What wavecryptctl says of a gateway whose SAs wavecrypt serves, and of its
# peer, whose SAs are older than the module.
#
# uml: 7.2-full --no-helper
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../build/selftests
ctl=$here/../../build/helperd/wavecryptctl
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"

tunnel_add 1 tunnel 4 authenc 128 plain
tunnel_add 2 transport 6 rfc4106 256 plain
packets=40

# look SIDE: what status says of that gateway's SAs, for sa to look up. Whether it
# is accelerated is not the matter here.
look()
{
	{ at "$1" "$ctl" --json status || [ $? -eq 1 ]; } | python3 -IS -c '
import json, sys
for sa in json.load(sys.stdin)["sas"]:
    for member, value in sa.items():
        print(sa["spi"], member, value)' >/run/sas
}

# sa N FROM MEMBER: of the SA of that tunnel from that side; nothing, if it has no
# such member
sa()
{
	sed -n "s/^$(printf '0x%08x' "$(spi "$1" "$2")") $3 //p" /run/sas
}

# first_line SIDE STATUS START: of "status", and its exit status
first_line()
{
	local out code=0
	out=$(at "$1" "$ctl" status) || code=$?
	echo "$out"
	expect_equal "exit status" "$2" "$code"
	[[ $out == "$3"* ]]
}

# numbered N: packets both ways through a tunnel
numbered()
{
	"$bin/numbered" --sizes 100-1200 --count "$packets" \
		left "$(inner "$1" left)" right "$(inner "$1" right)"
}

carry()
{
	numbered 1
	numbered 2
	no_xfrm_errors
}

# Every SA of the left is wavecrypt's, and has done this to all its packets
all_were()
{
	local how=$1 n from
	look left
	for n in 1 2; do
		for from in left right; do
			expect_equal "driver" wavecrypt "$(sa "$n" "$from" driver | sed 's/.*-//')"
			expect_equal "evidence" counted "$(sa "$n" "$from" evidence)"
			expect_equal "$how" "$(sa_packets "$n" left "$from")" \
				"$(sa "$n" "$from" "packets_$how")"
		done
	done
}

unused()
{
	first_line left 0 "Ready"
	look left
	expect_equal "driver" '' "$(sa 1 left driver)"
	sa 1 left note | grep 'no packet yet'
	# A transform for each SA, of which each tunnel has two
	expect_equal "users" "2 2" "$(at left "$ctl" --json status | python3 -IS -c '
import json, sys
print(*(a["users"] for a in json.load(sys.stdin)["algorithms"] if a["users"]))')"
}

offloaded()
{
	set_mode offload
	# Emulation is slow.
	echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
	carry
	first_line left 0 "Ready: no traffic in the last "
	all_were offloaded
	expect_equal "direction" out "$(sa 1 left direction)"
	expect_equal "direction" in "$(sa 1 right direction)"
}

# sas_found SIDE GRADE START: what doctor finds of that gateway's SAs, with an advice
sas_found()
{
	local out
	out=$(at "$1" "$ctl" doctor) || true
	echo "$out"
	expect_equal "findings" 1 "$(grep -cE '^[a-z]+ +SAs ' <<<"$out")"
	grep -A 1 -E "^$2 +SAs +$3" <<<"$out" >/run/found
}

elsewhere()
{
	first_line right 1 "Not accelerated: of 4 SAs wavecrypt can offload none"
	look right
	for n in 1 2; do
		expect_equal "evidence" deduced "$(sa "$n" left evidence)"
		sa "$n" left driver | grep -v wavecrypt
		sa "$n" left note | grep 'moves over when it is rekeyed'
	done
	sas_found right bad "4 of 4 are not served by wavecrypt"
	grep 'they move over when they are rekeyed' /run/found
}

# status_now [NAMED]: of two seconds in which packets pass
status_now()
{
	local status
	at left "$ctl" --json status --interval 2 "$@" >/run/now.json &
	status=$!
	while kill -0 "$status" 2>/dev/null; do
		numbered 1 >/dev/null || exit
	done
	wait "$status" && python3 -IS -c '
import json, sys
status = json.load(sys.stdin)
print(status["summary"], status["now"])
assert status["accelerated"] and status["summary"].startswith("Accelerated: in the last ")
assert status["now"]["offloaded"] > 0
busy = {sa["reqid"] for sa in status["sas"] if sa["packets_per_s"] > 0}
assert busy == {1}' </run/now.json
}

# While there is traffic, status says so, of all SAs and of those that are named.
now()
{
	local none
	in_tries 5 status_now
	in_tries 5 status_now reqid=1
	in_tries 5 status_now "0x$(printf '%08x' "$(spi 1 left)")"
	expect_equal "SAs of reqid 2" 2 "$(at left "$ctl" --json sas reqid=2 | grep -c '"spi"')"
	expect_equal "SAs of GCM" 2 "$(at left "$ctl" --json sas gcm | grep -c '"spi"')"
	first_line left 0 "Ready: no traffic"
	none=$(at left "$ctl" status reqid=7) && return 1
	[[ $none == "Not accelerated: there is no such SA"* ]]
}

# One request in 61 tells how long it took; queue by queue, and both ways.
latency()
{
	local way
	set_mode inline
	numbered 1
	numbered 2
	set_mode offload
	numbered 1
	numbered 2
	for way in inline offload; do
		cat /sys/class/misc/wavecrypt/queue*/"$way"_latency_ns
		cat /sys/class/misc/wavecrypt/queue*/"$way"_latency_ns | python3 -IS -c '
import sys
counts = [int(word.split(":")[1]) for line in sys.stdin for word in line.split()
          if not word.startswith("sum:")]
assert len(counts) % 16 == 0 and sum(counts) > 0, counts'
	done
	"$ctl" metrics | grep 'wavecrypt_queue_latency_seconds_count.*way="offloaded"} [1-9]'
}

# Drained, nothing is offloaded, and resumed, it is.
drained()
{
	local before
	"$ctl" drain
	first_line left 1 "Not accelerated: drained for maintenance"
	before=$(counter "$gcm.encrypt" requests_offloaded)
	numbered 2
	expect_equal "offloaded meanwhile" "$before" "$(counter "$gcm.encrypt" requests_offloaded)"
	"$ctl" resume
	numbered 2
	[ "$(counter "$gcm.encrypt" requests_offloaded)" -gt "$before" ]
}

# Settings are read again, and workers started anew, under traffic; nothing is lost.
reloaded()
{
	local traffic spin=1
	mkdir -p /etc/wavecrypt
	(for _ in 1 2 3 4 5 6; do numbered 1; done) &
	traffic=$!
	while kill -0 "$traffic" 2>/dev/null; do
		echo "spin-us = $((spin++))" >/etc/wavecrypt/wavecryptd.conf
		expect_equal "what is said" "Applied: spin-us" "$("$ctl" reload)"
	done
	wait "$traffic"
	[ "$spin" -gt 2 ]
	no_xfrm_errors
	"$ctl" config | grep -Fx "spin-us = $((spin - 1))  # /etc/wavecrypt/wavecryptd.conf:1"
}

# What the daemon counted adds up, and its socket tells the same as metrics,
# the module's counters among it, from within its system call filter.
counted()
{
	"$ctl" --json stats | python3 -IS -c '
import json, sys
workers = json.load(sys.stdin)["workers"]
def total(name):
    return sum(sum(w[name].values()) for w in workers)
packets = sum(w["packets"] for w in workers)
bins = sum(sum(b.values()) for w in workers for b in w["bins"].values())
kinds = {kind for w in workers for kind in w["bins"]}
print(packets, bins, kinds, total("turn_ns"), total("chunk_sizes"))
assert packets == bins >= 160
assert "rfc4106(gcm(aes)) decrypt 256" in kinds
assert total("chunk_sizes") == sum(w["chunks"] for w in workers)
assert 0 < total("turn_ns") <= packets'
	local metrics
	metrics=$(echo metrics | socat -t 10 - UNIX-CONNECT:/run/wavecrypt/control)
	grep -x "wavecrypt_requests_offloaded_total{algorithm=\"$gcm\",direction=\"encrypt\"} $(
		counter "$gcm.encrypt" requests_offloaded)" <<<"$metrics"
	at left "$ctl" metrics --sas --output /run/wavecrypt.prom
	grep "^wavecrypt_sas_packets{reqid=\"1\",.*direction=\"out\",.*} $(
		sa_packets 1 left left)\$" /run/wavecrypt.prom
}

# recorded EVENT COUNT: what trace-cmd shows of wavecrypt's events while so many
# packets go each way. What records a CPU's need not have begun when it runs a command.
recorded()
{
	# shellcheck disable=SC2016 # for the other shell
	trace-cmd record -q -e "$1" -o /run/trace.dat bash -c '
		for ((cpu = $(getconf _NPROCESSORS_ONLN) - 1; cpu >= 0; cpu--)); do
			until [ -e "$0.cpu$cpu" ]; do sleep 0.1; done
		done
		exec "$@"' /run/trace.dat "$bin/numbered" --sizes 100-1200 --count "$2" \
		left "$(inner 2 left)" right "$(inner 2 right)" >/dev/null
	trace-cmd report -i /run/trace.dat
}

# Whoever was routed to be offloaded was submitted and completed, once each.
traced()
{
	local log=/run/trace.txt
	recorded wavecrypt 20 >"$log"
	tail -n 5 "$log"
	grep -q "wavecrypt_route:.* spi=$(printf '0x%08x' "$(spi 2 left)") gcm encrypt len=.* offload" \
		"$log"
	awk '
	match($0, /req=[^ ]+/) { req = substr($0, RSTART, RLENGTH) }
	/wavecrypt_route:.* offload/ { if (state[req]) bad++; state[req] = "routed" }
	/wavecrypt_submit:/ { if (state[req] != "routed") bad++; state[req] = "submitted"; submitted++ }
	/wavecrypt_complete:/ { if (state[req] != "submitted" || !/err=0$/) bad++
				delete state[req]; completed++ }
	/wavecrypt_reap:/ { for (i = 1; i <= NF; i++) if ($i ~ /^nr=/) reaped += substr($i, 4) }
	END { print submitted, reaped, completed, bad + 0
	      exit !(submitted >= 40 && reaped == submitted && completed == submitted && !bad) }' \
		"$log"
}

# A helper that does not answer: its queue stalls, its requests are redone.
traced_stall()
{
	local log=/run/trace.txt pid
	pid=$("$here/../vm/helper" pid)
	echo 250 >/sys/module/wavecrypt/parameters/stall_ms
	kill -STOP "$pid"
	recorded wavecrypt 5 >"$log" || { kill -CONT "$pid"; return 1; }
	kill -CONT "$pid"
	echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
	tail -n 5 "$log"
	grep -E 'wavecrypt_stall: .*queue=[01] inflight=[1-9]' "$log"
	grep -E "wavecrypt_redo: .*spi=$(printf '0x%08x' "$(spi 2 left)")" "$log"
	wait_until 60 grep -qx live "$sysfs/state"
}

# bpf SCRIPT PATTERN: what a script shows of some packets
bpf()
{
	bpftrace -c "$bin/numbered --sizes 100-1200 --count 20 left $(inner 2 left) right $(inner 2 right)" \
		"$here/../../helperd/bpftrace/wavecrypt-$1.bt" >/run/bpf.txt 2>&1
	cat /run/bpf.txt
	grep -E "$2" /run/bpf.txt
}

# Nothing is traced any more, nor left behind
untraced()
{
	expect_equal "users of tracepoints" 0 "$(cat /sys/kernel/tracing/events/wavecrypt/enable)"
}

two_daemons()
{
	local out status=0
	out=$("$here/../../build/helperd/wavecryptd" --foreground 2>&1) || status=$?
	echo "$out"
	expect_equal "exit status" 75 "$status"
	[[ $out == *"another helper is attached (stop it, or take over with --replace)"* ]]
	# The first one's socket is as it was.
	"$ctl" --json status | grep "\"pid\": $("$here/../vm/helper" pid)"
}

# The kernel, the module and the daemon are as doctor wants them
well()
{
	local out
	out=$(at left "$ctl" doctor) || true
	echo "$out"
	grep -E '^good +module +loaded' <<<"$out"
	grep -E '^good +interface' <<<"$out"
	grep -E '^good +device +/dev/wavecrypt' <<<"$out"
	grep -E '^good +algorithm +rfc4106-gcm-aes-wavecrypt: self-test passed, preferred' <<<"$out"
	# The module's defaults are those that doctor knows.
	grep -xE 'note +parameters +set: stall_ms=20000' <<<"$out"
	grep -E '^good +channel +process [0-9]+ serves the module' <<<"$out"
	grep -E '^good +daemon +version' <<<"$out"
	grep -E '^good +memory' <<<"$out"
	grep -E '^good +SAs +4' <<<"$out"
	grep -E '^(good|note) +gain +aes128-sha1 \(2 SAs\)[,:] .*[ (][0-9.]+ times' <<<"$out"
	grep -E '^(good|note) +gain +aes256gcm16 \(2 SAs\)[,:] .*[ (][0-9.]+ times' <<<"$out"
}

# top_now: of two seconds in which packets pass
top_now()
{
	local top
	at left "$ctl" top --json --interval 2 >/run/top.json &
	top=$!
	while kill -0 "$top" 2>/dev/null; do
		numbered 1 >/dev/null || exit
	done
	wait "$top" && python3 -IS -c '
import json, sys
view = json.load(sys.stdin)
print(view["ways"])
assert view["ways"]["lanes"] > 0
assert sum(sa["offloaded_per_s"] for sa in view["sas"]) > 0
assert sum(view["chunk_sizes"].values()) > 0 and sum(view["turn_ns"].values()) > 0' </run/top.json
}

top_shows()
{
	in_tries 5 top_now
}

nobody()
{
	setpriv --reuid 65534 --clear-groups "$@"
}

# Only root sees who talks to whom, asks the daemon, and takes the module away.
not_for_all()
{
	local out
	out=$(nobody "$ctl" status) || true
	echo "$out"
	[[ $out == *"SAs: only root may see them"* ]]
	[[ $out == *"helper   Permission denied"* ]]
	! nobody cat /proc/wavecrypt || return 1
	out=$(nobody "$ctl" retire) || expect_equal "retire's status" 1 $?
	expect_equal "retire" "Nothing has changed: only root may do that." "$out"
}

# GMAC is left to the kernel: integrity without encryption, which is quick there
gmac()
{
	local out add=(ip -n left xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp
		spi 0x77 mode tunnel replay-window 32 reqid 77
		aead 'rfc4543(gcm(aes))' 0x0102030405060708090a0b0c0d0e0f1011121314 128)

	# Who first asks for what the kernel has yet to put together and to test may
	# hear -EAGAIN, which crypto_has_alg(), and so XFRM, takes for "no such thing".
	"${add[@]}" || "${add[@]}"
	out=$(at left "$ctl" status)
	echo "$out"
	[[ $out == *"Of 5 SAs wavecrypt cannot offload 1"* ]]
	[[ $out == *"wavecrypt does not do this algorithm"* ]]
	sas_found left warning "1 of 5 are of algorithms that wavecrypt does not do"
	! grep rekeyed /run/found || return 1
	ip -n left xfrm state delete src 192.0.2.1 dst 192.0.2.2 proto esp spi 0x77
}

# Without an ICV an SA is wavecrypt's, and its packets are done inline.
no_icv()
{
	local out sa=(src 192.0.2.1 dst 192.0.2.2 proto esp spi 0x78)
	local policy=(src 192.0.2.1 dst 10.0.78.2 dir out)
	ip -n left xfrm state add "${sa[@]}" mode tunnel reqid 78 \
		enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f
	ip -n left xfrm policy add "${policy[@]}" tmpl src 192.0.2.1 dst 192.0.2.2 proto esp \
		reqid 78 mode tunnel
	# The right does not have it.
	! at left ping -q -c 1 -W 1 10.0.78.2 || return 1
	no_xfrm_errors || :
	out=$(at left "$ctl" status)
	echo "$out"
	[[ $out == *"Of 5 SAs wavecrypt cannot offload 1"* ]]
	sas_found left warning "1 of 5 are wavecrypt's, and cannot be offloaded"
	! grep rekeyed /run/found || return 1
	ip -n left xfrm policy delete "${policy[@]}"
	ip -n left xfrm state delete "${sa[@]}"
}

rekeyed()
{
	gateways_up_again
	set_mode inline
	carry
	first_line left 1 'Not accelerated: the module was told to offload nothing'
	all_were inline
	sa 1 left inline_driver | grep authenc
	set_mode auto
}

# New SAs on both sides: those of the right are wavecrypt's now
gateways_up_again()
{
	local side
	for side in left right; do
		ip -n "$side" xfrm state flush
		sas_add "$side"
	done
}

both_are()
{
	first_line right 0 "Ready: no traffic in the last "
	look right
	expect_equal "driver" authenc-hmac-sha1-cbc-aes-wavecrypt "$(sa 1 left driver)"
}

no_helper()
{
	"$here/../vm/helper" stop
	first_line left 1 "Not accelerated: no helper is attached"
	"$here/../vm/helper" start
	first_line left 0 "Ready: no traffic in the last "
}

# The module can be unloaded with tunnels up.
retired()
{
	"$ctl" retire | grep 'then: systemctl stop wavecryptd; rmmod wavecrypt$'
	first_line left 1 "Not accelerated: "
	carry
	gateways_up_again
	[[ $("$ctl" retire) == *'New SAs use'* ]]
	look left
	[[ $(sa 1 left driver) != *wavecrypt ]]
	module_unload
	carry
	module_load
}

ktap_begin
ktap_test "wavecrypt to the left, the kernel's code to the right" arrange left
ktap_test "status before the first packet" unused
ktap_test "status of SAs that are offloaded" offloaded
ktap_test "status of SAs that are older than the module" elsewhere
ktap_test "status answers for now, and for SAs that are named" now
ktap_test "latency of requests" latency
ktap_test "drain and resume" drained
ktap_test "metrics and stats" counted
ktap_test "doctor finds all well" well
ktap_test "top shows traffic" top_shows
ktap_test "settings read again under traffic" reloaded
ktap_test "a second daemon" two_daemons
ktap_test "tracepoints tell each request's life" traced
ktap_test "tracepoints of a stall" traced_stall
if [ -e /proc/sys/kernel/bpf_stats_enabled ]; then
	ktap_test "latency by way, with bpftrace" bpf latency '@offloaded_ns:'
	ktap_test "batch sizes, with bpftrace" bpf batches '@batch\[[01]\]:'
else
	ktap_skip "bpftrace" "this kernel has no BPF"
fi
ktap_test "tracepoints are off again" untraced
ktap_test "SAs are for root to see" not_for_all
ktap_test "status of an SA that wavecrypt cannot serve" gmac
ktap_test "status of an SA that cannot be offloaded" no_icv
ktap_test "status of SAs that are done inline" rekeyed
ktap_test "status of SAs that moved over" both_are
ktap_test "status without a helper" no_helper
ktap_test "retired, and unloaded with tunnels up" retired
ktap_test "gateways down" gateways_down
ktap_end
