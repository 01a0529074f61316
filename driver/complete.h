/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_COMPLETE_H
#define _WC_COMPLETE_H

#include "queue.h"

void wc_complete_tasklet(struct tasklet_struct *tasklet);
bool wc_complete_make_room(struct wc_order *order);
bool wc_complete_due(const struct wc_queue *q);

#endif /* _WC_COMPLETE_H */
