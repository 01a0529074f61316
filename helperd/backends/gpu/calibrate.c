// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/gpu/calibrate.h"
#include "backends/gpu/kinds.h"
#include "backends/gpu/selftest.h"
#include "backends/measure.h"

/* What counts where nothing is measured: hardly anything, but not nothing. */
static const struct backend_cost unmeasured = {
	.packet_ns = 1,
	.byte_ns = 0.01,
	.delay_ns = 1000,
};

/* Most packets of a chunk: two chunks fit a queue. */
static uint32_t most(const struct gpu_settings *settings)
{
	return settings->chunk < WAVECRYPT_MAX_ENTRIES / 2 ?
	       settings->chunk : WAVECRYPT_MAX_ENTRIES / 2;
}

static uint32_t full(const struct backend *be, uint32_t most)
{
	uint32_t room = backend_room(be, MEASURE_LONG);

	return room < most ? room : most;
}

static void measure_kinds(struct measure *m, struct gpu_session *session)
{
	for (unsigned int kind = 0; !m->why && kind < ALG_KINDS; kind++) {
		if (!gpu_has_kernel(session, kind))
			continue;
		/* What it costs is learnt from its chunks later. */
		if (gpu_kind_like(kind) != kind) {
			session->cost[kind] = session->cost[gpu_kind_like(kind)];
			continue;
		}
		m->grain = wavecrypt_gpu_packets(session->shape,
						 alg_of_kind(kind),
						 alg_op_of_kind(kind));
		measure_cost(m, kind, &session->cost[kind]);
	}
}

static const char *measure_session(struct gpu_session *session)
{
	const char *why = "no memory";
	struct measure m = { 0 };
	uint32_t many = most(session->settings);
	struct backend *be = NULL;
	struct rig rig;
	bool released;

	if (rig_open(&rig, 2 * many, MEASURE_LONG))
		be = session->kind->open(session, loopback_channel(rig.lb), &why);
	if (be && measure_open(&m, be, &rig, full(be, many))) {
		measure_kinds(&m, session);
		why = m.why;
	}
	measure_close(&m);
	released = !be || session->kind->close(be);
	/* What has hung may still write there. */
	rig_close(&rig, !released);
	return why;
}

const char *calibrate(struct gpu_session *session, bool timed)
{
	bool passed = gpu_passed(session);
	const char *why;

	for (unsigned int kind = 0; kind < ALG_KINDS; kind++)
		session->cost[kind] = unmeasured;
	session->calibrating = true;
	why = gpu_selftest(session, !passed);
	if (!why && !passed)
		gpu_pass(session);
	if (!why && timed)
		why = measure_session(session);
	session->calibrating = false;
	return why;
}

/* A full chunk of usual packets, every other one being encrypted */
double calibrate_rating(const struct gpu_settings *settings,
			const struct backend_cost cost[ALG_KINDS])
{
	double sum = 0;

	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		const struct backend_cost *c = &cost[i];

		sum += c->packet_ns + 1024 * c->byte_ns +
		       (c->delay_ns + 1024 * c->delay_byte_ns + c->host_ns) /
		       settings->chunk + c->host_packet_ns;
	}
	return sum;
}
