// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt: Linux IPsec made fast by batching.
 *
 * A packet's way, file by file: aead.c is called by the crypto API, route.c
 * decides, submit.c puts the request into a slot of this CPU's queue; the
 * helper does it; complete.c takes it back, order.c completes it in its turn.
 * If it does not go that way, or does not come back, inline.c does it here.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/fips.h>
#include <linux/module.h>

#include "aead.h"
#include "cpu.h"
#include "device.h"
#include "hazard.h"
#include "order.h"
#include "route.h"
#include "stats.h"
#include "tally.h"
#include "uapi/version.h"

static int wc_priority = 10000;
module_param_named(priority, wc_priority, int, 0444);
MODULE_PARM_DESC(priority, "cra_priority of the algorithms (default 10000)");

static int __init wc_init(void)
{
	int err;

	/* crypto_check_module_sig() of crypto/algapi.c panics. */
	if (fips_enabled && !module_sig_ok(THIS_MODULE)) {
		pr_err("in FIPS mode a kernel wants algorithms to be signed with a key that it trusts\n");
		return -EKEYREJECTED;
	}
	err = wc_stats_alloc();
	if (err)
		return err;
	err = wc_route_init();
	if (err)
		goto err_route;
	err = wc_cpu_init();
	if (err)
		goto err_cpu;
	wc_order_init();
	err = wc_device_register();
	if (err)
		goto err_device;
	err = wc_stats_init(wc_device());
	if (err)
		goto err_stats;
	wc_tally_init();
	err = wc_hazard_init(wc_device());
	if (err)
		goto err_hazard;
	err = wc_algs_register(wc_priority);
	if (err)
		goto err_algs;
	return 0;

err_algs:
	wc_hazard_exit();
err_hazard:
	wc_tally_exit();
err_stats:
	wc_stats_exit();
	wc_device_unregister();
err_device:
	wc_order_exit();
	wc_cpu_exit();
err_cpu:
	wc_route_exit();
err_route:
	wc_stats_free();
	return err;
}

static void __exit wc_exit(void)
{
	wc_algs_unregister();
	wc_hazard_exit();
	wc_tally_exit();
	wc_stats_exit();
	wc_device_unregister();
	wc_order_exit();
	wc_cpu_exit();
	wc_route_exit();
	wc_stats_free();
	/* Keys and orders are freed after a grace period. */
	rcu_barrier();
	/* Whose request has completed may have been preempted on the way back from here. */
	synchronize_rcu_tasks();
}

module_init(wc_init);
module_exit(wc_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(WAVECRYPT_VERSION);
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("IPsec AEADs that offload batches to a userspace helper");
