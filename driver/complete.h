/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_COMPLETE_H
#define _WC_COMPLETE_H

#include "queue.h"

void wc_complete_tasklet(struct tasklet_struct *tasklet);
void wc_complete_timer(struct timer_list *timer);
void wc_complete_watch(struct wc_queue *q);
bool wc_complete_due(const struct wc_queue *q);

#endif /* _WC_COMPLETE_H */
