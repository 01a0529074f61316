// SPDX-License-Identifier: GPL-2.0-only
/*
 * The polling loop: take, sort, work, publish, ring; sleep when there is
 * nothing to do.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel/bell.h"
#include "channel/queue.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "sched/arrival.h"
#include "sched/offload.h"
#include "worker/aside.h"
#include "worker/worker.h"

/*
 * Half of what is in flight at a time, so that the module reaps and submits
 * one half while we work on the other; in batches that fill the lanes.
 */
#define BATCH_GRAIN	16u

/*
 * Longest sleep. Work, a new key epoch and worker_stop() all end it early;
 * this bounds the harm of a wake-up that was lost.
 */
#define SLEEP_MAX_NS	(1 * NSEC_PER_SEC)

/*
 * As long as a device has packets for so long, and there is nothing else to do,
 * sleep for half of that. Work ends this early, too; so at the end it is polled.
 */
#define DOZE_MIN_NS	(200 * NSEC_PER_USEC)

/* What wakes a sleeping worker, by making its ioctl() fail with EINTR. */
#define WORKER_SIGNAL	SIGUSR1

/**
 * struct worker - a worker
 * @config: how it works
 * @lanes: its own instance of the lanes
 * @offload: the device beside them, or NULL
 * @arrival: puts its chunks back in order
 * @queues: its end of the queues
 * @bells: their bells
 * @seen: argument array for sleeping
 * @first: queue to look at first, for fairness
 * @turned: when it last went round, in ticks
 * @idle_since: when it last had something to do, in ticks
 * @spin: how long to poll then, in ticks
 * @key_epoch: last one seen
 * @state: last channel state seen
 * @aside: where packets come from
 * @bins: packets that were taken, sorted
 * @chunk: what the lanes work on
 * @thread: the thread
 * @stop: asked to end
 * @asleep: in wait
 * @end: why it ended
 * @pad: what is above is changed by others now and then
 * @stats: counters
 */
struct worker {
	struct worker_config config;
	struct backend *lanes;
	struct offload *offload;
	struct arrival arrival;
	struct queue *queues;
	struct bell *bells;
	struct wavecrypt_seen *seen;
	uint32_t first;
	uint64_t turned;
	uint64_t idle_since;
	uint64_t spin;
	uint32_t key_epoch;
	uint32_t state;
	struct aside aside;
	struct bins bins;
	struct chunk *chunk;
	pthread_t thread;
	bool stop;
	bool asleep;
	enum worker_end end;
	uint8_t pad[WAVECRYPT_LINE];
	struct worker_stats stats;
};

/* Others only read these, so that adding needs no locked instruction. */
static void count(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

static uint32_t batch_want(uint32_t waiting, uint32_t max)
{
	uint32_t half = waiting / 2;

	if (half < BATCH_GRAIN)
		return waiting < BATCH_GRAIN ? waiting : BATCH_GRAIN;
	half -= half % BATCH_GRAIN;
	return half < max ? half : max;
}

/*
 * Take one submission and sort it in. false: what the ring says cannot be, and
 * there is no generation to answer it with.
 */
static bool take_one(struct worker *w, uint32_t i)
{
	struct queue *q = &w->queues[i];
	uint32_t index = queue_next(q);
	struct packet *p;

	if (index > q->mask)
		return false;
	p = &q->packets[index];
	if (p->busy)
		return false;
	if (packet_load(p, w->config.ch, q)) {
		p->busy = true;
		bins_add(&w->bins, p);
	} else {
		queue_complete(q, p);
		count(&w->stats.retries, 1);
	}
	return true;
}

/*
 * How many packets should be in the bins? The lanes work on few at a time. How
 * many there are decides what a device is worth, so it is shown all.
 */
static uint32_t bins_want(const struct worker *w, uint32_t waiting)
{
	return w->offload ? UINT32_MAX :
			    batch_want(waiting + w->bins.nr, w->config.batch_max);
}

/**
 * take - move submissions from the queues to the bins
 * @w: the worker
 * @more: set if there are more than were taken, and room for them
 *
 * Return: how many were taken, or -1 if a ring makes no sense.
 */
static int take(struct worker *w, bool *more)
{
	uint32_t nr = w->config.nr_queues, waiting = 0, want, taken = 0;

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t n = queue_refill(&w->queues[i]);

		if (n > w->queues[i].mask + 1)
			return -1;
		waiting += n;
	}
	*more = false;
	if (!waiting)
		return 0;
	want = bins_want(w, waiting);
	for (uint32_t k = 0; k < nr && w->bins.nr < want; k++) {
		uint32_t i = w->first + k < nr ? w->first + k :
						 w->first + k - nr;
		struct queue *q = &w->queues[i];
		uint32_t n = 0;

		for (uint32_t ahead = 0; ahead < PREFETCH_AHEAD; ahead++)
			queue_prefetch(q, ahead);
		for (; q->head != q->tail && w->bins.nr < want; n++) {
			queue_prefetch(q, PREFETCH_AHEAD);
			if (!take_one(w, i))
				return -1;
		}
		if (n)
			aside_note(&w->aside, q->sq->cpu, n);
		taken += n;
	}
	w->first = w->first + 1 < nr ? w->first + 1 : 0;
	*more = taken < waiting && w->bins.nr < want;
	return taken;
}

/* Which of @nr ranges @n is in, that end at powers of two from @first on? */
static unsigned int range_of(uint64_t n, unsigned int first, unsigned int nr)
{
	unsigned int power = n <= 1 ? 0 : 64 - __builtin_clzll(n - 1);

	if (power <= first)
		return 0;
	return power - first < nr ? power - first : nr - 1;
}

static void count_bins(struct worker *w, const struct chunk *c)
{
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		const struct part *p = &c->parts[i];
		unsigned int kind = alg_kind(p->alg, p->op, p->key_len);

		count(&w->stats.bins[kind][range_of(p->longest,
						    WORKER_LENGTH_FIRST,
						    WORKER_LENGTHS)], p->nr);
	}
}

/* Note what became of the packets of a chunk, for the next publish(). */
static void complete(struct worker *w, const struct chunk *c)
{
	uint64_t retries = 0;

	for (uint32_t i = 0; i < w->config.nr_queues; i++)
		queue_claim(&w->queues[i], c->nr);
	for (uint32_t i = 0; i < c->nr; i++) {
		struct packet *p = c->packets[i];

		chunk_prefetch(c, i);
		retries += p->status != WAVECRYPT_STATUS_OK;
		p->busy = false;
		queue_complete(&w->queues[p->queue], p);
	}
	count(&w->stats.packets, c->nr - retries);
	count(&w->stats.bytes, c->bytes);
	if (retries)
		count(&w->stats.retries, retries);
}

/* Do one chunk on the lanes. false: it had better wait. */
static bool work(struct worker *w, struct bins *b, bool more)
{
	const struct backend_ops *ops = w->lanes->ops;
	struct chunk *c = w->chunk;
	uint64_t start;

	if (!bins_pick(b, c, w->config.batch_max, more))
		return false;
	count(&w->stats.chunks, 1);
	count(&w->stats.sizes[range_of(c->nr, 0, WORKER_SIZES)], 1);
	count_bins(w, c);
	start = w->offload ? clock_ticks() : 0;
	ops->submit(w->lanes, c);
	c = ops->poll(w->lanes);
	if (w->offload)
		offload_lanes_took(w->offload, c,
				   clock_ns_of(clock_ticks() - start));
	complete(w, c);
	return true;
}

/* Give the device more, if it is time to. */
static bool give_device(struct worker *w, double ns)
{
	const struct chunk *c = offload_submit(w->offload, &w->bins, ns);

	if (!c)
		return false;
	count(&w->stats.device_chunks, 1);
	count_bins(w, c);
	return true;
}

/* A chunk that came back */
static void take_back(struct worker *w, struct chunk *c)
{
	if (c->untouched) {
		count(&w->stats.device_failed, 1);
	} else {
		arrival_restore(&w->arrival, c);
		complete(w, c);
		count(&w->stats.device_packets, c->nr);
		count(&w->stats.device_bytes, c->bytes);
	}
	offload_done(w->offload, c);
}

/*
 * Take what the device has finished, and give it more: first, for it waits while
 * results are sorted. false: neither.
 */
static bool drive_device(struct worker *w, uint64_t now)
{
	double ns = clock_ns_of(now);
	struct chunk *c = offload_poll(w->offload, ns);
	bool given = give_device(w, ns), moved = c;

	for (; c; c = offload_poll(w->offload, ns))
		take_back(w, c);
	return given || give_device(w, ns) || moved;
}

/* One step of work with what is in the bins. false: there was none. */
static bool step(struct worker *w, uint64_t now, bool more)
{
	struct bins *b = &w->bins;
	bool moved = false;

	if (w->offload) {
		struct offload *o = w->offload;

		moved = drive_device(w, now);
		if (!o->refused.nr && b->nr && offload_lanes(o))
			offload_lanes_take(o, b, w->config.batch_max);
		b = &o->refused;
		more = false;
	}
	return (b->nr && work(w, b, more)) || moved;
}

/* Let the module see what was completed on every queue. */
static void publish(struct worker *w, uint64_t now)
{
	for (uint32_t i = 0; i < w->config.nr_queues; i++) {
		struct queue *q = &w->queues[i];

		if (q->published == q->done)
			continue;
		queue_publish(q);
		bell_published(&w->bells[i], q->tail, now);
	}
}

/*
 * Ring where it is time to. take() has just looked what was submitted. With
 * nothing else to do, what was reaped is looked at even before it is time.
 */
static void ring(struct worker *w, bool idle, uint64_t now)
{
	for (uint32_t i = 0; i < w->config.nr_queues; i++) {
		struct queue *q = &w->queues[i];
		struct bell *b = &w->bells[i];

		if ((!bell_due(b, q->tail, now) && !(idle && b->waiting)) ||
		    !bell_check(b, queue_reaped(q), q->published, now))
			continue;
		count(&w->stats.bells, 1);
		w->config.ch->ops->bell(w->config.ch, q->id);
	}
}

/* Has the channel changed in a way that matters? */
static enum worker_end check_channel(struct worker *w)
{
	uint32_t state = channel_state(w->config.ch);
	uint32_t epoch = channel_key_epoch(w->config.ch);

	if (epoch != w->key_epoch) {
		w->key_epoch = epoch;
		w->lanes->ops->keys_changed(w->lanes);
		if (w->offload)
			offload_keys_changed(w->offload);
	}
	if (state == w->state)
		return WORKER_RUNNING;
	w->state = state;
	switch (state) {
	case WAVECRYPT_STATE_LIVE:
		if (w->config.lead)
			log_notice("the channel is live again");
		return WORKER_RUNNING;
	case WAVECRYPT_STATE_STALLED:
		if (w->config.lead)
			log_warn("the module gave up waiting for us and did our work itself; catching up");
		return WORKER_RUNNING;
	case WAVECRYPT_STATE_DETACHED:
		return WORKER_DETACHED;
	default:
		return WORKER_BROKEN;
	}
}

/* How long may it sleep, if at all? A bell that is due soon keeps it awake. */
static uint64_t sleep_ns(const struct worker *w, uint64_t now)
{
	uint64_t longest = SLEEP_MAX_NS;

	for (uint32_t i = 0; i < w->config.nr_queues; i++) {
		const struct bell *b = &w->bells[i];
		uint64_t ns;

		if (!b->waiting)
			continue;
		if (!b->outstanding || (int64_t)(b->due - now) <= 0)
			return 0;
		ns = clock_ns_of(b->due - now);
		if (ns < longest)
			longest = ns;
	}
	return longest;
}

static enum worker_end sleep_until_work(struct worker *w, uint64_t ns)
{
	struct wavecrypt_wait wait = {
		.seen = (uintptr_t)w->seen,
		.nr = w->config.nr_queues,
		.key_epoch = w->key_epoch,
		.timeout_ns = ns,
	};
	int err;

	for (uint32_t i = 0; i < wait.nr; i++) {
		w->seen[i].queue = w->queues[i].id;
		w->seen[i].tail = w->queues[i].head;
	}
	count(&w->stats.sleeps, 1);
	__atomic_store_n(&w->asleep, true, __ATOMIC_RELAXED);
	err = w->config.ch->ops->wait(w->config.ch, &wait);
	__atomic_store_n(&w->asleep, false, __ATOMIC_RELAXED);
	switch (err) {
	case 0:
		count(&w->stats.wakeups, 1);
		return WORKER_RUNNING;
	case -ETIME:
	case -EINTR:
	case -ESHUTDOWN:	/* the channel's state says more */
		return WORKER_RUNNING;
	default:
		log_err("waiting for work: %s", strerror(-err));
		return WORKER_FAILED;
	}
}

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* Nothing to do on this turn: poll on for a while, then sleep. */
static enum worker_end rest(struct worker *w, uint64_t now)
{
	uint64_t ns = 0;

	if (now - w->idle_since >= w->spin)
		ns = sleep_ns(w, now);
	if (ns)
		return sleep_until_work(w, ns);
	relax();
	return WORKER_RUNNING;
}

/* Nothing to do before the device is done: sleep if that takes a while. */
static enum worker_end doze(struct worker *w, uint64_t now)
{
	double left = w->offload->finish - clock_ns_of(now);
	uint64_t ns = 0;

	if (!w->bins.nr && !w->offload->refused.nr && left >= DOZE_MIN_NS)
		ns = sleep_ns(w, now);
	if (!ns)
		return WORKER_RUNNING;
	return sleep_until_work(w, ns < left / 2 ? ns : left / 2);
}

static bool stopping(const struct worker *w)
{
	return __atomic_load_n(&w->stop, __ATOMIC_RELAXED);
}

static bool holds_any(const struct worker *w)
{
	const struct offload *o = w->offload;

	return w->bins.nr || (o && (o->refused.nr || o->in_flight));
}

static void step_aside(struct worker *w)
{
	cpu_set_t to;

	if (aside_due(&w->aside) &&
	    aside_choose(&w->aside, sched_getcpu(), &to) &&
	    !sched_setaffinity(0, sizeof(to), &to))
		count(&w->stats.moves, 1);
}

/* One turn of the loop. */
static enum worker_end turn(struct worker *w)
{
	enum worker_end end = check_channel(w);
	bool more = false, moved, idle;
	uint64_t now;
	int taken = 0;

	if (end != WORKER_RUNNING)
		return end;
	count(&w->stats.turns, 1);
	if (!stopping(w))
		taken = take(w, &more);
	else if (!holds_any(w))
		return WORKER_STOPPED;
	if (taken < 0) {
		log_err("queue with impossible contents");
		return WORKER_BROKEN;
	}
	idle = !taken && !holds_any(w);
	ring(w, idle, w->turned);
	if (idle) {
		end = rest(w, w->turned);
		w->turned = clock_ticks();
		return end;
	}

	moved = step(w, w->turned, more) || taken;
	now = clock_ticks();
	publish(w, now);
	if (moved) {
		count(&w->stats.busy_ticks, now - w->turned);
		count(&w->stats.times[range_of(clock_ns_of(now - w->turned),
					       WORKER_TIME_FIRST,
					       WORKER_TIMES)], 1);
	}
	w->turned = now;
	step_aside(w);
	w->idle_since = now;
	if (!w->offload)
		return WORKER_RUNNING;
	if (offload_hung(w->offload))
		return WORKER_HUNG;
	return moved || !w->offload->in_flight ? WORKER_RUNNING : doze(w, now);
}

/* When it ends: everything that was published must be seen. */
static void ring_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->config.nr_queues; i++)
		if (queue_reaped(&w->queues[i]) != w->queues[i].published)
			w->config.ch->ops->bell(w->config.ch, w->queues[i].id);
}

/* The channel may be unmapped next, which is no place for a device to write to. */
static void leave_device(struct worker *w)
{
	offload_drain(w->offload);
	if (offload_hung(w->offload))
		channel_keep(w->config.ch);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	enum worker_end end;
	uint64_t one = 1;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, WORKER_SIGNAL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	w->turned = clock_ticks();
	w->idle_since = w->turned;
	do {
		end = turn(w);
	} while (end == WORKER_RUNNING);
	if (end == WORKER_STOPPED)
		ring_all(w);
	if (w->offload)
		leave_device(w);
	__atomic_store_n(&w->end, end, __ATOMIC_RELEASE);
	if (w->config.end_fd >= 0 &&
	    write(w->config.end_fd, &one, sizeof(one)) < 0)
		log_err("cannot report the end of a worker: %s",
			strerror(errno));
	return NULL;
}

/* That it interrupts the system call is all that is wanted of it. */
static void on_signal(int sig)
{
	(void)sig;
}

static bool sched_setup(struct worker *w)
{
	const struct worker_config *c = &w->config;
	uint32_t all = c->ch->geo.entries * c->nr_queues;
	struct offload_config oc = {
		.ch = c->ch,
		.device = c->device,
		.lanes = c->lanes,
		.sched = &c->sched,
		.room = all,
		.balance = c->balance,
		.retry_ns = c->retry_ns,
	};

	if (!bins_init(&w->bins, c->lanes, &c->sched,
		       c->device ? all : CHUNK_MAX))
		return false;
	if (!c->device)
		return true;
	w->offload = calloc(1, sizeof(*w->offload));
	return w->offload && offload_init(w->offload, &oc) &&
	       arrival_init(&w->arrival, w->queues, c->nr_queues,
			    c->ch->geo.entries);
}

static struct worker *worker_alloc(const struct worker_config *config)
{
	uint32_t nr = config->nr_queues;
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->config = *config;
	w->config.queues = calloc(nr, sizeof(*w->config.queues));
	w->queues = calloc(nr, sizeof(*w->queues));
	w->bells = calloc(nr, sizeof(*w->bells));
	w->seen = calloc(nr, sizeof(*w->seen));
	w->chunk = chunk_alloc(CHUNK_MAX);
	w->lanes = config->lanes->ops->open(config->lanes, config->ch);
	if (!w->config.queues || !w->queues || !w->bells || !w->seen ||
	    !w->chunk || !w->lanes || !sched_setup(w))
		goto fail;
	memcpy(w->config.queues, config->queues, nr * sizeof(*config->queues));
	for (uint32_t i = 0; i < nr; i++) {
		if (!queue_init(&w->queues[i], config->ch, config->queues[i], i))
			goto fail;
		w->bells[i].max_patience = clock_ticks_of(config->patience_ns);
		w->bells[i].again = clock_ticks_of(config->again_ns);
	}
	return w;

fail:
	worker_free(w);
	return NULL;
}

struct worker *worker_start(const struct worker_config *config)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct worker *w = worker_alloc(config);
	pthread_attr_t attr;
	int err;

	if (!w) {
		log_err("no memory for a worker");
		return NULL;
	}
	w->spin = clock_ticks_of(config->spin_ns);
	w->state = WAVECRYPT_STATE_LIVE;
	w->key_epoch = channel_key_epoch(config->ch);
	w->aside.cpus = config->cpus;

	sigaction(WORKER_SIGNAL, &sa, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(config->cpus),
				    &config->cpus);
	err = pthread_create(&w->thread, &attr, worker_main, w);
	pthread_attr_destroy(&attr);
	if (err) {
		log_err("cannot start a worker: %s", strerror(err));
		worker_free(w);
		return NULL;
	}
	return w;
}

void worker_stop(struct worker *w)
{
	struct timespec until;

	__atomic_store_n(&w->stop, true, __ATOMIC_RELAXED);
	/* A signal just before it falls asleep is lost: so, again. */
	do {
		pthread_kill(w->thread, WORKER_SIGNAL);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 10 * 1000 * NSEC_PER_USEC;
		if (until.tv_nsec >= (long)NSEC_PER_SEC) {
			until.tv_nsec -= NSEC_PER_SEC;
			until.tv_sec++;
		}
	} while (pthread_timedjoin_np(w->thread, NULL, &until));
}

enum worker_end worker_end(const struct worker *w)
{
	return __atomic_load_n(&w->end, __ATOMIC_ACQUIRE);
}

bool worker_asleep(const struct worker *w)
{
	return __atomic_load_n(&w->asleep, __ATOMIC_RELAXED);
}

void worker_stats_get(const struct worker *w, struct worker_stats *out)
{
	const uint64_t *from = (const uint64_t *)&w->stats;
	uint64_t *to = (uint64_t *)out;

	for (size_t i = 0; i < sizeof(*out) / sizeof(*to); i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

const struct worker_config *worker_config_of(const struct worker *w)
{
	return &w->config;
}

void worker_free(struct worker *w)
{
	for (uint32_t i = 0; w->queues && i < w->config.nr_queues; i++)
		queue_exit(&w->queues[i]);
	if (w->offload)
		offload_exit(w->offload);
	free(w->offload);
	arrival_exit(&w->arrival);
	if (w->lanes)
		w->lanes->ops->close(w->lanes);
	chunk_free(w->chunk);
	bins_exit(&w->bins);
	free(w->config.queues);
	free(w->queues);
	free(w->bells);
	free(w->seen);
	free(w);
}
