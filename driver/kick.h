/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_KICK_H
#define _WC_KICK_H

#include <linux/interrupt.h>
#include <linux/smp.h>

/**
 * struct wc_kick - has one CPU look at something, whoever wants that
 * @tasklet: looks
 * @csd: interrupts that CPU
 * @under_way: somebody has kicked, and the tasklet is not scheduled yet; nobody else
 *	may use @csd
 */
struct wc_kick {
	struct tasklet_struct tasklet;
	call_single_data_t csd;
	bool under_way;
};

void wc_kick_init(struct wc_kick *kick,
		  void (*look)(struct tasklet_struct *tasklet),
		  smp_call_func_t heard);
void wc_kick_heard(void *info);
void wc_kick(struct wc_kick *kick, unsigned int cpu);
void wc_kick_hush(struct wc_kick *kick);
void wc_kick_end(struct wc_kick *kick);

/** wc_kick_here - the same as wc_kick() for who is on that CPU */
static inline void wc_kick_here(struct wc_kick *kick)
{
	tasklet_schedule(&kick->tasklet);
}

#endif /* _WC_KICK_H */
