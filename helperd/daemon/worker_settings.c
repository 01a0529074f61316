// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "daemon/config.h"
#include "daemon/share.h"
#include "daemon/worker_settings.h"
#include "lib/clock.h"

void worker_settings(struct worker_config *wc, const struct config *c,
		     struct device *lanes, struct device *device)
{
	wc->lanes = lanes;
	wc->device = device;
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

void worker_devices(const struct config *c, const struct backend_choice *choice,
		    const int *node, uint32_t workers, struct device **device_of)
{
	struct share share = {
		.workers = workers,
		.node = node,
		.devices = choice->nr,
		.device = choice->device,
	};

	if (c->device_workers && c->device_workers < workers)
		share.workers = c->device_workers;
	for (uint32_t i = share.workers; i < workers; i++)
		device_of[i] = NULL;
	share_out(&share, device_of);
}
