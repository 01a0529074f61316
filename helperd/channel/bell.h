/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When to ring the bell.
 *
 * The module takes completions by itself whenever it submits on that queue, and
 * a bell is a system call and an interrupt. So, while submissions keep coming,
 * completions are given a moment to be noticed; when the submitter has gone
 * quiet, nobody but the bell will bring it back, and it is rung at once. How
 * long the moment is follows from whether waiting has paid lately. Where the module
 * says that it comes, an interrupt would not have it come sooner, and there is none.
 *
 * At most one bell is outstanding per queue: the next is rung when the module
 * has moved since the last, or when that one seems to have been lost. Whether it has
 * moved is looked at again and again: while it takes what there was, it may not see
 * what comes, and it moves when it is done with that.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CHANNEL_BELL_H
#define WAVECRYPT_CHANNEL_BELL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/clock.h"
#include "wavecrypt.h"

/**
 * struct bell - the bell of one queue, in lines of its own; times in ticks
 * @max_patience: longest wait for the module to notice by itself
 * @again: a bell that moved nothing for so long is rung again
 * @patience: wait that has been worth it lately
 * @due: when to ring, if completions wait
 * @rung: when it was rung last
 * @since: when @waiting began, or something was seen to have been reaped since
 * @waiting: published completions are not known to be reaped
 * @fresh: published, and @due is when that was
 * @coming: the module says that it is going to look by itself
 * @outstanding: rung, and nothing is known to have been reaped since
 * @submitted: what had been submitted when it was published
 * @reaped: what was reaped when it was rung
 * @seen: what was when that was looked at last
 */
struct bell {
	uint64_t max_patience;
	uint64_t again;
	uint64_t patience;
	uint64_t due;
	uint64_t rung;
	uint64_t since;
	bool waiting;
	bool fresh;
	bool coming;
	bool outstanding;
	uint32_t submitted;
	uint32_t reaped;
	uint32_t seen;
} __attribute__((aligned(WAVECRYPT_LINE)));

/**
 * bell_published - completions were published
 * @b: the bell
 * @submitted: submissions so far
 * @now: time
 */
static inline void bell_published(struct bell *b, uint32_t submitted,
				  uint64_t now)
{
	/* Patience counts from the first that waits. */
	if (b->waiting && !b->outstanding)
		return;
	if (!b->waiting)
		b->since = now;
	b->waiting = true;
	b->fresh = true;
	b->submitted = submitted;
	b->due = now;
}

/* Is it too soon to ring? It was set to at most the longer of these two. */
static inline bool bell_waits(const struct bell *b, uint64_t now)
{
	return clock_ahead(b->due, now, b->max_patience > b->again ? b->max_patience : b->again);
}

/**
 * bell_due - is it time for bell_check()?
 * @b: the bell
 * @submitted: submissions so far
 * @idle: there is nothing else to do, so that looking costs nothing
 * @now: time
 *
 * Apart, because what was reaped is in a line of another CPU's: looking costs.
 */
static inline bool bell_due(struct bell *b, uint32_t submitted, bool idle,
			    uint64_t now)
{
	if (!b->waiting)
		return false;
	if (b->fresh && b->submitted != submitted)
		b->due += b->patience;
	b->fresh = false;
	if (idle && !b->coming)
		return true;
	return !bell_waits(b, now);
}

/**
 * bell_check - ring now?
 * @b: the bell
 * @reaped: completions that the module has taken
 * @published: completions that there are
 * @coming: the module says that it is going to look by itself
 * @now: time
 */
static inline bool bell_check(struct bell *b, uint32_t reaped,
			      uint32_t published, bool coming, uint64_t now)
{
	if (b->seen != reaped)
		b->since = now;
	b->seen = reaped;
	b->coming = coming && reaped != published && now - b->since < b->again;
	if (reaped == published) {
		if (!b->outstanding)
			b->patience = b->max_patience;
		b->waiting = false;
		b->outstanding = false;
		return false;
	}
	if (bell_waits(b, now))
		return false;
	if (b->coming) {
		b->due = now + b->max_patience;
		return false;
	}
	if (b->outstanding && b->reaped == reaped &&
	    now - b->rung < b->again) {
		b->due = now + b->max_patience;
		if ((int64_t)(b->due - b->rung - b->again) > 0)
			b->due = b->rung + b->again;
		return false;
	}
	if (!b->outstanding)
		b->patience = b->patience / 2 > b->max_patience / 8 ?
			      b->patience / 2 : b->max_patience / 8;
	b->outstanding = true;
	b->reaped = reaped;
	b->rung = now;
	b->due = now + b->again;
	return true;
}

#endif
