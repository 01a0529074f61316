// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's queue: its memory, and its life from attach to detach.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "channel.h"
#include "complete.h"
#include "cpu.h"
#include "queue.h"
#include "stats.h"

static DEFINE_PER_CPU(struct wc_queue __rcu *, wc_queues);

/**
 * wc_queue_mine - the queue of this CPU, or NULL
 *
 * Context: BH disabled; may be used until BH is enabled.
 */
struct wc_queue *wc_queue_mine(void)
{
	if (!wc_cpu_up())
		return NULL;
	return rcu_dereference_check(*this_cpu_ptr(&wc_queues),
				     rcu_read_lock_bh_held());
}

static u32 wc_queue_read(unsigned int cpu,
			 u32 (*read)(const struct wc_queue *q))
{
	struct wc_queue *q;
	u32 value = 0;

	rcu_read_lock();
	q = rcu_dereference(per_cpu(wc_queues, cpu));
	if (q)
		value = read(q);
	rcu_read_unlock();
	return value;
}

static u32 wc_queue_inflight(const struct wc_queue *q)
{
	return READ_ONCE(q->inflight);
}

/** wc_queue_depth - how many requests are in flight from a CPU now */
u32 wc_queue_depth(unsigned int cpu)
{
	return wc_queue_read(cpu, wc_queue_inflight);
}

/** wc_queue_stall_ms - how long the helper may keep a request of a CPU now */
u32 wc_queue_stall_ms(unsigned int cpu)
{
	return wc_queue_read(cpu, wc_stall_patience_ms);
}

/**
 * wc_queue_layout - where things are in a queue
 * @layout: result
 * @entries: how many requests may be in flight
 * @slots: which packets there are many of
 */
void wc_queue_layout(struct wc_queue_layout *layout, u32 entries,
		     enum wavecrypt_slots slots)
{
	layout->slots = slots;
	layout->desc_first = ALIGN(sizeof(struct wavecrypt_sq) +
				   entries * sizeof(u32), WAVECRYPT_LINE);
	layout->sq_size = PAGE_ALIGN(layout->desc_first + entries *
				     sizeof(struct wavecrypt_desc));
	layout->cq_size = PAGE_ALIGN(sizeof(struct wavecrypt_cq) + entries *
				     sizeof(struct wavecrypt_cqe));
	layout->slots_size = wavecrypt_slots_stride(entries, slots, PAGE_SIZE);
}

/* Indices are dealt out class by class, slots lie in the same order. */
static int wc_queue_alloc_slots(struct wc_queue *q, enum wavecrypt_slots slots,
				int node)
{
	u32 index = 0, data = WAVECRYPT_HEADROOM;
	unsigned int i;

	for (i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++) {
		struct wavecrypt_class *class = &q->class[i];
		u32 nr = wavecrypt_slots_nr(i, q->entries, slots);

		class->capacity = wavecrypt_sizes[i].size - WAVECRYPT_HEADROOM -
				  WAVECRYPT_TAILROOM;
		class->free = kcalloc_node(WAVECRYPT_CLASS_WORDS(nr),
					   sizeof(*class->free), WC_PAGES_GFP,
					   node);
		if (!class->free)
			return -ENOMEM;
		class->first = index;
		class->size = nr;
		for (; class->nr < nr; index++) {
			wavecrypt_class_return(class, index);
			q->flight[index].class = i;
			q->flight[index].data = data;
			data += wavecrypt_sizes[i].size;
		}
	}
	return 0;
}

static void wc_queue_rung(void *kick)
{
	wc_stats_bell();
	wc_kick_heard(kick);
}

/**
 * wc_queue_alloc - a queue that takes no requests yet
 * @ch: its channel
 * @id: its number there
 * @cpu: its CPU, near which the memory is taken
 * @entries: how many requests may be in flight
 */
struct wc_queue *wc_queue_alloc(struct wc_channel *ch, u32 id,
				unsigned int cpu, u32 entries)
{
	int node = cpu_to_node(cpu);
	struct wc_queue *q = kzalloc_node(sizeof(*q), WC_PAGES_GFP, node);
	u32 index;

	if (!q)
		return NULL;
	q->ch = ch;
	q->id = id;
	q->cpu = cpu;
	q->entries = entries;
	memcpy(q->algs, ch->algs, sizeof(q->algs));
	q->closed = true;
	q->armed = true;
	wc_kick_init(&q->kick, wc_complete_tasklet, wc_queue_rung);
	wc_stall_init(q);
	init_completion(&q->drained);

	q->flight = kvzalloc_node(array_size(entries, sizeof(*q->flight)),
				  WC_PAGES_GFP, node);
	if (wc_pages_alloc(&q->sq_pages, ch->layout.sq_size, node) ||
	    wc_pages_alloc(&q->cq_pages, ch->layout.cq_size, node) ||
	    wc_pages_alloc(&q->slot_pages, ch->layout.slots_size, node) ||
	    !q->flight || wc_queue_alloc_slots(q, ch->layout.slots, node)) {
		wc_queue_free(q);
		return NULL;
	}

	q->slots = q->slot_pages.mem;
	q->sq = q->sq_pages.mem;
	q->sq_ring = (u32 *)(q->sq + 1);
	q->desc = q->sq_pages.mem + ch->layout.desc_first;
	q->sq->cpu = cpu;
	/* An index has the same slot always, and the helper may rely on it. */
	for (index = 0; index < entries; index++)
		q->desc[index].data = id * ch->layout.slots_size +
				      q->flight[index].data;
	q->cq = q->cq_pages.mem;
	q->cq_ring = (struct wavecrypt_cqe *)(q->cq + 1);
	return q;
}

/**
 * wc_queue_hush - let what schedules a queue's tasklet pass
 * @q: a queue that is closed and that no CPU can be looking at, or NULL
 *
 * The last kick schedules it within a grace period from here.
 */
void wc_queue_hush(struct wc_queue *q)
{
	if (!q)
		return;
	/* It kicks; and the tasklet sets it for an open queue only. */
	wc_stall_exit(q);
	wc_kick_hush(&q->kick);
}

/**
 * wc_queue_free - give a queue's memory back
 * @q: a queue, a grace period after wc_queue_hush(), or NULL
 */
void wc_queue_free(struct wc_queue *q)
{
	unsigned int i;

	if (!q)
		return;
	wc_kick_end(&q->kick);
	for (i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++)
		kfree(q->class[i].free);
	kvfree(q->flight);
	/* What was under way to a slot when the channel closed has come since; and
	 * descriptors hold the part of the nonce that comes with the key.
	 */
	wc_pages_wipe(&q->slot_pages);
	wc_pages_wipe(&q->sq_pages);
	wc_pages_free(&q->slot_pages);
	wc_pages_free(&q->cq_pages);
	wc_pages_free(&q->sq_pages);
	kfree(q);
}

/** wc_queue_open - have a queue's CPU use it from now on */
void wc_queue_open(struct wc_queue *q)
{
	q->closed = false;
	rcu_assign_pointer(per_cpu(wc_queues, q->cpu), q);
}

/**
 * wc_queue_close - have its CPU use it no more, and finish what is in flight
 * @q: the queue
 *
 * Returns at once; &wc_queue.drained tells when it is done. Then no request
 * of it is left, and when an RCU grace period has passed as well, nobody looks
 * at it. May be called again.
 *
 * Context: any but hard interrupt.
 */
void wc_queue_close(struct wc_queue *q)
{
	/* Seen by the tasklet run that the kick brings about. */
	WRITE_ONCE(q->closing, true);
	wc_kick(&q->kick, q->cpu);
}

/**
 * wc_queue_closed - the tasklet has finished everything in a queue
 * @q: the queue, which is closed
 *
 * Context: where &struct wc_queue says.
 */
void wc_queue_closed(struct wc_queue *q)
{
	struct wc_queue __rcu **mine = &per_cpu(wc_queues, q->cpu);

	/* Unless another channel's has taken its place. */
	cmpxchg((struct wc_queue __force **)mine, q, NULL);
	complete_all(&q->drained);
}

/**
 * wc_queue_wake - wake the task that sleeps on a queue, if one does
 * @q: the queue
 *
 * Context: any.
 */
void wc_queue_wake(struct wc_queue *q)
{
	struct task_struct *task;

	/* A task that has exited stays valid memory for a grace period. */
	rcu_read_lock();
	task = READ_ONCE(q->sleeper);
	if (task && cmpxchg(&q->sleeper, task, NULL) == task)
		wake_up_process(task);
	rcu_read_unlock();
}

/* On q->cpu */
static void wc_queue_armed(void *info)
{
	struct wc_queue *q = info;

	WRITE_ONCE(q->armed, true);
	/* The one that submissions lack: see wc_queue_arm(). */
	smp_mb();
	wc_stats_interrupted();
}

/**
 * wc_queue_arm - have the next submission look whether anybody sleeps
 * @q: the queue, whose &wc_queue.sleeper the caller is
 *
 * The caller has said that it sleeps, and looks after this whether that came too
 * late. The other side submits, then looks whether somebody sleeps. That wants
 * a full barrier on both sides, but a submission cannot afford one (submit.c). So
 * the queue's CPU is interrupted in between: what it submitted before is visible
 * to the caller, and what it submits after finds the queue armed.
 *
 * The first submission to find it so disarms it, and has the barrier. Until then
 * there was none, and no sleeper need interrupt anybody: a CPU that does not
 * submit is left alone.
 *
 * Context: process.
 */
void wc_queue_arm(struct wc_queue *q)
{
	/* An error means that it is offline: wc_queue_online() arms it. */
	if (!READ_ONCE(q->armed))
		smp_call_function_single(q->cpu, wc_queue_armed, q, 1);
}

/**
 * wc_queue_alarm - a submission has found its queue armed
 * @q: the queue
 *
 * Context: where &struct wc_queue says.
 */
void wc_queue_alarm(struct wc_queue *q)
{
	WRITE_ONCE(q->armed, false);
	/* Submitted and disarmed, before looking who sleeps: pairs with the
	 * cmpxchg() in wc_device_sleep(), after which it reads either.
	 */
	smp_mb();
	if (READ_ONCE(q->sleeper)) {
		wc_stats_wakeup();
		wc_queue_wake(q);
	}
}

/**
 * wc_queue_online - a CPU has come online, and is about to submit
 * @cpu: the CPU
 *
 * Context: process; queues come and go under cpus_read_lock().
 */
void wc_queue_online(unsigned int cpu)
{
	struct wc_queue *q;

	q = rcu_dereference_protected(per_cpu(wc_queues, cpu), true);
	/* Whoever sleeps could not arm it. */
	if (q)
		WRITE_ONCE(q->armed, true);
}
