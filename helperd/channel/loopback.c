// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "channel/alg.h"
#include "channel/loopback.h"
#include "lib/clock.h"

/**
 * struct entry - what the module's side keeps privately about an entry
 * @gen: its generation
 * @class: its slot's size class
 * @in_flight: with the daemon
 */
struct entry {
	uint32_t gen;
	uint8_t class;
	bool in_flight;
};

/**
 * struct lqueue - module's side of a queue
 * @sq: head, writable
 * @ring: ring, writable
 * @desc: descriptors, writable
 * @cq: completion head
 * @cqe: completions
 * @tail: submitted, and not yet flushed
 * @reaped: reaped
 * @class: free slots, as the module has them
 * @entry: private state
 * @pad: what follows is written by the other end
 * @bells: futex word: bells rung
 * @sleepers: threads in wait for this queue, or for others as well
 *
 * Aligned, for the next queue is another thread's.
 */
struct lqueue {
	struct wavecrypt_sq *sq;
	uint32_t *ring;
	struct wavecrypt_desc *desc;
	const struct wavecrypt_cq *cq;
	const struct wavecrypt_cqe *cqe;
	uint32_t tail;
	uint32_t reaped;
	struct wavecrypt_class class[WAVECRYPT_SLOTS_CLASSES];
	struct entry *entry;
	uint8_t pad[WAVECRYPT_LINE];
	uint32_t bells;
	uint32_t sleepers;
} __attribute__((aligned(2 * WAVECRYPT_LINE)));

/**
 * struct loopback - both ends
 * @ch: the daemon's
 * @fd: the memfd
 * @size: of the whole
 * @base: mapping of the module's side
 * @view: mapping of the daemon's, or NULL if it is the same
 * @header: header, writable
 * @nr_classes: how many sizes of slots there are
 * @sizes: sizes of slots, and how many a queue has of each
 * @place: by index, where the payload is in a queue's slots
 * @queues: queues
 * @pad: what follows is written by the other end
 * @sleepers: threads in wait
 * @wake: futex word: moves when sleepers are to look again. Who waits for a queue
 *	has its bit, so that work for one does not wake everybody.
 */
struct loopback {
	struct channel ch;
	int fd;
	size_t size;
	uint8_t *base;
	uint8_t *view;
	struct wavecrypt_header *header;
	unsigned int nr_classes;
	struct {
		uint32_t size;
		uint32_t nr;
	} sizes[WAVECRYPT_SLOTS_CLASSES];
	uint32_t *place;
	struct lqueue *queues;
	uint8_t pad[WAVECRYPT_LINE];
	uint32_t sleepers;
	uint32_t wake;
};

static long futex(uint32_t *word, int op, uint32_t val,
		  const struct timespec *timeout)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, val, timeout,
		       NULL, 0);
}

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec) {
		.tv_sec = ns / NSEC_PER_SEC,
		.tv_nsec = ns % NSEC_PER_SEC,
	};
}

static uint32_t queue_bit(uint32_t queue)
{
	return 1u << queue % 32;
}

/* Wait until @end, or until woken for a queue of @bits. */
static bool sleep_for(struct loopback *lb, uint32_t wake, uint32_t bits,
		      uint64_t end)
{
	struct timespec until = to_timespec(end);

	return !syscall(SYS_futex, &lb->wake,
			FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, wake, &until,
			NULL, bits);
}

static void wake_sleepers(struct loopback *lb, uint32_t bits)
{
	__atomic_add_fetch(&lb->wake, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &lb->wake, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG,
		INT_MAX, NULL, NULL, bits);
}

/* The daemon's end. */

static int loopback_bell(struct channel *ch, uint32_t queue)
{
	struct loopback *lb = (struct loopback *)ch;

	if (queue >= ch->geo.queues)
		return -EINVAL;
	if (channel_state(ch) >= WAVECRYPT_STATE_BROKEN)
		return -ESHUTDOWN;
	__atomic_add_fetch(&lb->queues[queue].bells, 1, __ATOMIC_RELEASE);
	futex(&lb->queues[queue].bells, FUTEX_WAKE, INT_MAX, NULL);
	return 0;
}

static bool has_work(struct loopback *lb, const struct wavecrypt_wait *wait)
{
	const struct wavecrypt_seen *seen = (const void *)(uintptr_t)wait->seen;

	if (__atomic_load_n(&lb->header->key_epoch, __ATOMIC_SEQ_CST) !=
	    wait->key_epoch)
		return true;
	for (uint32_t i = 0; i < wait->nr; i++)
		if (__atomic_load_n(&lb->queues[seen[i].queue].sq->tail,
				    __ATOMIC_SEQ_CST) != seen[i].tail)
			return true;
	return false;
}

static int wait_once(struct loopback *lb, const struct wavecrypt_wait *wait,
		     uint32_t bits, uint64_t end)
{
	uint32_t wake = __atomic_load_n(&lb->wake, __ATOMIC_SEQ_CST);

	if (channel_state(&lb->ch) == WAVECRYPT_STATE_DETACHED)
		return -ENOTCONN;
	if (channel_state(&lb->ch) >= WAVECRYPT_STATE_BROKEN)
		return -ESHUTDOWN;
	if (has_work(lb, wait))
		return 0;
	if (clock_ns() >= end)
		return -ETIME;
	if (!sleep_for(lb, wake, bits, end) && errno == EINTR)
		return -EINTR;
	return -EAGAIN;
}

static void count_sleeper(struct loopback *lb, const struct wavecrypt_wait *wait,
			  int one)
{
	const struct wavecrypt_seen *seen = (const void *)(uintptr_t)wait->seen;

	__atomic_add_fetch(&lb->sleepers, one, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < wait->nr; i++)
		__atomic_add_fetch(&lb->queues[seen[i].queue].sleepers, one,
				   __ATOMIC_SEQ_CST);
}

static int loopback_wait(struct channel *ch, const struct wavecrypt_wait *wait)
{
	struct loopback *lb = (struct loopback *)ch;
	uint64_t end = clock_ns() + wait->timeout_ns;
	const struct wavecrypt_seen *seen = (const void *)(uintptr_t)wait->seen;
	uint32_t bits = wait->nr ? 0 : FUTEX_BITSET_MATCH_ANY;
	int err;

	for (uint32_t i = 0; i < wait->nr; i++) {
		if (seen[i].queue >= ch->geo.queues)
			return -EINVAL;
		bits |= queue_bit(seen[i].queue);
	}
	/*
	 * Sleepers is raised before the tails are looked at, and a tail is
	 * written before sleepers is: at least one side sees the other.
	 */
	count_sleeper(lb, wait, 1);
	do {
		err = wait_once(lb, wait, bits, end);
	} while (err == -EAGAIN);
	count_sleeper(lb, wait, -1);
	return err;
}

static void loopback_detach(struct channel *ch)
{
	loopback_set_state((struct loopback *)ch, WAVECRYPT_STATE_DETACHED);
}

/* With one view for both, the module's is the daemon's as well. */
static void free_both(struct channel *ch)
{
	struct loopback *lb = (struct loopback *)ch;

	if (lb->view && !channel_kept(ch))
		munmap(lb->view, lb->size);
	if (lb->base && !channel_kept(ch))
		munmap(lb->base, lb->size);
	free(lb);
}

static const struct channel_ops loopback_ops = {
	.bell = loopback_bell,
	.wait = loopback_wait,
	.detach = loopback_detach,
	.close = loopback_detach,
	.free = free_both,
};

/* The module's end. */

static uint64_t align_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) & -to;
}

static void choose_sizes(struct loopback *lb, const struct loopback_config *c)
{
	if (c->slot_size) {
		lb->nr_classes = 1;
		lb->sizes[0].nr = c->entries;
		lb->sizes[0].size = align_up(WAVECRYPT_HEADROOM + c->slot_size +
					     WAVECRYPT_TAILROOM, WAVECRYPT_LINE);
		return;
	}
	lb->nr_classes = WAVECRYPT_SLOTS_CLASSES;
	for (unsigned int i = 0; i < lb->nr_classes; i++) {
		lb->sizes[i].size = wavecrypt_sizes[i].size;
		lb->sizes[i].nr = wavecrypt_slots_nr(i, c->entries, c->slots);
	}
}

/* Indices are dealt out class by class, slots lie in the same order. */
static bool place_slots(struct loopback *lb, const struct loopback_config *c)
{
	uint32_t index = 0, at = WAVECRYPT_HEADROOM;

	choose_sizes(lb, c);
	lb->place = calloc(c->entries, sizeof(*lb->place));
	if (!lb->place)
		return false;
	for (unsigned int i = 0; i < lb->nr_classes; i++)
		for (uint32_t n = 0; n < lb->sizes[i].nr; n++) {
			lb->place[index++] = at;
			at += lb->sizes[i].size;
		}
	lb->ch.geo.slot_stride = at - WAVECRYPT_HEADROOM;
	return true;
}

static void lay_out(struct loopback *lb, const struct loopback_config *c)
{
	struct wavecrypt_attach *geo = &lb->ch.geo;
	uint64_t size[WAVECRYPT_REGIONS], offered[WAVECRYPT_ALG_WORDS], at = 0;

	geo->abi = WAVECRYPT_ABI_VERSION;
	geo->entries = c->entries;
	geo->queues = c->queues;
	geo->keys = c->keys;
	geo->removed_first = align_up(sizeof(struct wavecrypt_key) * c->keys,
				      4096);
	geo->removed = WAVECRYPT_LINE / sizeof(__u32);
	while (geo->removed < geo->keys)
		geo->removed *= 2;
	alg_set(offered);
	memcpy(geo->algs, offered, sizeof(geo->algs));
	geo->sq_first = sizeof(struct wavecrypt_header);
	geo->desc_first = align_up(sizeof(struct wavecrypt_sq) +
				   c->entries * sizeof(__u32), WAVECRYPT_LINE);
	geo->sq_stride = geo->desc_first +
			 c->entries * sizeof(struct wavecrypt_desc);
	geo->cq_stride = align_up(sizeof(struct wavecrypt_cq) +
				  c->entries * sizeof(struct wavecrypt_cqe),
				  WAVECRYPT_LINE);
	size[WAVECRYPT_REGION_SUBMIT] = geo->sq_first +
					geo->sq_stride * c->queues;
	size[WAVECRYPT_REGION_COMPLETE] = geo->cq_stride * c->queues;
	size[WAVECRYPT_REGION_KEYS] = geo->removed_first +
				      geo->removed * sizeof(__u32);
	size[WAVECRYPT_REGION_SLOTS] = geo->slot_stride * c->queues;
	for (int i = 0; i < WAVECRYPT_REGIONS; i++) {
		geo->region[i].offset = at;
		geo->region[i].size = align_up(size[i], 4096);
		at += geo->region[i].size;
	}
	lb->size = at;
}

static bool map_both(struct loopback *lb, bool one_view)
{
	const struct wavecrypt_region *r = lb->ch.geo.region;
	uint8_t *p;

	p = mmap(NULL, lb->size, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_POPULATE, lb->fd, 0);
	if (p == MAP_FAILED)
		return false;
	lb->base = p;
	if (!one_view) {
		p = mmap(NULL, lb->size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_POPULATE, lb->fd, 0);
		if (p == MAP_FAILED)
			return false;
		lb->view = p;
		if (mprotect(p + r[WAVECRYPT_REGION_SUBMIT].offset,
			     r[WAVECRYPT_REGION_SUBMIT].size, PROT_READ) ||
		    mprotect(p + r[WAVECRYPT_REGION_KEYS].offset,
			     r[WAVECRYPT_REGION_KEYS].size, PROT_READ))
			return false;
	}
	for (int i = 0; i < WAVECRYPT_REGIONS; i++)
		lb->ch.map[i] = p + r[i].offset;
	return true;
}

static uint8_t *loopback_slots(struct loopback *lb)
{
	return lb->base + lb->ch.geo.region[WAVECRYPT_REGION_SLOTS].offset;
}

static bool free_slots(struct loopback *lb, struct lqueue *q)
{
	uint32_t index = 0;

	for (unsigned int i = 0; i < lb->nr_classes; i++) {
		struct wavecrypt_class *class = &q->class[i];

		class->capacity = lb->sizes[i].size - WAVECRYPT_HEADROOM -
				  WAVECRYPT_TAILROOM;
		class->first = index;
		class->size = lb->sizes[i].nr;
		class->free = calloc(WAVECRYPT_CLASS_WORDS(class->size),
				     sizeof(*class->free));
		if (!class->free)
			return false;
		for (; class->nr < class->size; index++) {
			wavecrypt_class_return(class, index);
			q->entry[index].class = i;
		}
	}
	return true;
}

static bool queue_create(struct loopback *lb, uint32_t id)
{
	const struct wavecrypt_attach *geo = &lb->ch.geo;
	struct lqueue *q = &lb->queues[id];
	uint8_t *sq = lb->base + geo->region[WAVECRYPT_REGION_SUBMIT].offset +
		      geo->sq_first + id * geo->sq_stride;

	q->sq = (void *)sq;
	q->ring = (void *)(sq + sizeof(struct wavecrypt_sq));
	q->desc = (void *)(sq + geo->desc_first);
	q->cq = (void *)(lb->base +
			 geo->region[WAVECRYPT_REGION_COMPLETE].offset +
			 id * geo->cq_stride);
	q->cqe = (const void *)(q->cq + 1);
	q->sq->cpu = id;
	q->entry = calloc(geo->entries, sizeof(*q->entry));
	if (!q->entry || !free_slots(lb, q))
		return false;
	/* An index has the same slot always, and the helper may rely on it. */
	for (uint32_t i = 0; i < geo->entries; i++)
		q->desc[i].data = loopback_slot(lb, id, i) -
				  loopback_slots(lb);
	return true;
}

struct loopback *loopback_create(const struct loopback_config *config)
{
	struct loopback *lb = calloc(1, sizeof(*lb));

	if (!lb)
		return NULL;
	channel_init(&lb->ch, &loopback_ops, "loopback");
	if (!place_slots(lb, config)) {
		free(lb);
		return NULL;
	}
	lay_out(lb, config);
	if (channel_check(&lb->ch.geo)) {
		free(lb->place);
		free(lb);
		errno = EINVAL;
		return NULL;
	}
	lb->fd = memfd_create("wavecrypt", MFD_CLOEXEC);
	lb->queues = aligned_alloc(_Alignof(struct lqueue),
				   config->queues * sizeof(*lb->queues));
	if (lb->queues)
		memset(lb->queues, 0, config->queues * sizeof(*lb->queues));
	if (lb->fd < 0 || !lb->queues)
		goto fail;
	if (ftruncate(lb->fd, lb->size) || !map_both(lb, config->one_view))
		goto fail;
	lb->header = (void *)lb->base;
	lb->header->magic = WAVECRYPT_MAGIC;
	lb->header->abi = WAVECRYPT_ABI_VERSION;
	lb->header->state = WAVECRYPT_STATE_LIVE;
	for (uint32_t i = 0; i < config->queues; i++)
		if (!queue_create(lb, i))
			goto fail;
	channel_protect(&lb->ch);
	return lb;

fail:
	loopback_free(lb);
	return NULL;
}

void loopback_free(struct loopback *lb)
{
	int err = errno;

	for (uint32_t i = 0; lb->queues && i < lb->ch.geo.queues; i++) {
		for (unsigned int k = 0; k < lb->nr_classes; k++)
			free(lb->queues[i].class[k].free);
		free(lb->queues[i].entry);
	}
	if (lb->fd >= 0)
		close(lb->fd);
	free(lb->queues);
	free(lb->place);
	channel_release(&lb->ch);
	errno = err;
}

struct channel *loopback_channel(struct loopback *lb)
{
	return &lb->ch;
}

struct wavecrypt_key *loopback_key(struct loopback *lb, uint32_t index)
{
	struct wavecrypt_key *keys = (void *)(lb->base +
		lb->ch.geo.region[WAVECRYPT_REGION_KEYS].offset);

	return &keys[index];
}

void loopback_key_gone(struct loopback *lb, uint32_t index)
{
	const struct wavecrypt_attach *geo = &lb->ch.geo;
	uint32_t *ring = (void *)(lb->base + geo->removed_first +
				  geo->region[WAVECRYPT_REGION_KEYS].offset);

	/* After the count before it, as the module's */
	__atomic_store_n(&ring[lb->header->key_epoch & (geo->removed - 1)],
			 index, __ATOMIC_RELEASE);
	__atomic_add_fetch(&lb->header->key_epoch, 1, __ATOMIC_SEQ_CST);
	wake_sleepers(lb, FUTEX_BITSET_MATCH_ANY);
}

void loopback_set_state(struct loopback *lb, uint32_t state)
{
	__atomic_store_n(&lb->header->state, state, __ATOMIC_SEQ_CST);
	wake_sleepers(lb, FUTEX_BITSET_MATCH_ANY);
}

uint8_t *loopback_slot(struct loopback *lb, uint32_t queue, uint32_t index)
{
	return lb->base + lb->ch.geo.region[WAVECRYPT_REGION_SLOTS].offset +
	       queue * lb->ch.geo.slot_stride + lb->place[index];
}

struct wavecrypt_desc *loopback_get(struct loopback *lb, uint32_t queue,
				    uint32_t len, uint32_t *index)
{
	struct lqueue *q = &lb->queues[queue];
	struct wavecrypt_class *class = wavecrypt_class_find(q->class, lb->nr_classes, len);
	struct wavecrypt_desc *d;

	if (!class)
		return NULL;
	*index = wavecrypt_class_take(class);
	d = &q->desc[*index];
	d->gen = ++q->entry[*index].gen;
	d->data = loopback_slot(lb, queue, *index) - loopback_slots(lb);
	return d;
}

void loopback_submit(struct loopback *lb, uint32_t queue, uint32_t index)
{
	struct lqueue *q = &lb->queues[queue];

	q->entry[index].in_flight = true;
	q->ring[q->tail++ & (lb->ch.geo.entries - 1)] = index;
}

void loopback_flush(struct loopback *lb, uint32_t queue)
{
	struct lqueue *q = &lb->queues[queue];

	/* Sequentially consistent for the sake of sleepers, see above. */
	__atomic_store_n(&q->sq->tail, q->tail, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&q->sleepers, __ATOMIC_SEQ_CST))
		wake_sleepers(lb, queue_bit(queue));
}

static int broken(struct loopback *lb)
{
	loopback_set_state(lb, WAVECRYPT_STATE_BROKEN);
	return -EPROTO;
}

int loopback_reap(struct loopback *lb, uint32_t queue, uint32_t *index)
{
	struct lqueue *q = &lb->queues[queue];
	uint32_t mask = lb->ch.geo.entries - 1;
	uint32_t tail = __atomic_load_n(&q->cq->tail, __ATOMIC_ACQUIRE);
	struct wavecrypt_cqe cqe;

	if (tail == q->reaped)
		return -EAGAIN;
	if (tail - q->reaped > mask + 1)
		return broken(lb);
	cqe = q->cqe[q->reaped & mask];
	if (cqe.index > mask || cqe.status > WAVECRYPT_STATUS_RETRY ||
	    !q->entry[cqe.index].in_flight ||
	    q->entry[cqe.index].gen != cqe.gen)
		return broken(lb);
	q->entry[cqe.index].in_flight = false;
	q->reaped++;
	*index = cqe.index;
	return cqe.status;
}

void loopback_put(struct loopback *lb, uint32_t queue, uint32_t index)
{
	struct lqueue *q = &lb->queues[queue];

	wavecrypt_class_return(&q->class[q->entry[index].class], index);
}

void loopback_reaped(struct loopback *lb, uint32_t queue)
{
	struct lqueue *q = &lb->queues[queue];

	__atomic_store_n(&q->sq->reaped, q->reaped, __ATOMIC_RELEASE);
}

uint32_t loopback_in_flight(const struct loopback *lb, uint32_t queue)
{
	return lb->queues[queue].tail - lb->queues[queue].reaped;
}

uint32_t loopback_bells(const struct loopback *lb, uint32_t queue)
{
	return __atomic_load_n(&lb->queues[queue].bells, __ATOMIC_ACQUIRE);
}

bool loopback_await_bell(struct loopback *lb, uint32_t queue, uint32_t known,
			 uint64_t timeout_ns)
{
	uint64_t end = clock_ns() + timeout_ns;

	while (loopback_bells(lb, queue) == known) {
		uint64_t now = clock_ns();
		struct timespec left;

		if (now >= end)
			return false;
		left = to_timespec(end - now);
		futex(&lb->queues[queue].bells, FUTEX_WAIT, known, &left);
	}
	return true;
}

uint32_t loopback_sleepers(const struct loopback *lb)
{
	return __atomic_load_n(&lb->sleepers, __ATOMIC_SEQ_CST);
}
