// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting and stopping workers.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "worker/state.h"

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
		       c->device ? all : WORKER_HELD))
		return false;
	if (!c->device)
		return true;
	w->offload = calloc(1, sizeof(*w->offload));
	return w->offload && offload_init(w->offload, &oc) &&
	       arrival_init(&w->arrival, w->queues, c->nr_queues,
			    c->ch->geo.entries);
}

/* Its place in a crew, be it one of its own, with room for all of the crew's queues */
static bool crew_setup(struct worker *w)
{
	const struct worker_config *c = &w->config;

	w->own_crew = !c->crew;
	w->crew = c->crew ? c->crew : crew_alloc(c->queues, c->nr_queues, 1);
	if (!w->crew)
		return false;
	w->seat = c->crew ? c->seat : 0;
	w->queues = w->crew->queues;
	w->bells = w->crew->bells;
	w->mine = calloc(w->crew->nr_queues, sizeof(*w->mine));
	w->seen = calloc(w->crew->nr_queues, sizeof(*w->seen));
	w->window.heads = calloc(w->crew->nr_queues, sizeof(*w->window.heads));
	return w->mine && w->seen && w->window.heads;
}

/* Those that it has to begin with */
static bool queues_setup(struct worker *w)
{
	const struct worker_config *c = &w->config;

	for (uint32_t i = 0; i < c->nr_queues; i++) {
		uint32_t place = crew_place(w->crew, c->queues[i]);

		if (!queue_init(&w->queues[place], c->ch, c->queues[i], place))
			return false;
		w->bells[place].max_patience = clock_ticks_of(c->patience_ns);
		w->bells[place].again = clock_ticks_of(c->again_ns);
		w->crew->owners[place] = w->seat;
		w->mine[w->nr++] = place;
	}
	return true;
}

static struct worker *worker_alloc(const struct worker_config *config)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->config = *config;
	w->chunk = chunk_alloc(CHUNK_MAX);
	w->lanes = config->lanes->ops->open(config->lanes, config->ch);
	if (w->chunk && w->lanes && crew_setup(w) && sched_setup(w) &&
	    queues_setup(w)) {
		w->config.queues = NULL;
		return w;
	}
	worker_free(w);
	return NULL;
}

/**
 * struct birth - a worker that is allocated where it will be
 * @config: how it is to work
 * @w: the worker, or NULL
 */
struct birth {
	const struct worker_config *config;
	struct worker *w;
};

static void *birth_main(void *arg)
{
	struct birth *birth = arg;

	birth->w = worker_alloc(birth->config);
	return NULL;
}

static int thread_there(pthread_t *thread, const struct worker_config *config,
			void *(*run)(void *arg), void *arg)
{
	pthread_attr_t attr;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(config->cpus), &config->cpus);
	err = pthread_create(thread, &attr, run, arg);
	pthread_attr_destroy(&attr);
	return err;
}

/*
 * Memory is of the node of the CPU that touches it first, so who allocates is where the
 * worker will be. Unless a device's driver is called from there, too: threads that it
 * starts would have to stay. Nor does the caller go there and come back: to CPUs that are
 * offline meanwhile it never would.
 */
static struct worker *worker_alloc_there(const struct worker_config *config)
{
	struct birth birth = { .config = config };
	pthread_t thread;

	if ((config->device && !errand_apart()) ||
	    thread_there(&thread, config, birth_main, &birth))
		return worker_alloc(config);
	pthread_join(thread, NULL);
	return birth.w;
}

struct worker *worker_start(const struct worker_config *config)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct worker *w = worker_alloc_there(config);
	int err;

	if (!w) {
		log_err("no memory for a worker");
		return NULL;
	}
	w->spin = clock_ticks_of(config->spin_ns);
	w->state = WAVECRYPT_STATE_LIVE;
	/* Engines that copy to a device find lines wherever they are. */
	w->passes_on = !config->device && pass_on_works();
	w->spare = true;
	w->key_epoch = channel_key_epoch(config->ch);
	w->aside.cpus = config->cpus;

	sigaction(WORKER_SIGNAL, &sa, NULL);
	err = thread_there(&w->thread, config, worker_main, w);
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
		until.tv_nsec += 10 * NSEC_PER_MSEC;
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
	return __atomic_load_n(&w->crew->members[w->seat].asleep,
			       __ATOMIC_RELAXED);
}

const struct worker_config *worker_config_of(const struct worker *w)
{
	return &w->config;
}

void worker_free(struct worker *w)
{
	if (w->offload)
		offload_exit(w->offload);
	free(w->offload);
	arrival_exit(&w->arrival);
	if (w->lanes)
		w->lanes->ops->close(w->lanes);
	chunk_free(w->chunk);
	bins_exit(&w->bins);
	if (w->own_crew)
		crew_free(w->crew);
	free(w->mine);
	free(w->window.heads);
	free(w->seen);
	free(w);
}
