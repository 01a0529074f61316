// SPDX-License-Identifier: GPL-2.0-only
/*
 * The answers of a helper that lies. What it does not lie about it cannot do
 * (%WAVECRYPT_STATUS_RETRY), so that whatever becomes of a request is the module's
 * work: no result is accepted from it that the module could not have recognised.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hostile.h"
#include "random.h"

const char * const lie_names[LIES] = {
	[LIE_STALE]	= "a generation of the past",
	[LIE_RANDOM]	= "random bits",
	[LIE_RANGE]	= "an index beyond the ring",
	[LIE_STATUS]	= "a status that there is not",
	[LIE_TWICE]	= "a completion, twice",
	[LIE_EARLY]	= "what was not submitted",
	[LIE_DONE]	= "an authentic packet is a forgery",
	[LIE_AHEAD]	= "more than the ring holds",
	[LIE_BACK]	= "less than before",
	[LIE_FLOOD]	= "a ring full of random bits",
	[LIE_SILENT]	= "nothing, for long",
	[LIE_GONE]	= "something, after detaching",
};

/* How far one queue has been read and answered */
struct front {
	struct peer_queue q;
	uint32_t seen;
	uint32_t said;
};

static bool live(const struct peer *peer)
{
	uint32_t state = peer_state(peer);

	return state == WAVECRYPT_STATE_LIVE || state == WAVECRYPT_STATE_STALLED;
}

static void say(const struct peer *peer, struct front *f, struct wavecrypt_cqe cqe)
{
	f->q.cq_ring[f->said++ & (peer->at.entries - 1)] = cqe;
	count(&tally->published, 1);
}

static struct wavecrypt_cqe noise(uint64_t *seed, bool any_status)
{
	uint64_t bits = random_next(seed);

	/* Not "done": it might happen to be believed. */
	return (struct wavecrypt_cqe) {
		.gen = bits & 1 ? bits >> 40 : bits >> 32,
		.index = bits & 2 ? bits >> 20 & 511 : bits >> 16,
		.status = any_status ? 1 + (bits >> 4 & 7) : WAVECRYPT_STATUS_RETRY,
	};
}

/* Lie about a request that is there to be answered. */
static void lie(struct peer *peer, struct front *f, uint32_t index,
		enum lie kind, uint64_t *seed)
{
	const struct wavecrypt_desc *desc = &f->q.desc[index];
	struct wavecrypt_cqe cqe = { desc->gen, index, WAVECRYPT_STATUS_RETRY };

	count(&tally->lies[kind], 1);
	switch (kind) {
	case LIE_STALE:
		cqe.gen -= 1 + random_below(seed, 3);
		break;
	case LIE_RANDOM:
		cqe = noise(seed, true);
		break;
	case LIE_RANGE:
		cqe.index = peer->at.entries + random_below(seed, 65536 - peer->at.entries);
		break;
	case LIE_STATUS:
		cqe.status = 2 + random_below(seed, 65534);
		break;
	case LIE_TWICE:
		say(peer, f, cqe);
		break;
	case LIE_EARLY:
		cqe.index = random_below(seed, peer->at.entries);
		cqe.gen = f->q.desc[cqe.index].gen + random_below(seed, 2);
		break;
	case LIE_DONE:
		if (desc->op == WAVECRYPT_OP_DECRYPT)
			cqe.status = WAVECRYPT_STATUS_OK;
		break;
	case LIE_AHEAD:
		f->said += peer->at.entries + random_below(seed, 1u << 31);
		break;
	case LIE_BACK:
		f->said -= 2 + random_below(seed, 1u << 31);
		break;
	case LIE_FLOOD:
		for (uint32_t i = 1; i < peer->at.entries; i++)
			say(peer, f, noise(seed, false));
		break;
	case LIE_SILENT:
		return;
	case LIE_GONE:
		ioctl(peer->fd, WAVECRYPT_IOC_DETACH);
		break;
	default:
		break;
	}
	say(peer, f, cqe);
}

/* Answer what was submitted to a queue; true if there was anything. */
static bool serve(struct peer *peer, struct front *f, uint64_t *seed,
		  uint32_t honesty, bool corrupt)
{
	uint32_t tail = __atomic_load_n(&f->q.sq->tail, __ATOMIC_ACQUIRE);

	if (f->seen == tail)
		return false;
	for (; f->seen != tail; f->seen++) {
		uint32_t index = f->q.sq_ring[f->seen & (peer->at.entries - 1)];
		struct wavecrypt_cqe cqe = {
			f->q.desc[index].gen, index,
			corrupt ? WAVECRYPT_STATUS_OK : WAVECRYPT_STATUS_RETRY,
		};

		if (random_below(seed, honesty))
			say(peer, f, cqe);
		else
			lie(peer, f, index, random_below(seed, LIES), seed);
	}
	f->q.cq->pass_on = random_below(seed, 3) * 0x7fffffff;
	f->q.cq->wanted = f->said + random_below(seed, 64) - 32;
	__atomic_store_n(&f->q.cq->tail, f->said, __ATOMIC_RELEASE);
	return true;
}

/* Publish random bits, to somebody who has gone. */
static void shout(struct peer *peer, struct front *f, uint64_t *seed)
{
	for (int i = 0; i < 64; i++)
		say(peer, f, noise(seed, true));
	__atomic_store_n(&f->q.cq->tail, f->said, __ATOMIC_RELEASE);
	count(&tally->late, 64);
}

/**
 * answer - serve every queue until the module has had enough
 * @peer: a helper's end, just attached
 * @seed: what to say
 * @corrupt: say of everything that it is done
 */
void answer(struct peer *peer, uint64_t seed, bool corrupt)
{
	/* Some lie all the time, some rarely, and some never but by others. */
	static const uint32_t honesties[] = { 2, 20, 200, 2000, UINT32_MAX };
	uint32_t honesty = corrupt ? UINT32_MAX : honesties[random_below(&seed, 5)];
	uint32_t after = 100 + random_below(&seed, 1000), id;
	struct front *fronts = calloc(peer->at.queues, sizeof(*fronts));

	if (!fronts)
		return;
	for (id = 0; id < peer->at.queues; id++)
		peer_queue(peer, id, &fronts[id].q);

	/* And for a while after the end */
	while (live(peer) || after--) {
		for (id = 0; id < peer->at.queues; id++) {
			if (!live(peer)) {
				shout(peer, &fronts[id], &seed);
			} else if (serve(peer, &fronts[id], &seed, honesty, corrupt)) {
				ioctl(peer->fd, WAVECRYPT_IOC_BELL, id);
				count(&tally->bells, 1);
			}
		}
		sched_yield();
	}
	for (id = 0; id < peer->at.queues; id++)
		count(&tally->taken, fronts[id].q.sq->reaped);
	if (peer_state(peer) == WAVECRYPT_STATE_BROKEN)
		count(&tally->broken, 1);
	free(fronts);
}
