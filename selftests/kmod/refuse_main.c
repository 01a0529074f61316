// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_refuse: somebody refuses that a network device is registered
 *
 * As inetdev_event() does without memory, and before anybody else is asked. Those who were
 * not hear that the device goes nevertheless.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/netdevice.h>

static char *refuse_name = "";
module_param_named(name, refuse_name, charp, 0444);
MODULE_PARM_DESC(name, "name of the device");

static int refuse_event(struct notifier_block *nb, unsigned long event, void *info)
{
	const struct net_device *dev = netdev_notifier_info_to_dev(info);

	if (event != NETDEV_REGISTER || strcmp(dev->name, refuse_name))
		return NOTIFY_DONE;
	return notifier_from_errno(-ENOMEM);
}

static struct notifier_block refuse_notifier = {
	.notifier_call = refuse_event,
	.priority = INT_MAX,
};

static int __init refuse_init(void)
{
	return register_netdevice_notifier(&refuse_notifier);
}

static void __exit refuse_exit(void)
{
	unregister_netdevice_notifier(&refuse_notifier);
}

module_init(refuse_init);
module_exit(refuse_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("Network devices that cannot be registered");
