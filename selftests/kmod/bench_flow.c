// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: requests on their way through a driver
 *
 * Requests are submitted as ESP submits them, with softirqs disabled, in bursts
 * no longer than what a network driver takes in at once; between two bursts
 * softirqs may run. While as many requests are in flight as may be, there is
 * nothing to do but to wait for completions.
 *
 * Whatever happens is a step, and a step's time goes where it belongs: to
 * submission (which is all there is with a synchronous driver); to completion,
 * if completions came in; or it was spent waiting. What a driver does for a
 * completion before it calls back is so counted, which the callback cannot see.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/version.h>

#include "bench.h"

/* when nothing was completed for so long, what is in flight is lost */
#define LOST_AFTER	(20 * HZ)

/* how often to let workers run */
#define WORKER_STEPS	64

static void done(struct bench_packet *packet, int result)
{
	struct bench_flow *flow = packet->flow;

	if (result != packet->expect)
		flow->errors++;
	if (packet->seq != packet->lane->completed++)
		flow->misordered++;
	if (smp_processor_id() != flow->cpu || !in_softirq())
		flow->misplaced++;
	if (flow->latency && flow->completed < flow->latencies)
		flow->latency[flow->completed] = bench_cycles() - packet->arrival;
	packet->busy = false;
	WRITE_ONCE(flow->completed, flow->completed + 1);
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static void callback(struct crypto_async_request *base, int result)
{
	/* left a backlog, where it never was */
	if (result != -EINPROGRESS)
		done(base->data, result);
}
#else
static void callback(void *data, int result)
{
	if (result != -EINPROGRESS)
		done(data, result);
}
#endif

static u32 in_flight(const struct bench_flow *flow)
{
	return flow->submitted - READ_ONCE(flow->completed);
}

static struct bench_packet *next_packet(const struct bench_flow *flow)
{
	return &flow->packets->packet[flow->submitted % flow->packets->nr];
}

static bool has_room(const struct bench_flow *flow)
{
	return in_flight(flow) < flow->depth && !READ_ONCE(next_packet(flow)->busy);
}

static void submit(struct bench_flow *flow, u64 arrival)
{
	const struct bench_shape *shape = flow->packets->shape;
	struct bench_packet *packet = next_packet(flow);
	struct aead_request *req = packet->req;
	int ret;

	/* what was encrypted with an SA's key is decrypted with it */
	packet->lane = &flow->driver->lane[(packet - flow->packets->packet) %
					   flow->driver->lanes];
	packet->flow = flow;
	packet->seq = packet->lane->submitted++;
	packet->busy = true;
	packet->arrival = arrival;
	flow->submitted++;

	aead_request_set_tfm(req, packet->lane->tfm);
	aead_request_set_callback(req, 0, callback, packet);
	if (flow->decrypt || !shape->iv_block)
		memcpy(packet->iv, packet->data + 8, shape->ivsize);
	else
		memset(packet->iv, 0, shape->ivsize);

	if (flow->decrypt) {
		aead_request_set_ad(req, shape->dec_aad);
		aead_request_set_crypt(req, &packet->sg, &packet->sg,
				       packet->len + shape->icv, packet->iv);
		ret = crypto_aead_decrypt(req);
	} else {
		aead_request_set_ad(req, shape->enc_aad);
		aead_request_set_crypt(req, &packet->sg, &packet->sg,
				       shape->iv_block + packet->len, packet->iv);
		ret = crypto_aead_encrypt(req);
	}

	if (ret == -EINPROGRESS)
		flow->later++;
	else
		done(packet, ret);
}

/*
 * Let softirqs run, and now and then a worker that does the driver's work. Return:
 * the time after that, @now being the time before.
 */
static u64 others_step(struct bench_flow *flow, u64 now, bool workers)
{
	u32 completed = READ_ONCE(flow->completed);
	u64 then;

	local_bh_enable();
	if (workers)
		schedule();
	then = bench_cycles();
	if (READ_ONCE(flow->completed) != completed)
		flow->complete += then - now;
	return then;
}

/**
 * bench_flow_init - begin a flow
 * @flow: the flow
 * @packets: what to send
 * @driver: to whom
 * @spec: how many at a time, and when
 * @decrypt: direction
 */
void bench_flow_init(struct bench_flow *flow, struct bench_packets *packets,
		     struct bench_driver *driver, const struct bench_spec *spec,
		     bool decrypt)
{
	*flow = (struct bench_flow) {
		.packets = packets,
		.driver = driver,
		.decrypt = decrypt,
		.depth = spec->depth,
		.burst = spec->burst,
		.interval = bench_ns_to_cycles(spec->interval_ns),
		.cpu = raw_smp_processor_id(),
	};
}

/**
 * bench_flow_run - send packets
 * @flow: the flow
 * @requests: most requests to submit
 * @cycles: time after which to submit no more
 *
 * Returns when all that were submitted are completed. They arrive as fast as
 * they can be taken, or, if the flow has an interval, when it is their time:
 * one that has to wait then is late, and its latency counts from when it was due.
 *
 * Return: 0; -EINTR after a signal; -ETIMEDOUT if a request was lost, and then
 * nothing that it may still refer to can be freed.
 */
int bench_flow_run(struct bench_flow *flow, u32 requests, u64 cycles)
{
	u64 begin = bench_cycles(), now = begin, arrival = begin, moved = begin, then;
	u32 last = flow->submitted + requests, completed = flow->completed;
	unsigned long progress = jiffies;
	unsigned int step, burst;
	bool stop = false;

	for (step = 1; ; step++) {
		if (flow->submitted == last || arrival - begin >= cycles)
			stop = true;
		if (stop && !in_flight(flow))
			break;

		local_bh_disable();
		for (burst = 0; !stop && burst < flow->burst && has_room(flow) &&
		     arrival <= now && flow->submitted != last; burst++) {
			submit(flow, arrival);
			arrival = flow->interval ? arrival + flow->interval : now;
		}
		if (burst) {
			then = bench_cycles();
			flow->submit += then - now;
			now = then;
		}
		now = others_step(flow, now, !burst && step % WORKER_STEPS == 0);
		if (!flow->interval)
			arrival = now;

		if (flow->completed != completed || !in_flight(flow)) {
			completed = flow->completed;
			progress = jiffies;
			flow->gap = max(flow->gap, now - moved);
			moved = now;
		} else if (time_after(jiffies, progress + LOST_AFTER)) {
			pr_err("%u of %u requests were lost\n", in_flight(flow),
			       flow->submitted);
			return -ETIMEDOUT;
		}
		if (step % WORKER_STEPS == 0 && signal_pending(current))
			stop = true;
	}
	flow->wall += now - begin;
	return signal_pending(current) ? -EINTR : 0;
}
