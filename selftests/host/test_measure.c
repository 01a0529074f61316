// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measuring a device that fails while it is measured, and what is interrupted.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/measure.h"
#include "ktap.h"
#include "lib/array.h"

/* Packets of a full chunk */
#define MANY	64u

/* A device that has this many chunks to go before one fails, and takes no more then */
static uint32_t good_ones;

/* What it has, oldest first, and how many packets each had when it was given */
static struct chunk *with[2];
static uint32_t packets[ARRAY_SIZE(with)], has;

static bool submit(struct backend *be, struct chunk *c)
{
	if (be->state != BACKEND_GOOD || has == ARRAY_SIZE(with))
		return false;
	with[has] = c;
	packets[has++] = c->nr;
	return true;
}

static struct chunk *poll(struct backend *be)
{
	struct chunk *c = with[0];

	if (!has)
		return NULL;
	EXPECT(c->nr == packets[0], "given with %u packets, that became %u", packets[0], c->nr);
	with[0] = with[1];
	packets[0] = packets[1];
	has--;
	for (uint32_t i = 0; i < c->nr; i++)
		c->packets[i]->status = WAVECRYPT_STATUS_OK;
	if (good_ones) {
		good_ones--;
		return c;
	}
	c->failed = true;
	be->state = BACKEND_LOST;
	return c;
}

/* Whichever fails, that is what is said, and those that it still has stay as they are. */
static void fails(void)
{
	static const struct backend_ops ops = {
		.beside = true, .submit = submit, .poll = poll,
	};
	const unsigned int kind = alg_kind(WAVECRYPT_ALG_GCM, WAVECRYPT_OP_ENCRYPT, 16);
	struct backend_cost cost;
	bool failed = true;
	struct rig rig;

	if (!EXPECT(rig_open(&rig, 2 * MANY, MEASURE_LONG), "no memory"))
		return;
	for (uint32_t nr = 0; failed; nr++) {
		struct backend be = { .ops = &ops, .chunks = ARRAY_SIZE(with) };
		struct measure m;

		good_ones = nr;
		EXPECT(measure_open(&m, &be, &rig, MANY), "no memory");
		failed = !measure_cost(&m, kind, &cost);
		EXPECT(!failed || !strcmp(m.why, "a chunk fails"), "chunk %u: %s", nr, m.why);
		EXPECT(failed || nr > 20, "only %u chunks", nr);
		measure_close(&m);
	}
	rig_close(&rig, false);
}

/* The first of its runs is interrupted for 3 ms. */
static bool interrupted(void *with)
{
	unsigned int *runs = with;
	uint64_t until = clock_ns() + 3 * NSEC_PER_MSEC;

	while (!*runs && clock_ns() < until)
		;
	++*runs;
	return true;
}

/* That is no reason to believe that it takes so long. */
static void long_once(void)
{
	unsigned int runs = 0;
	double ns = measure_fastest(interrupted, &runs, 2 * NSEC_PER_MSEC);

	EXPECT(runs == 2, "%u runs", runs);
	EXPECT(ns < NSEC_PER_MSEC, "%.0f ns, which it takes only when it is interrupted", ns);
}

static const struct ktap_case cases[] = {
	{ "a device that fails: it is said how", fails },
	{ "what is interrupted once is measured again", long_once },
	{ 0 },
};

int main(void)
{
	clock_setup();
	return ktap_run(cases);
}
