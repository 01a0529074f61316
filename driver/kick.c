// SPDX-License-Identifier: GPL-2.0-only
/*
 * Having a CPU look at what somebody else has done: a queue's at completions, or at a
 * channel that ends; an order's at requests that have come back elsewhere.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include "kick.h"

/**
 * wc_kick_heard - a kick has arrived
 * @info: &struct wc_kick
 *
 * Context: what wc_kick_init() is given calls this.
 */
void wc_kick_heard(void *info)
{
	struct wc_kick *kick = info;

	/* Who kicks from now on is one more; who did before is seen, for what
	 * follows is a full barrier: pairs with wc_kick().
	 */
	WRITE_ONCE(kick->under_way, false);
	tasklet_schedule(&kick->tasklet);
}

/**
 * wc_kick_init - before anybody kicks
 * @kick: what is kicked
 * @look: what its tasklet does
 * @heard: wc_kick_heard(), or what calls it; on the CPU that is kicked, or in its place
 */
void wc_kick_init(struct wc_kick *kick,
		  void (*look)(struct tasklet_struct *tasklet),
		  smp_call_func_t heard)
{
	tasklet_setup(&kick->tasklet, look);
	INIT_CSD(&kick->csd, heard, kick);
	kick->under_way = false;
}

/**
 * wc_kick - run a tasklet on a CPU, or here if that is offline
 * @kick: the tasklet's
 * @cpu: the CPU, always the same
 *
 * It begins after this, or runs once more, and sees what was stored before.
 *
 * Context: any but hard interrupt.
 */
void wc_kick(struct wc_kick *kick, unsigned int cpu)
{
	local_bh_disable();
	/* Full barrier: what there is to see comes before this. Whoever was
	 * sent already and is not there yet looks after.
	 */
	if (xchg(&kick->under_way, true))
		goto out;
	/* An error means that the CPU is offline and submits nothing, so this
	 * one can take its place; one tasklet never runs twice at a time.
	 */
	if (cpu == smp_processor_id() ||
	    smp_call_function_single_async(cpu, &kick->csd))
		kick->csd.func(kick);
out:
	local_bh_enable();
}

/**
 * wc_kick_hush - let what schedules the tasklet pass
 * @kick: what nobody kicks any more, but maybe its tasklet, where it was scheduled on
 *	another CPU than it belongs to, before
 *
 * Who was heard last schedules it within a grace period from here.
 *
 * Context: process, may sleep.
 */
void wc_kick_hush(struct wc_kick *kick)
{
	tasklet_kill(&kick->tasklet);
	smp_cond_load_relaxed(&kick->under_way, !VAL);
}

/**
 * wc_kick_end - let the last tasklet pass
 * @kick: a grace period after wc_kick_hush(); its memory may go after this
 *
 * Context: process, may sleep.
 */
void wc_kick_end(struct wc_kick *kick)
{
	tasklet_kill(&kick->tasklet);
}
