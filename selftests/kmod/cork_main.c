// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_cork: a network device whose queue can be stopped
 *
 * "cork0" uses one queue, with the queueing discipline that it is given, and loses
 * what it is to send. As a network card that is busy does, it takes nothing as
 * long as the parameter "stopped" says so.
 *
 * It is made for two queues, so that what has waited comes from a queueing discipline
 * for all of it several packets at a time (try_bulk_dequeue_skb_slow()).
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

static struct net_device *cork;

static int cork_set(const char *val, const struct kernel_param *kp)
{
	bool *stopped = kp->arg;
	int err = kstrtobool(val, stopped);

	if (err || !cork)
		return err;
	if (*stopped)
		netif_stop_queue(cork);
	else
		netif_wake_queue(cork);
	return 0;
}

static const struct kernel_param_ops cork_ops = {
	.set = cork_set,
	.get = param_get_bool,
};

static bool cork_stopped;
module_param_cb(stopped, &cork_ops, &cork_stopped, 0644);
MODULE_PARM_DESC(stopped, "cork0 takes nothing to send");

static netdev_tx_t cork_xmit(struct sk_buff *skb, struct net_device *dev)
{
	dev->stats.tx_packets++;
	dev->stats.tx_bytes += skb->len;
	consume_skb(skb);
	return NETDEV_TX_OK;
}

static int cork_open(struct net_device *dev)
{
	netif_start_queue(dev);
	return 0;
}

static int cork_stop(struct net_device *dev)
{
	netif_stop_queue(dev);
	return 0;
}

static const struct net_device_ops cork_device_ops = {
	.ndo_open = cork_open,
	.ndo_stop = cork_stop,
	.ndo_start_xmit = cork_xmit,
};

static void cork_setup(struct net_device *dev)
{
	dev->netdev_ops = &cork_device_ops;
	dev->type = ARPHRD_NONE;
	dev->flags = IFF_NOARP | IFF_POINTOPOINT;
	dev->mtu = 1500;
	dev->tx_queue_len = 1000;
}

static int __init cork_init(void)
{
	struct net_device *dev;
	int err;

	dev = alloc_netdev_mqs(0, "cork0", NET_NAME_PREDICTABLE, cork_setup, 2, 1);
	if (!dev)
		return -ENOMEM;
	err = netif_set_real_num_tx_queues(dev, 1);
	if (!err)
		err = register_netdev(dev);
	if (err) {
		free_netdev(dev);
		return err;
	}
	cork = dev;
	return 0;
}

static void __exit cork_exit(void)
{
	unregister_netdev(cork);
	free_netdev(cork);
}

module_init(cork_init);
module_exit(cork_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("A network device whose queue can be stopped");
