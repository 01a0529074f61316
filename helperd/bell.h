/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When to ring the bell.
 *
 * The module takes completions by itself whenever it submits on that queue, and
 * a bell is a system call and an interrupt. So, while submissions keep coming,
 * completions are given a moment to be noticed; when the submitter has gone
 * quiet, nobody but the bell will bring it back, and it is rung at once. How
 * long the moment is follows from whether waiting has paid lately.
 *
 * At most one bell is outstanding per queue: the next is rung when the module
 * has moved since the last, or when that one seems to have been lost.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BELL_H
#define WAVECRYPT_BELL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct bell - the bell of one queue; times in ticks
 * @max_patience: longest wait for the module to notice by itself
 * @again: a bell that moved nothing for so long is rung again
 * @patience: wait that has been worth it lately
 * @due: when to ring next, if completions wait
 * @waiting: published completions are not known to be reaped
 * @outstanding: rung, and nothing was reaped since
 * @reaped: what was reaped when it was rung
 */
struct bell {
	uint64_t max_patience;
	uint64_t again;
	uint64_t patience;
	uint64_t due;
	bool waiting;
	bool outstanding;
	uint32_t reaped;
};

/**
 * bell_published - completions were published
 * @b: the bell
 * @busy: new submissions have arrived meanwhile
 * @now: time
 */
static inline void bell_published(struct bell *b, bool busy, uint64_t now)
{
	if (b->waiting)
		return;
	b->waiting = true;
	b->due = now + (busy ? b->patience : 0);
}

/**
 * bell_check - ring now?
 * @b: the bell
 * @reaped: completions that the module has taken
 * @published: completions that there are
 * @now: time
 */
static inline bool bell_check(struct bell *b, uint32_t reaped,
			      uint32_t published, uint64_t now)
{
	if (reaped == published) {
		if (!b->outstanding)
			b->patience = b->max_patience;
		b->waiting = false;
		b->outstanding = false;
		return false;
	}
	if (b->outstanding && b->reaped != reaped) {
		/* It was heard, and more has been published since. */
		b->outstanding = false;
		b->due = now + b->patience;
	}
	if ((int64_t)(now - b->due) < 0)
		return false;
	if (!b->outstanding)
		b->patience = b->patience / 2 > b->max_patience / 8 ?
			      b->patience / 2 : b->max_patience / 8;
	b->outstanding = true;
	b->reaped = reaped;
	b->due = now + b->again;
	return true;
}

#endif
