// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bugs of stock kernels that asynchronous crypto wakes, and what keeps us from
 * them. Most of the kernel's own crypto is done in the call, so that the ways
 * that XFRM takes otherwise are little used.
 *
 * A request does not say which way it came by. But what makes a way possible can
 * be seen: a module, a kind of device, an option of the kernel. While it is there
 * and the kernel has the bug, requests of that direction are done in the call.
 * Bugs with devices that go wait for another moment: before a device is freed,
 * everything that is pending is waited for.
 *
 * The table is the only list of them. It is shown in sysfs, in hazards/, and
 * Documentation/reliability.rst says what shows each.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/version.h>
#include <linux/xarray.h>
#include <net/rtnetlink.h>

#include "hazard.h"
#include "order.h"
#include "stall.h"
#include "tally.h"

DEFINE_STATIC_KEY_FALSE(wc_hazard_key);
u8 wc_hazard_holds[WAVECRYPT_OPS];

/* No direction: devices that go wait. */
#define WC_WAIT		BIT(WAVECRYPT_OPS)

#define V(a, b, c)	KERNEL_VERSION(a, b, c)
#define WC_NEVER	U32_MAX

/**
 * struct wc_versions - kernels that have a bug
 * @from: the first
 * @fixed: the first that does not, or the first of the next series
 * @open: there is none in this series
 */
struct wc_versions {
	u32 from;
	u32 fixed;
	bool open;
};

/**
 * struct wc_hazard - one bug
 * @name: for people to say
 * @cve: its number, or "-"
 * @fix: the mainline commit that mends it, or "-"
 * @what: what happens
 * @way: what has to be there for a packet to get to it
 * @reached: whether that is there now
 * @guard: the direction that is then done in the call, or WC_WAIT
 * @versions: that have it. Series that nobody has looked at are taken to.
 * @attr: its file
 */
struct wc_hazard {
	const char *name;
	const char *cve;
	const char *fix;
	const char *what;
	const char *way;
	bool (*reached)(void);
	u8 guard;
	struct wc_versions versions[4];
	struct device_attribute attr;
};

/* Of what makes ways possible, as notifiers have seen it */
static bool wc_esp_offload[2];
/* Devices, by address: one whose registration another notifier has refused goes
 * without having come.
 */
static DEFINE_XARRAY(wc_interfaces);
/* Those that have been closed since they were opened last, and for which nobody has
 * waited: what they received may be in a backlog, and be submitted yet.
 */
static DEFINE_XARRAY(wc_closed);

static bool wc_reached_offload(void)
{
	return IS_BUILTIN(CONFIG_INET_ESP_OFFLOAD) ||
	       IS_BUILTIN(CONFIG_INET6_ESP_OFFLOAD) ||
	       wc_esp_offload[0] || wc_esp_offload[1];
}

static bool wc_reached_interface(void)
{
	return !xa_empty(&wc_interfaces);
}

static bool wc_reached_espintcp(void)
{
	return IS_ENABLED(CONFIG_INET_ESPINTCP) ||
	       IS_ENABLED(CONFIG_INET6_ESPINTCP);
}

static bool wc_reached_always(void)
{
	return true;
}

#define WC_WAY_OFFLOAD	"esp4_offload or esp6_offload is loaded"

static struct wc_hazard wc_hazards[] = {
	{
		/* validate_xmit_xfrm() returns NULL for what was taken, which
		 * __dev_queue_xmit() takes for -ENOMEM.
		 */
		.name = "noqueue",
		.cve = "-",
		.fix = "6860b467f569",
		.what = "TCP through a device without a queue hangs",
		.way = WC_WAY_OFFLOAD,
		.reached = wc_reached_offload,
		.guard = WC_ENCRYPT,
		.versions = {
			{ 0, V(6, 18, 42) },
			{ V(6, 19, 0), V(7, 1, 6) },
		},
	}, {
		.name = "stale-prev",
		.cve = "CVE-2026-68426",
		.fix = "3f4c3919baf0",
		.what = "packets are chained to one that was taken",
		.way = WC_WAY_OFFLOAD,
		.reached = wc_reached_offload,
		.guard = WC_ENCRYPT,
		.versions = {
			{ 0, V(6, 1, 191) },
			{ V(6, 2, 0), V(6, 12, 114) },
			{ V(6, 13, 0), V(6, 18, 42) },
			{ V(6, 19, 0), V(7, 1, 6) },
		},
	}, {
		/* esp_xmit() takes no reference for xfrm_dev_resume(), nor does
		 * softnet_data.xfrm_backlog.
		 */
		.name = "xmit-device",
		.cve = "-",
		.fix = "-",
		.what = "a device that goes is used after it was freed",
		.way = WC_WAY_OFFLOAD,
		.reached = wc_reached_offload,
		.guard = WC_ENCRYPT,
		.versions = { { 0, WC_NEVER, true } },
	}, {
		/* With anything in xfrm_backlog validate_xmit_xfrm() returns the
		 * packet as it is and asks to be called again, which
		 * __dev_queue_xmit() does not do.
		 */
		.name = "xmit-clear",
		.cve = "-",
		.fix = "-",
		.what = "packets leave in the clear behind another device's stopped queue",
		.way = WC_WAY_OFFLOAD,
		.reached = wc_reached_offload,
		.guard = WC_ENCRYPT,
		.versions = { { 0, WC_NEVER, true } },
	}, {
		/* skb->dev is not held, and ip_output() gives it to hooks. */
		.name = "output-hook",
		.cve = "-",
		.fix = "-",
		.what = "netfilter is given the freed device of a forwarded packet",
		.way = "always",
		.reached = wc_reached_always,
		.guard = WC_WAIT,
		.versions = { { 0, WC_NEVER, true } },
	}, {
		/* esp_output_done() takes skb->sk for a full socket. */
		.name = "mini-socket",
		.cve = "-",
		.fix = "1620c88887b1",
		.what = "a connection request is taken for a socket",
		.way = "always",
		.reached = wc_reached_always,
		.guard = WC_ENCRYPT,
		.versions = {
			{ 0, V(6, 1, 168) },
			{ V(6, 2, 0), V(6, 12, 80) },
			{ V(6, 13, 0), V(6, 14, 0) },
		},
	}, {
		.name = "espintcp",
		.cve = "CVE-2026-31518",
		.fix = "0c0eef8ccd24",
		.what = "packets leak when espintcp's queue is full",
		.way = "the kernel has CONFIG_INET_ESPINTCP",
		.reached = wc_reached_espintcp,
		.guard = WC_ENCRYPT,
		.versions = {
			{ 0, V(6, 1, 168) },
			{ V(6, 2, 0), V(6, 12, 80) },
			{ V(6, 13, 0), V(7, 0, 0) },
		},
	}, {
		/* xfrm_input() drops the reference of the device that the packet
		 * was moved to. It came with the next one's mend.
		 */
		.name = "input-device",
		.cve = "CVE-2026-72463",
		.fix = "8045c0df98d4",
		.what = "XFRM and VTI interfaces lose references and cannot be deleted",
		.way = "there is an XFRM or VTI interface",
		.reached = wc_reached_interface,
		.guard = WC_DECRYPT,
		.versions = {
			{ V(6, 1, 191), V(6, 12, 0), true },
			{ V(6, 12, 94), V(6, 12, 112) },
			{ V(6, 13, 0), V(7, 2, 0) },
		},
	}, {
		/* vti_rcv_cb() and vti6_rcv_cb() find the tunnel in the packet,
		 * which holds no reference to it.
		 */
		.name = "input-tunnel",
		.cve = "-",
		.fix = "-",
		.what = "a VTI interface that goes is used after it was freed",
		.way = "there is an XFRM or VTI interface",
		.reached = wc_reached_interface,
		.guard = WC_WAIT,
		.versions = { { 0, WC_NEVER, true } },
	}, {
		.name = "input-hook",
		.cve = "CVE-2026-31663",
		.fix = "1c428b038400",
		.what = "netfilter is given the freed device of a decrypted packet",
		.way = "always",
		.reached = wc_reached_always,
		.guard = WC_WAIT,
		.versions = {
			{ 0, V(6, 1, 191) },
			{ V(6, 2, 0), V(6, 12, 94) },
			{ V(6, 13, 0), V(7, 0, 0) },
		},
	},
};

/* Protects what follows, and what is done about it. */
static DEFINE_MUTEX(wc_hazard_lock);

/* By the parameter: those that the kernel is said to have, if it was set. */
static bool wc_hazards_told;
static unsigned long wc_hazards_said;

/* The last transform has gone. */
static bool wc_hazard_over;

static bool wc_hazard_version(const struct wc_hazard *hazard)
{
	const struct wc_versions *v;

	for (v = hazard->versions;
	     v < hazard->versions + ARRAY_SIZE(hazard->versions) && v->fixed; v++)
		if (LINUX_VERSION_CODE >= v->from && LINUX_VERSION_CODE < v->fixed)
			return true;
	return false;
}

/* Whether to do something about it, if it is reached */
static bool wc_hazard_minded(const struct wc_hazard *hazard)
{
	return wc_hazards_told ? test_bit(hazard - wc_hazards, &wc_hazards_said) :
				 wc_hazard_version(hazard);
}

/* What the kernel's own drivers put off may take them so long, and more only if
 * something is wrong.
 */
#define WC_OWN_DOING	(2 * HZ)

/* Wait for what was submitted in the phase before. The helper has some milliseconds
 * (stall.c), and who waits for another CPU twice that (order.c).
 */
static bool wc_hazard_drain(void)
{
	unsigned long start = jiffies, most;

	most = WC_OWN_DOING + nsecs_to_jiffies((u64)wc_stall_most() << 11);
	while (!wc_orders_over()) {
		if (time_after(jiffies, start + most)) {
			pr_warn_ratelimited("requests have been pending for %u ms and are waited for no longer; they may meet a bug of this kernel (hazards/ in sysfs)\n",
					    jiffies_to_msecs(jiffies - start));
			return false;
		}
		usleep_range(50, 200);
	}
	return true;
}

/* Wait for what is pending now, not for what follows it: on several CPUs there may
 * always be something.
 */
static bool wc_hazard_pass(void)
{
	/* Whoever was given up the last time */
	if (!wc_hazard_drain())
		return false;
	wc_orders_turn();
	synchronize_net();
	return wc_hazard_drain();
}

/* New requests are done in the call now. Whoever has not seen that has a place in an
 * order; and what is decrypted may be forwarded, and have one again.
 */
static void wc_hazard_quiesce(void)
{
	synchronize_net();
	if (!wc_hazard_pass())
		return;
	synchronize_net();
	wc_hazard_pass();
}

/* Whether nothing that is pending needs to be waited for: neither what was about to be
 * submitted, nor what is forwarded after it was decrypted
 */
static bool wc_hazard_idle(void)
{
	synchronize_net();
	if (!wc_orders_idle())
		return false;
	synchronize_net();
	return wc_orders_idle();
}

static void wc_hazard_set(u8 ops, enum wc_hold hold)
{
	unsigned int op;

	for (op = 0; op < WAVECRYPT_OPS; op++)
		if (ops & BIT(op))
			WRITE_ONCE(wc_hazard_holds[op], hold);
}

/* Wait until nothing is pending of these directions that was submitted before. What is
 * done in the call already has nothing, and is let be.
 *
 * Return: those that were not.
 */
static u8 wc_hazard_settle(u8 ops)
{
	u8 op;

	for (op = 0; op < WAVECRYPT_OPS; op++)
		if (wc_hazard_holds[op] == WC_HOLD_CALL)
			ops &= ~BIT(op);
	if (ops) {
		wc_hazard_set(ops, WC_HOLD_DRAIN);
		static_branch_enable(&wc_hazard_key);
		wc_hazard_quiesce();
	}
	return ops;
}

/* Have just these directions done in the call */
static void wc_hazard_apply(u8 ops)
{
	wc_hazard_set(wc_hazard_settle(ops), WC_HOLD_CALL);
	wc_hazard_set(~ops, WC_HOLD_NONE);
	if (!ops)
		static_branch_disable(&wc_hazard_key);
}

/* What is to be done about all of them, now */
static u8 wc_hazard_guards(void)
{
	const struct wc_hazard *hazard;
	u8 guards = 0;

	for (hazard = wc_hazards; hazard < wc_hazards + ARRAY_SIZE(wc_hazards);
	     hazard++)
		if (wc_hazard_minded(hazard) && hazard->reached())
			guards |= hazard->guard;
	return guards;
}

static void wc_hazard_update(void)
{
	wc_hazard_apply(wc_hazard_guards() & ~WC_WAIT);
}

static void wc_hazard_remember(struct xarray *devices,
			       const struct net_device *dev)
{
	/* Who closes it, or moves it to another namespace, does not hear of errors. */
	xa_store(devices, (unsigned long)dev, xa_mk_value(0),
		 GFP_KERNEL | __GFP_NOFAIL);
}

/* A device is about to be freed, and nothing new is received or sent by it. Nor is by
 * those that go together with it, so that they are waited for at once.
 */
static void wc_hazard_wait(const struct net_device *dev)
{
	const struct net_device *closed;
	unsigned long address;
	void *entry;

	if (!xa_load(&wc_closed, (unsigned long)dev))
		return;
	/* One that moves to another namespace stays closed. */
	if (dev->reg_state != NETREG_REGISTERED)
		xa_erase(&wc_closed, (unsigned long)dev);
	if (!(wc_hazard_guards() & WC_WAIT) || wc_tally_none())
		return;
	xa_for_each(&wc_closed, address, entry) {
		closed = (const struct net_device *)address;
		if (closed->reg_state == NETREG_UNREGISTERING)
			xa_erase(&wc_closed, address);
	}
	if (wc_hazard_idle())
		return;
	wc_hazard_settle(WC_ENCRYPT | WC_DECRYPT);
	wc_hazard_update();
}

static bool wc_is_interface(const struct net_device *dev)
{
	static const char * const kinds[] = { "xfrm", "vti", "vti6" };

	return dev->rtnl_link_ops &&
	       match_string(kinds, ARRAY_SIZE(kinds), dev->rtnl_link_ops->kind) >= 0;
}

static int wc_netdev_event(struct notifier_block *nb, unsigned long event,
			   void *info)
{
	const struct net_device *dev = netdev_notifier_info_to_dev(info);

	mutex_lock(&wc_hazard_lock);
	/* A notifier that goes is told of each device as if it went. */
	if (wc_hazard_over)
		goto out;
	switch (event) {
	case NETDEV_REGISTER:
		if (!wc_is_interface(dev))
			break;
		wc_hazard_remember(&wc_interfaces, dev);
		wc_hazard_update();
		break;
	case NETDEV_UP:
		xa_erase(&wc_closed, (unsigned long)dev);
		break;
	case NETDEV_GOING_DOWN:
		wc_hazard_remember(&wc_closed, dev);
		break;
	case NETDEV_UNREGISTER:
		/* Said again every second while somebody has a reference. */
		if (dev->reg_state == NETREG_UNREGISTERED)
			break;
		wc_hazard_wait(dev);
		if (xa_erase(&wc_interfaces, (unsigned long)dev))
			wc_hazard_update();
		break;
	}
out:
	mutex_unlock(&wc_hazard_lock);
	return NOTIFY_DONE;
}

static struct notifier_block wc_netdev_notifier = {
	.notifier_call = wc_netdev_event,
};

static const char * const wc_esp_offload_names[] = {
	"esp4_offload", "esp6_offload"
};

/* An SA that goes that way was made after the module came, so nothing of it is
 * pending. None is left when the module goes.
 */
static int wc_module_event(struct notifier_block *nb, unsigned long event,
			   void *data)
{
	const struct module *mod = data;
	int i = match_string(wc_esp_offload_names,
			     ARRAY_SIZE(wc_esp_offload_names), mod->name);

	if (i < 0)
		return NOTIFY_DONE;
	mutex_lock(&wc_hazard_lock);
	wc_esp_offload[i] = event != MODULE_STATE_GOING;
	wc_hazard_update();
	mutex_unlock(&wc_hazard_lock);
	return NOTIFY_DONE;
}

static struct notifier_block wc_module_notifier = {
	.notifier_call = wc_module_event,
};

/* Those that are there already. One that is just being loaded has no directory
 * yet, but will be heard of when it is live.
 */
static void wc_hazard_find_modules(void)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	struct kobject *found;
	unsigned int i;

	mutex_lock(&wc_hazard_lock);
	for (i = 0; i < ARRAY_SIZE(wc_esp_offload_names); i++) {
		found = kset_find_obj(modules, wc_esp_offload_names[i]);
		if (found)
			wc_esp_offload[i] = true;
		kobject_put(found);
	}
	wc_hazard_update();
	mutex_unlock(&wc_hazard_lock);
}

static const char *wc_hazard_state(const struct wc_hazard *hazard)
{
	bool minded = wc_hazard_minded(hazard);

	/* Who names those that the kernel has says that it has no other. */
	if (!minded && (wc_hazards_said || !wc_hazard_version(hazard)))
		return "absent";
	if (!hazard->reached())
		return "dormant";
	return minded ? "guarded" : "exposed";
}

static const char *wc_hazard_guard(const struct wc_hazard *hazard)
{
	switch (hazard->guard) {
	case WC_ENCRYPT:
		return "encrypt";
	case WC_DECRYPT:
		return "decrypt";
	default:
		return "wait";
	}
}

/* State, what is done about it, CVE, mend, kernels that have that, what happens,
 * what reaches it: by tabs.
 */
static ssize_t wc_hazard_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	const struct wc_hazard *hazard =
		container_of(attr, struct wc_hazard, attr);
	const struct wc_versions *v = hazard->versions;
	const char *separator = "";
	int len;

	mutex_lock(&wc_hazard_lock);
	len = sysfs_emit(buf, "%s\t%s\t%s\t%s\t", wc_hazard_state(hazard),
			 wc_hazard_guard(hazard), hazard->cve, hazard->fix);
	mutex_unlock(&wc_hazard_lock);
	for (; v < hazard->versions + ARRAY_SIZE(hazard->versions) && v->fixed;
	     v++) {
		if (v->open)
			continue;
		len += sysfs_emit_at(buf, len, "%s%u.%u.%u", separator,
				     v->fixed >> 16, v->fixed >> 8 & 0xff,
				     v->fixed & 0xff);
		separator = ", ";
	}
	len += sysfs_emit_at(buf, len, "%s\t%s\t%s\n", *separator ? "" : "none",
			     hazard->what, hazard->way);
	return len;
}

static int wc_hazards_find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wc_hazards); i++)
		if (!strncmp(wc_hazards[i].name, name, len) &&
		    !wc_hazards[i].name[len])
			return i;
	return -EINVAL;
}

/* "auto", "none", "all", or names with commas between them */
static int wc_hazards_set(const char *val, const struct kernel_param *kp)
{
	bool told = !sysfs_streq(val, "auto");
	unsigned long said = 0;
	size_t len;
	int i;

	if (sysfs_streq(val, "all"))
		said = GENMASK(ARRAY_SIZE(wc_hazards) - 1, 0);
	else if (told && !sysfs_streq(val, "none"))
		do {
			len = strcspn(val, ",\n");
			i = wc_hazards_find(val, len);
			if (i < 0) {
				pr_err("hazards: there is no '%.*s'; names are those in /sys/class/misc/wavecrypt/hazards/\n",
				       (int)len, val);
				return i;
			}
			__set_bit(i, &said);
			val += len + (val[len] != '\0');
		} while (*val);

	mutex_lock(&wc_hazard_lock);
	wc_hazards_told = told;
	wc_hazards_said = said;
	wc_hazard_update();
	mutex_unlock(&wc_hazard_lock);
	return 0;
}

static int wc_hazards_get(char *buf, const struct kernel_param *kp)
{
	const char *separator = "";
	unsigned int i;
	int len = 0;

	mutex_lock(&wc_hazard_lock);
	if (!wc_hazards_told)
		len = sysfs_emit(buf, "auto");
	else if (!wc_hazards_said)
		len = sysfs_emit(buf, "none");
	else
		for (i = 0; i < ARRAY_SIZE(wc_hazards); i++) {
			if (!test_bit(i, &wc_hazards_said))
				continue;
			len += sysfs_emit_at(buf, len, "%s%s", separator,
					     wc_hazards[i].name);
			separator = ",";
		}
	mutex_unlock(&wc_hazard_lock);
	return len + sysfs_emit_at(buf, len, "\n");
}

static const struct kernel_param_ops wc_hazards_ops = {
	.set = wc_hazards_set,
	.get = wc_hazards_get,
};
module_param_cb(hazards, &wc_hazards_ops, NULL, 0644);
MODULE_PARM_DESC(hazards, "bugs of this kernel to keep clear of: auto: by its version (default); none: none, for tests; all; or names from hazards/ in sysfs, with commas between them, for a kernel with more or fewer fixes than its version says");

static struct attribute *wc_hazard_attrs[ARRAY_SIZE(wc_hazards) + 1];

static const struct attribute_group wc_hazard_group = {
	.name = "hazards",
	.attrs = wc_hazard_attrs,
};

static struct device *wc_hazard_device;

/**
 * wc_hazard_init - look for what makes hazards reachable, and keep looking
 * @dev: below which to show them
 *
 * Before the first transform.
 */
int wc_hazard_init(struct device *dev)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(wc_hazards); i++) {
		struct device_attribute *attr = &wc_hazards[i].attr;

		sysfs_attr_init(&attr->attr);
		attr->attr.name = wc_hazards[i].name;
		attr->attr.mode = 0444;
		attr->show = wc_hazard_show;
		wc_hazard_attrs[i] = &attr->attr;
	}
	err = sysfs_create_group(&dev->kobj, &wc_hazard_group);
	if (err)
		return err;
	err = register_module_notifier(&wc_module_notifier);
	if (err)
		goto err_module;
	wc_hazard_find_modules();
	/* It is told of every device that there is. */
	err = register_netdevice_notifier(&wc_netdev_notifier);
	if (err)
		goto err_netdev;
	wc_hazard_device = dev;
	return 0;

err_netdev:
	unregister_module_notifier(&wc_module_notifier);
err_module:
	sysfs_remove_group(&dev->kobj, &wc_hazard_group);
	return err;
}

/** wc_hazard_exit - after the last transform */
void wc_hazard_exit(void)
{
	mutex_lock(&wc_hazard_lock);
	wc_hazard_over = true;
	mutex_unlock(&wc_hazard_lock);
	unregister_netdevice_notifier(&wc_netdev_notifier);
	xa_destroy(&wc_interfaces);
	xa_destroy(&wc_closed);
	unregister_module_notifier(&wc_module_notifier);
	sysfs_remove_group(&wc_hazard_device->kobj, &wc_hazard_group);
}
