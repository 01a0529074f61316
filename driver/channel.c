// SPDX-License-Identifier: GPL-2.0-only
/*
 * A channel: the memory that the module and one helper share, from attach to
 * detach, and what ends it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/cpu.h>
#include <linux/if_arp.h>
#include <linux/log2.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "channel.h"
#include "key.h"
#include "range.h"

#define WC_ENTRIES_LEAST	16

static bool wc_channel_entries_good(u32 entries, u32 most)
{
	return is_power_of_2(entries) && entries >= WC_ENTRIES_LEAST &&
	       entries <= most;
}

static int wc_channel_set_entries(const char *val, const struct kernel_param *kp)
{
	unsigned int entries;
	int err = kstrtouint(val, 0, &entries);

	if (err)
		return err;
	if (!wc_channel_entries_good(entries, WAVECRYPT_MAX_ENTRIES))
		return -EINVAL;
	return param_set_uint(val, kp);
}

static const struct kernel_param_ops wc_channel_entries_ops = {
	.set = wc_channel_set_entries,
	.get = param_get_uint,
};

static unsigned int wc_entries = 512;
module_param_cb(entries, &wc_channel_entries_ops, &wc_entries, 0644);
MODULE_PARM_DESC(entries, "requests in flight per CPU, a power of two from 16 to 4096 (default 512)");

static unsigned int wc_mtu;
wc_param_range(mtu, wc_mtu, 0, U16_MAX, 0644);
MODULE_PARM_DESC(mtu, "largest MTU of which there are many packets, up to 65535: above 2000, half of what is in flight may be jumbo (default 0: that of the network devices when a helper attaches)");

/* What IEEE 802.3 leaves an Ethernet frame with everything that is put around 1500 bytes:
 * whose MTU is no larger has packets of these.
 */
#define WC_MTU_ENVELOPE	2000

/* Attaching, one at a time: nobody allocates who then may not. Taken first. */
static DEFINE_MUTEX(wc_channel_attaching);

/* Who is attached */
static DEFINE_MUTEX(wc_channel_lock);
static struct wc_channel *wc_channel;

static void wc_channel_layout(struct wc_channel *ch)
{
	const size_t size[WAVECRYPT_REGIONS] = {
		[WAVECRYPT_REGION_SUBMIT] =
			PAGE_SIZE + ch->nr_queues * ch->layout.sq_size,
		[WAVECRYPT_REGION_COMPLETE] =
			ch->nr_queues * ch->layout.cq_size,
		[WAVECRYPT_REGION_KEYS] =
			PAGE_ALIGN(wc_channel_removed_first(ch) +
				   ch->nr_removed * sizeof(*ch->removed)),
		[WAVECRYPT_REGION_SLOTS] =
			ch->nr_queues * ch->layout.slots_size,
	};
	u64 offset = 0;
	unsigned int i;

	for (i = 0; i < WAVECRYPT_REGIONS; i++) {
		ch->region[i].offset = offset;
		ch->region[i].size = size[i];
		offset += size[i];
	}
}

static void wc_channel_free(struct kref *ref)
{
	struct wc_channel *ch = container_of(ref, struct wc_channel, ref);
	u32 i;

	for (i = 0; i < ch->nr_queues; i++)
		wc_queue_hush(ch->queue[i]);
	/* Who kicked last, and has been heard, schedules a tasklet. */
	synchronize_rcu();
	for (i = 0; i < ch->nr_queues; i++)
		wc_queue_free(ch->queue[i]);
	wc_channel_keys_free(ch);
	wc_pages_free(&ch->header_page);
	mem_cgroup_put(ch->memcg);
	kfree(ch);
}

/**
 * wc_channel_put - let go of a channel, and of its memory if nobody else has it
 * @ch: a channel that was closed, or never opened
 *
 * Context: process, may sleep.
 */
void wc_channel_put(struct wc_channel *ch)
{
	kref_put(&ch->ref, wc_channel_free);
}

/* What a tunnel's or the loopback's MTU says of packets is nothing: it can be 65535, and
 * what they send goes through others.
 */
static bool wc_channel_sends(const struct net_device *dev)
{
	return READ_ONCE(dev->flags) & IFF_UP &&
	       (dev->type == ARPHRD_ETHER || dev->type == ARPHRD_INFINIBAND);
}

/* Only of the initial namespace: in others, whoever may make one has what they like. */
static unsigned int wc_channel_mtu(void)
{
	unsigned int mtu = READ_ONCE(wc_mtu);
	struct net_device *dev;

	if (mtu)
		return mtu;
	rcu_read_lock();
	for_each_netdev_rcu(&init_net, dev)
		if (wc_channel_sends(dev))
			mtu = max(mtu, READ_ONCE(dev->mtu));
	rcu_read_unlock();
	return mtu;
}

static bool wc_channel_entries_fit(u32 entries, u32 nr_queues)
{
	u32 most = wavecrypt_slots_most(nr_queues, WAVECRYPT_SLOTS_ETHERNET,
					PAGE_SIZE);

	if (wc_channel_entries_good(entries, most))
		return true;
	pr_info_ratelimited("%s[%d] cannot have %u entries: with %u CPUs a power of two from %u to %u\n",
			    current->comm, task_tgid_nr(current), entries,
			    nr_queues, WC_ENTRIES_LEAST, most);
	return false;
}

/* Slots for jumbo packets, where there may be such, and room for so many. */
static enum wavecrypt_slots wc_channel_slots(u32 entries, u32 nr_queues)
{
	const enum wavecrypt_slots jumbo = WAVECRYPT_SLOTS_JUMBO;

	return wc_channel_mtu() > WC_MTU_ENVELOPE &&
	       entries <= wavecrypt_slots_most(nr_queues, jumbo, PAGE_SIZE) ?
	       jumbo : WAVECRYPT_SLOTS_ETHERNET;
}

static int wc_channel_alloc_pages(struct wc_channel *ch)
{
	int err = wc_pages_alloc(&ch->header_page, PAGE_SIZE, NUMA_NO_NODE);

	if (!err)
		err = wc_channel_keys_alloc(ch);
	ch->header = ch->header_page.mem;
	return err;
}

/* Memory for a helper, with a queue for each of @cpus: all that are there, online or
 * not. Those that come online later need one, too, and a helper's memory is mapped
 * once.
 */
static struct wc_channel *
wc_channel_alloc(u32 entries, const u64 algs[WAVECRYPT_ALG_WORDS],
		 const struct cpumask *cpus, enum wavecrypt_slots slots)
{
	u32 nr_queues = cpumask_weight(cpus), nr = 0;
	struct wc_channel *ch;
	unsigned int cpu;
	int err;

	ch = kzalloc(struct_size(ch, queue, nr_queues), WC_PAGES_GFP);
	if (!ch)
		return ERR_PTR(-ENOMEM);
	kref_init(&ch->ref);
	ch->nr_queues = nr_queues;
	ch->owner = task_tgid_nr(current);
	ch->memcg = get_mem_cgroup_from_mm(current->mm);
	memcpy(ch->algs, algs, sizeof(ch->algs));
	wc_channel_keys_init(ch, wc_key_limit());
	wc_queue_layout(&ch->layout, entries, slots);
	wc_channel_layout(ch);
	err = wc_channel_alloc_pages(ch);
	if (err)
		goto err_free;
	ch->header->magic = WAVECRYPT_MAGIC;
	ch->header->abi = WAVECRYPT_ABI_VERSION;
	ch->header->state = WAVECRYPT_STATE_LIVE;

	err = -ENOMEM;
	for_each_cpu(cpu, cpus) {
		ch->queue[nr] = wc_queue_alloc(ch, nr, cpu, entries);
		if (!ch->queue[nr++])
			goto err_free;
	}
	return ch;

err_free:
	wc_channel_put(ch);
	return ERR_PTR(err);
}

/* With the slots that are wanted, or, where memory is too short for those, with room for
 * most packets rather than for none.
 */
static struct wc_channel *
wc_channel_fit(u32 entries, const u64 algs[WAVECRYPT_ALG_WORDS],
	       const struct cpumask *cpus)
{
	u32 nr_queues = cpumask_weight(cpus);
	enum wavecrypt_slots slots;
	struct wc_channel *ch;

	if (!wc_channel_entries_fit(entries, nr_queues))
		return ERR_PTR(-EINVAL);
	slots = wc_channel_slots(entries, nr_queues);
	ch = wc_channel_alloc(entries, algs, cpus, slots);
	if (ch != ERR_PTR(-ENOMEM) || slots != WAVECRYPT_SLOTS_JUMBO)
		return ch;
	ch = wc_channel_alloc(entries, algs, cpus, WAVECRYPT_SLOTS_ETHERNET);
	if (IS_ERR(ch))
		return ch;
	ch->cramped = true;
	pr_info_ratelimited("helper %d: no memory for slots for jumbo packets, which are done in the kernel\n",
			    ch->owner);
	return ch;
}

/* Requests go to this one from now on, and no longer to the present one. */
static void wc_channel_open(struct wc_channel *ch)
{
	struct wc_channel *old;
	u32 i;

	mutex_lock(&wc_channel_lock);
	old = wc_channel;
	/* Its requests are finished while the new one's begin. Its helper may exit
	 * meanwhile.
	 */
	if (old) {
		kref_get(&old->ref);
		wc_key_detach(old);
	}
	wc_channel = ch;
	wc_order_expect(ch->queue[0]->entries);
	cpus_read_lock();
	for (i = 0; i < ch->nr_queues; i++)
		wc_queue_open(ch->queue[i]);
	cpus_read_unlock();
	mutex_unlock(&wc_channel_lock);

	if (old) {
		pr_info("helper %d replaces %d\n", ch->owner, old->owner);
		wc_channel_close(old);
		wc_channel_put(old);
	} else {
		pr_info("helper %d attached\n", ch->owner);
	}
}

/**
 * wc_channel_attach - make the caller the one that requests go to
 * @entries: requests in flight per queue, or 0 for the module's setting
 * @algs: the algorithms that the helper does, as far as the module has them
 * @replace: close the present channel, if there is one
 *
 * Whatever can fail has succeeded before the present one is let go.
 *
 * Return: the channel, or an ERR_PTR: -EBUSY: there is one, and @replace is
 * false; -EINVAL, -ENOMEM; -EINTR, for a process that was killed.
 */
struct wc_channel *wc_channel_attach(u32 entries,
				     const u64 algs[WAVECRYPT_ALG_WORDS],
				     bool replace)
{
	struct wc_channel *ch;
	cpumask_var_t cpus;
	int err;

	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return ERR_PTR(-ENOMEM);
	if (mutex_lock_killable(&wc_channel_attaching)) {
		ch = ERR_PTR(-EINTR);
		goto out_free;
	}
	if (!replace && READ_ONCE(wc_channel)) {
		ch = ERR_PTR(-EBUSY);
		goto out;
	}
	cpus_read_lock();
	/* Xen adds and removes CPUs whatever is locked. */
	cpumask_copy(cpus, cpu_present_mask);
	ch = wc_channel_fit(entries ?: READ_ONCE(wc_entries), algs, cpus);
	cpus_read_unlock();
	if (IS_ERR(ch))
		goto out;
	err = wc_key_attach(ch);
	if (err) {
		/* For a while it was shown keys, and told which had gone. */
		cancel_delayed_work_sync(&ch->wake);
		wc_channel_wipe_keys(ch);
		wc_channel_put(ch);
		ch = ERR_PTR(err);
		goto out;
	}
	wc_channel_open(ch);
out:
	mutex_unlock(&wc_channel_attaching);
out_free:
	free_cpumask_var(cpus);
	return ch;
}

/**
 * wc_channel_state - how the helper is doing
 * @ch: its channel
 *
 * Return: &enum wavecrypt_state.
 */
static u32 wc_channel_state(const struct wc_channel *ch)
{
	u32 ended = READ_ONCE(ch->ended);

	if (ended)
		return ended;
	return atomic_read(&ch->stalled) ? WAVECRYPT_STATE_STALLED :
					   WAVECRYPT_STATE_LIVE;
}

/* Show the helper what became of the channel. Who changes @ended or @stalled does
 * this afterwards, and of several at a time the last one shows the last state.
 */
static void wc_channel_show(struct wc_channel *ch)
{
	u32 state;

	do {
		state = wc_channel_state(ch);
		/* Pairs with the full barrier of what changed it meanwhile. */
		smp_store_mb(ch->header->state, state);
	} while (wc_channel_state(ch) != state);
}

/* False if it has ended already. */
static bool wc_channel_end(struct wc_channel *ch, u32 state)
{
	if (cmpxchg(&ch->ended, 0, state))
		return false;
	wc_channel_show(ch);
	return true;
}

/* No queue takes requests any more; the helper need not sleep any longer. */
static void wc_channel_close_queues(struct wc_channel *ch)
{
	u32 i;

	for (i = 0; i < ch->nr_queues; i++) {
		wc_queue_close(ch->queue[i]);
		wc_queue_wake(ch->queue[i]);
	}
}

/**
 * wc_channel_close - end a channel; wait until nothing of it is in use
 * @ch: a channel that was opened
 *
 * May be called again, and by two at a time.
 *
 * Context: process, may sleep.
 */
void wc_channel_close(struct wc_channel *ch)
{
	u32 i;

	if (wc_channel_end(ch, WAVECRYPT_STATE_DETACHED))
		wc_channel_close_queues(ch);
	/* And until no CPU that comes online looks at one: wc_queue_online(). */
	cpus_read_lock();
	for (i = 0; i < ch->nr_queues; i++)
		wait_for_completion(&ch->queue[i]->drained);
	cpus_read_unlock();

	mutex_lock(&wc_channel_lock);
	wc_key_detach(ch);
	cancel_delayed_work_sync(&ch->wake);
	flush_work(&ch->wipe);
	if (wc_channel == ch) {
		wc_channel = NULL;
		pr_info("helper %d detached\n", ch->owner);
	}
	mutex_unlock(&wc_channel_lock);

	/* Submissions that found a queue before it closed. */
	synchronize_rcu();
	wc_channel_wipe_keys(ch);
	for (i = 0; i < ch->nr_queues; i++)
		wc_pages_wipe(&ch->queue[i]->slot_pages);
}

/**
 * wc_channel_break - the helper broke a rule
 * @ch: its channel
 * @why: what it did, as a printk() format
 *
 * Context: any but hard interrupt.
 */
void wc_channel_break(struct wc_channel *ch, const char *why, ...)
{
	struct va_format vaf;
	va_list args;

	if (!wc_channel_end(ch, WAVECRYPT_STATE_BROKEN))
		return;
	va_start(args, why);
	vaf.fmt = why;
	vaf.va = &args;
	pr_warn_ratelimited("helper %d broke the rules, its requests are done in the kernel: %pV\n",
			    ch->owner, &vaf);
	va_end(args);
	/* Whatever it is, it is shown no more keys, and none of those. */
	wc_key_detach(ch);
	schedule_work(&ch->wipe);
	wc_channel_close_queues(ch);
}

/**
 * wc_channel_stall - a queue's helper makes no progress
 * @q: the queue
 *
 * Context: softirq.
 */
void wc_channel_stall(struct wc_queue *q)
{
	struct wc_channel *ch = q->ch;

	if (atomic_inc_return(&ch->stalled) == 1)
		wc_channel_show(ch);
}

/**
 * wc_channel_resume - it may be tried again
 * @q: the queue
 *
 * Context: softirq.
 */
void wc_channel_resume(struct wc_queue *q)
{
	struct wc_channel *ch = q->ch;

	if (atomic_dec_and_test(&ch->stalled))
		wc_channel_show(ch);
}

/**
 * wc_channel_find - the region that a range lies in
 * @ch: the channel
 * @offset: of the range, as in &wavecrypt_region
 * @size: of the range
 *
 * Return: &enum wavecrypt_region_id, or -EINVAL.
 */
int wc_channel_find(const struct wc_channel *ch, u64 offset, u64 size)
{
	int i;

	for (i = 0; i < WAVECRYPT_REGIONS; i++) {
		const struct wavecrypt_region *region = &ch->region[i];

		if (offset >= region->offset && size <= region->size &&
		    offset - region->offset <= region->size - size)
			return i;
	}
	return -EINVAL;
}

/**
 * wc_channel_page - the page at an offset
 * @ch: the channel
 * @offset: as in &wavecrypt_region
 *
 * Return: the page, without a reference, or NULL.
 */
struct page *wc_channel_page(struct wc_channel *ch, u64 offset)
{
	const struct wc_queue_layout *layout = &ch->layout;
	int region = wc_channel_find(ch, offset, PAGE_SIZE);
	const struct wc_pages *pages;

	if (region < 0)
		return NULL;
	offset -= ch->region[region].offset;
	switch (region) {
	case WAVECRYPT_REGION_SUBMIT:
		if (!offset)
			return wc_pages_at(&ch->header_page, 0);
		offset -= PAGE_SIZE;
		pages = &wc_channel_queue(ch, offset / layout->sq_size)->sq_pages;
		offset %= layout->sq_size;
		break;
	case WAVECRYPT_REGION_COMPLETE:
		pages = &wc_channel_queue(ch, offset / layout->cq_size)->cq_pages;
		offset %= layout->cq_size;
		break;
	case WAVECRYPT_REGION_KEYS:
		if (offset < wc_channel_removed_first(ch))
			return wc_channel_key_page(ch, offset >> PAGE_SHIFT,
						   WC_PAGES_GFP);
		offset -= wc_channel_removed_first(ch);
		pages = &ch->removed_pages;
		break;
	default:
		pages = &wc_channel_queue(ch, offset / layout->slots_size)->slot_pages;
		offset %= layout->slots_size;
		break;
	}
	return wc_pages_at(pages, offset);
}

/**
 * wc_channel_active - how the present helper is doing
 * @owner: where to store its process ID, 0 for none
 *
 * Return: &enum wavecrypt_state, 0 for none.
 */
u32 wc_channel_active(pid_t *owner)
{
	u32 state = 0;

	mutex_lock(&wc_channel_lock);
	*owner = 0;
	if (wc_channel) {
		state = wc_channel_state(wc_channel);
		*owner = wc_channel->owner;
	}
	mutex_unlock(&wc_channel_lock);
	return state;
}

/**
 * wc_channel_outgrown - would one that attaches now get slots for jumbo packets, which
 *	the present helper has not, and not for want of memory?
 */
bool wc_channel_outgrown(void)
{
	const struct wc_channel *ch;
	bool outgrown;

	mutex_lock(&wc_channel_lock);
	ch = wc_channel;
	outgrown = ch && !ch->cramped &&
		   ch->layout.slots != WAVECRYPT_SLOTS_JUMBO &&
		   wc_channel_slots(ch->queue[0]->entries, ch->nr_queues) ==
		   WAVECRYPT_SLOTS_JUMBO;
	mutex_unlock(&wc_channel_lock);
	return outgrown;
}
