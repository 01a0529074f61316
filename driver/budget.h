/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_BUDGET_H
#define _WC_BUDGET_H

#include <linux/time64.h>

#include "clock.h"

/* What may be done at a time with BH disabled (ns): there are two such parts of a
 * tasklet, and others wait.
 */
#define WC_BUDGET_NS	(NSEC_PER_MSEC / 2)

/**
 * struct wc_budget - how long something may go on that would take too long
 * @until: in wc_clock() ns; 0 before anybody asked
 */
struct wc_budget {
	u64 until;
};

/**
 * wc_budget_spent - whether to stop for now
 * @budget: zeroed at the beginning
 *
 * Time runs from the first call on, so that what is short has nothing to do with
 * clocks.
 */
static inline bool wc_budget_spent(struct wc_budget *budget)
{
	u64 now = wc_clock();

	if (!budget->until)
		budget->until = now + WC_BUDGET_NS;
	return now >= budget->until;
}

#endif /* _WC_BUDGET_H */
