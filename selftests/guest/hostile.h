/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A helper that lies in every way that the interface allows.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef GUEST_HOSTILE_H
#define GUEST_HOSTILE_H

#include <stdbool.h>
#include <stdint.h>

#include "peer.h"

/**
 * enum lie - what a helper may say that is not so, or not say
 * @LIE_STALE: the generation that a slot had before
 * @LIE_RANDOM: an entry of random bits
 * @LIE_RANGE: an index beyond the ring
 * @LIE_STATUS: a status that there is not
 * @LIE_TWICE: a completion, and again
 * @LIE_EARLY: what was not submitted
 * @LIE_DONE: that an authentic packet was a forgery
 * @LIE_AHEAD: more completions than the ring has room for
 * @LIE_BACK: fewer than it said before
 * @LIE_FLOOD: a ring full of random entries
 * @LIE_SILENT: nothing, for long
 * @LIE_GONE: something, after it has detached
 */
enum lie {
	LIE_STALE,
	LIE_RANDOM,
	LIE_RANGE,
	LIE_STATUS,
	LIE_TWICE,
	LIE_EARLY,
	LIE_DONE,
	LIE_AHEAD,
	LIE_BACK,
	LIE_FLOOD,
	LIE_SILENT,
	LIE_GONE,
	LIES,
};

/**
 * struct tally - what was done, by all processes and threads
 * @attached: times that it became the helper
 * @broken: times that the module saw through it
 * @published: completions, true or not
 * @taken: completions that the module took for true
 * @late: completions published when the channel had ended
 * @lies: of each kind
 * @rewritten: entries and slots written to when they were not its to write
 * @bells: bells
 * @calls: other calls, with random arguments
 * @maps: mappings made, changed, and torn down
 * @killed: times that it was killed in the middle
 */
struct tally {
	uint64_t attached;
	uint64_t broken;
	uint64_t published;
	uint64_t taken;
	uint64_t late;
	uint64_t lies[LIES];
	uint64_t rewritten;
	uint64_t bells;
	uint64_t calls;
	uint64_t maps;
	uint64_t killed;
};

extern struct tally *tally;
extern const char * const lie_names[LIES];

/** count - so many more */
static inline void count(uint64_t *what, uint64_t nr)
{
	__atomic_fetch_add(what, nr, __ATOMIC_RELAXED);
}

void answer(struct peer *peer, uint64_t seed, bool corrupt);
void meddle(struct peer *peer, uint64_t seed);

#endif /* GUEST_HOSTILE_H */
