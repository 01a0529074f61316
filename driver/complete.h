/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_COMPLETE_H
#define _WC_COMPLETE_H

#include "queue.h"

/* So many offered without the tasklet having run are many, and after so many more it is
 * time again.
 */
#define WC_MANY			128
#define WC_MANY_MORE		16

void wc_complete_tasklet(struct tasklet_struct *tasklet);
bool wc_complete_make_room(struct wc_order *order);
bool wc_complete_due(const struct wc_queue *q);
void wc_complete_meanwhile(struct wc_queue *q);
void wc_complete_soon(struct wc_queue *q);

/**
 * wc_complete_late - count one more that is offered
 * @q: this CPU's queue
 *
 * The tasklet runs when whoever submits lets it: after 64 packets that a network driver
 * takes in at a time, or 300. But one of GSO is 45 requests, and then slots would run out,
 * and all would wait for milliseconds.
 *
 * Context: BH disabled, and wc_cpu_up().
 * Return: whether it is time to look for completions meanwhile.
 */
static inline bool wc_complete_late(struct wc_queue *q)
{
	return unlikely(++q->fresh > WC_MANY) && q->fresh % WC_MANY_MORE == 0;
}

#endif /* _WC_COMPLETE_H */
