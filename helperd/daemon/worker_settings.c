// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "daemon/config.h"
#include "daemon/worker_settings.h"
#include "lib/clock.h"

void worker_settings(struct worker_config *wc, const struct config *c,
		     const struct backend_choice *choice, uint32_t nr)
{
	wc->lanes = choice->lanes;
	wc->device = !c->device_workers || nr < c->device_workers ?
		     choice->device : NULL;
	wc->sched.level = c->schedule;
	wc->sched.range = c->length_range;
	wc->sched.age = c->leftover_age;
	wc->balance = c->gpu.balance;
	wc->retry_ns = c->gpu.retry_ms * NSEC_PER_MSEC;
	wc->spin_ns = c->spin_us * NSEC_PER_USEC;
	wc->batch_max = c->batch_max;
	wc->patience_ns = c->bell_patience_us * NSEC_PER_USEC;
	wc->again_ns = c->bell_again_us * NSEC_PER_USEC;
}
