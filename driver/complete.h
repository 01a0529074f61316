/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_COMPLETE_H
#define _WC_COMPLETE_H

#include "queue.h"

/* How long a helper that has not returned anything yet may keep a request. */
#define WC_PATIENCE_FIRST	(HZ / 4)

void wc_complete_tasklet(struct tasklet_struct *tasklet);
void wc_complete_timer(struct timer_list *timer);
void wc_complete_watch(struct wc_queue *q);
bool wc_complete_due(const struct wc_queue *q);
u32 wc_complete_patience(const struct wc_queue *q);

#endif /* _WC_COMPLETE_H */
