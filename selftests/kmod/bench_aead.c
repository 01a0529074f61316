// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: AEAD drivers, asked as ESP asks them
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/version.h>

#include "bench.h"

struct aead_subject {
	struct bench_subject subject;
	struct bench_aead_flow flow;
	struct bench_driver driver[BENCH_DRIVERS];
	struct bench_packets packets;
	struct bench_latency latency;
};

static void done(struct bench_packet *packet, int result)
{
	struct bench_aead_flow *flow = packet->flow;

	if (result != packet->expect)
		flow->errors++;
	if (packet->seq != packet->lane->completed++)
		flow->misordered++;
	if (smp_processor_id() != flow->cpu || !in_softirq())
		flow->misplaced++;
	if (flow->latency)
		bench_latency_note(flow->latency, packet->arrival);
	if (flow->watch && packet->other)
		bench_watch_other_completed(flow->watch, packet->arrival);
	else if (flow->watch)
		bench_watch_completed(flow->watch, packet->arrival);
	WRITE_ONCE(packet->busy, false);
	bench_flow_completed(&flow->flow);
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

static struct bench_packet *next_packet(const struct bench_aead_flow *flow)
{
	return &flow->packets->packet[flow->flow.submitted % flow->packets->nr];
}

static bool ready(struct bench_flow *base)
{
	struct bench_aead_flow *flow = container_of(base, struct bench_aead_flow, flow);

	return !READ_ONCE(next_packet(flow)->busy);
}

static void send(struct bench_flow *base, u64 arrival)
{
	struct bench_aead_flow *flow = container_of(base, struct bench_aead_flow, flow);
	const struct bench_shape *shape = flow->packets->shape;
	struct bench_packet *packet = next_packet(flow);
	struct aead_request *req = packet->req;
	struct bench_driver *driver;
	int ret;

	packet->other = flow->watch && bench_watch_other_due(flow->watch, &arrival);
	driver = packet->other ? flow->other : flow->driver;
	/* what was encrypted with an SA's key is decrypted with it */
	packet->lane = &driver->lane[(packet - flow->packets->packet) % driver->lanes];
	packet->flow = flow;
	packet->seq = packet->lane->submitted++;
	packet->busy = true;
	packet->arrival = arrival;
	if (flow->watch) {
		bench_watch_submitted(flow->watch,
				      base->submitted - base->completed + 1);
		base->over = bench_watch_over();
	}

	aead_request_set_tfm(req, packet->lane->tfm);
	aead_request_set_callback(req, flow->flags, callback, packet);
	if (flow->decrypt || !shape->iv_block)
		memcpy(packet->iv, (flow->apart ? packet->cipher : packet->data) +
		       shape->dec_aad - shape->ivsize, shape->ivsize);
	else
		memset(packet->iv, 0, shape->ivsize);

	if (flow->decrypt) {
		aead_request_set_ad(req, shape->dec_aad);
		aead_request_set_crypt(req, flow->apart ? &packet->kept : &packet->sg,
				       &packet->sg, packet->len + shape->icv,
				       packet->iv);
		ret = crypto_aead_decrypt(req);
	} else {
		aead_request_set_ad(req, shape->enc_aad);
		aead_request_set_crypt(req, &packet->sg, &packet->sg,
				       shape->iv_block + packet->len, packet->iv);
		ret = crypto_aead_encrypt(req);
	}

	if (ret == -EINPROGRESS || (ret == -EBUSY && flow->flags))
		flow->later++;
	else
		done(packet, ret);
}

static struct aead_subject *aead_subject(struct bench_subject *subject)
{
	return container_of(subject, struct aead_subject, subject);
}

static void begin_flow(struct aead_subject *s, unsigned int side, bool decrypt)
{
	s->flow = (struct bench_aead_flow) {
		.flow = { .ready = ready, .send = send },
		.packets = &s->packets,
		.driver = &s->driver[side],
		.decrypt = decrypt,
		.flags = s->subject.spec->backlog ? CRYPTO_TFM_REQ_MAY_BACKLOG : 0,
		.cpu = raw_smp_processor_id(),
	};
	bench_flow_init(&s->flow.flow, s->subject.spec);
}

static void begin(struct bench_subject *subject, unsigned int side)
{
	struct aead_subject *s = aead_subject(subject);

	begin_flow(s, side, subject->spec->decrypt);
	s->flow.apart = true;
	bench_latency_begin(&s->latency);
	s->flow.latency = &s->latency;
}

/*
 * Decryption in place uses up what it is given. To renew that would take time, and
 * let the helper catch up or fall asleep: so what was kept is decrypted.
 */
static int run(struct bench_subject *subject, u64 cycles)
{
	return bench_flow_run(&aead_subject(subject)->flow.flow, U32_MAX, cycles);
}

static int judge(struct bench_subject *subject)
{
	const struct bench_aead_flow *flow = &aead_subject(subject)->flow;

	if (!flow->errors && !flow->misordered && !flow->misplaced)
		return 0;
	pr_err("%s: of %u requests %u failed, %u came out of order, %u in the wrong place\n",
	       bench_driver_name(flow->driver), flow->flow.submitted, flow->errors,
	       flow->misordered, flow->misplaced);
	return -EBADE;
}

static const char *name(struct bench_subject *subject, unsigned int side)
{
	return bench_driver_name(&aead_subject(subject)->driver[side]);
}

static void print(struct bench_subject *subject, struct bench_output *out)
{
	struct aead_subject *s = aead_subject(subject);

	bench_print(out, ",\"later\":%llu", s->flow.later);
	bench_latency_print(&s->latency, out);
}

/* Send every packet once, as fast as it goes. */
static int once(struct aead_subject *s, unsigned int side, bool decrypt)
{
	begin_flow(s, side, decrypt);
	s->flow.flow.interval = 0;
	return bench_flow_run(&s->flow.flow, s->packets.nr, U64_MAX) ?: judge(&s->subject);
}

/* Before a driver is measured, it has to show that it does the work. */
static int prepare(struct bench_subject *subject, unsigned int side)
{
	struct aead_subject *s = aead_subject(subject);
	int err;

	bench_packets_plain(&s->packets);
	err = once(s, side, false);
	if (err)
		return err;
	if (side == 0)
		bench_packets_keep_cipher(&s->packets);
	err = bench_packets_check(&s->packets, false);
	if (err)
		return err;

	bench_packets_cipher(&s->packets);
	bench_packets_spoil(&s->packets, true);
	err = once(s, side, true) ?: bench_packets_check(&s->packets, true);
	bench_packets_spoil(&s->packets, false);
	return err;
}

/* One side alone while somebody disturbs it, for no longer than a slice. */
static int stall(struct aead_subject *s, struct bench_output *out)
{
	struct bench_subject *subject = &s->subject;
	struct bench_watch *watch;
	int err;

	watch = kzalloc(sizeof(*watch), GFP_KERNEL);
	if (!watch)
		return -ENOMEM;
	begin(subject, 1);
	err = run(subject, bench_ns_to_cycles(subject->spec->settle_us * 1000ull));
	if (err)
		goto free;
	begin(subject, 1);
	s->flow.other = &s->driver[0];
	s->flow.watch = watch;
	bench_watch_begin(watch, out);
	err = run(subject, bench_ns_to_cycles(subject->spec->slice_us * 1000ull));
	bench_watch_end(watch);
	s->flow.watch = NULL;
	if (err)
		goto free;
	bench_print(out, "{\"driver\":\"%s\",\"packets\":%u,\"lost\":%u,\"bytes\":%zu}\n",
		    subject->name(subject, 1), s->flow.flow.submitted,
		    s->flow.flow.submitted - s->flow.flow.completed,
		    bench_packets_footprint(&s->packets));
	err = judge(subject);
free:
	/* after -ETIMEDOUT nobody submits, and what completes yet is not watched */
	kfree(watch);
	return err;
}

static void subject_free(struct aead_subject *s)
{
	unsigned int side;

	if (!s)
		return;
	for (side = 0; side < BENCH_DRIVERS; side++)
		bench_driver_unview(&s->driver[side]);
	if (s->packets.packet)
		bench_packets_free(&s->packets);
	bench_latency_free(&s->latency);
	kfree(s);
}

/* What one CPU sends through @drivers: by @spec->tfms of their SAs, or by all */
static struct aead_subject *subject_make(const struct bench_spec *spec,
					 const struct bench_driver *drivers,
					 unsigned int cpu)
{
	struct aead_subject *s = kzalloc(sizeof(*s), GFP_KERNEL);
	unsigned int side, reqsize = 0;

	if (!s)
		return NULL;
	s->subject = (struct bench_subject) {
		.spec = spec, .flow = &s->flow.flow, .prepare = prepare, .begin = begin,
		.run = run, .judge = judge, .name = name, .print = print,
	};
	if (spec->interval_ns && spec->what == BENCH_AEAD && bench_latency_make(&s->latency))
		goto free;
	for (side = 0; side < BENCH_DRIVERS; side++) {
		/* of the others, one that submits with neither side's CPUs has none */
		if (cpu && cpu >= bench_scale_cpus(spec, side))
			continue;
		if (bench_driver_view(&s->driver[side], &drivers[side],
				      spec->share ? 0 : cpu * spec->tfms, spec->tfms))
			goto free;
		reqsize = max(reqsize, crypto_aead_reqsize(drivers[side].lane[0].tfm));
	}
	if (!bench_packets_make(&s->packets, spec, reqsize))
		return s;
	s->packets.packet = NULL;
free:
	subject_free(s);
	return NULL;
}

/* Many CPUs at a time. */
static int scale(const struct bench_spec *spec, const struct bench_driver *drivers,
		 struct bench_output *out)
{
	unsigned int i, nr = bench_scale_most(spec);
	struct bench_subject **subjects = kcalloc(nr, sizeof(*subjects), GFP_KERNEL);
	struct aead_subject *s;
	int err = -ENOMEM;

	if (!subjects)
		return err;
	for (i = 0; i < nr; i++) {
		s = subject_make(spec, drivers, i);
		if (!s)
			goto free;
		subjects[i] = &s->subject;
	}
	err = bench_scale(spec, subjects, out);
	if (err == -ETIMEDOUT)
		return err;
free:
	for (i = 0; i < nr && subjects[i]; i++)
		subject_free(aead_subject(subjects[i]));
	kfree(subjects);
	return err;
}

static int compare(const struct bench_spec *spec, const struct bench_driver *drivers,
		   struct bench_output *out)
{
	struct aead_subject *s = subject_make(spec, drivers, 0);
	int err = -ENOMEM;

	if (!s)
		return err;
	err = prepare(&s->subject, 0) ?: prepare(&s->subject, 1) ?:
	      spec->what == BENCH_STALL ? stall(s, out) : bench_compare(&s->subject, out);
	if (err != -ETIMEDOUT)
		subject_free(s);
	return err;
}

/**
 * bench_aead - compare two drivers, or watch one
 * @spec: doing what
 * @out: where to print a line for every sample
 *
 * Return: 0, or a negative error code and a message in the kernel's log. -EBADE
 * means that a driver did not do what drivers do.
 */
int bench_aead(const struct bench_spec *spec, struct bench_output *out)
{
	struct bench_driver drivers[BENCH_DRIVERS] = { };
	unsigned int side, lanes;
	int err = 0;

	for (side = 0; side < BENCH_DRIVERS && !err; side++) {
		lanes = spec->tfms;
		if (!spec->share)
			lanes *= bench_scale_cpus(spec, side);
		err = bench_driver_open(&drivers[side], spec->driver[side], spec, lanes);
	}
	if (!err)
		err = spec->cpus ? scale(spec, drivers, out) :
				   compare(spec, drivers, out);
	if (err == -ETIMEDOUT) {
		/* what was lost may yet be found: leave everything where it is */
		__module_get(THIS_MODULE);
		return err;
	}
	for (side = 0; side < BENCH_DRIVERS; side++)
		bench_driver_close(&drivers[side]);
	return err;
}
