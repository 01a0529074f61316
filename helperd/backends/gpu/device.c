// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/device.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "lib/numa.h"

/** GPU_TEXT - room for what is said of one */
#define GPU_TEXT	512

/**
 * struct passed - a device, used in a way, that has passed its self-test
 * @next: another one
 * @description: what it is
 */
struct passed {
	struct passed *next;
	char description[GPU_TEXT];
};

/**
 * struct gpu - a GPU that was asked for, whether it is there or not
 * @dev: as the scheduler knows it
 * @name: which it is
 * @kind: how it is used
 * @settings: its settings
 * @lock: guards the session, but for what instances do
 * @session: with it, or NULL
 * @failed: a session with it has
 * @gave_up: why it is not opened any more, once it is given up
 * @second_failed: the mode that is tried after another has cost a session; under the lock
 * @there: there is one that has not failed, asked for without the lock
 * @cost: what it was when it was last there, asked for without the lock
 * @shape: likewise
 * @description: likewise; one of those in @passed, which stay as they are
 * @where: its bus address, likewise; under the lock
 * @why: why there is no session, or no instance of it, likewise
 * @passed: what has been there and has passed
 */
struct gpu {
	struct device dev;
	char name[GPU_WANTED];
	const struct gpu_kind *kind;
	const struct gpu_settings *settings;
	pthread_mutex_t lock;
	struct gpu_session *session;
	bool failed;
	const char *gave_up;
	bool second_failed;
	bool there;
	struct backend_cost cost[ALG_KINDS];
	const struct wavecrypt_gpu_shape *shape;
	const char *description;
	char where[DEVICE_WHERE];
	char why[DEVICE_WHY];
	struct passed *passed;
};

static struct gpu *to_gpu(struct device *dev)
{
	return (struct gpu *)dev;
}

static const struct gpu *to_const_gpu(const struct device *dev)
{
	return (const struct gpu *)dev;
}

struct device *gpu_device_of(struct gpu *gpu)
{
	return &gpu->dev;
}

struct device *gpu_device(const struct gpu_kind *kind,
			  const struct gpu_settings *settings, const char *name)
{
	struct gpu *gpu = calloc(1, sizeof(*gpu));

	if (!gpu)
		return NULL;
	snprintf(gpu->name, sizeof(gpu->name), "%s", name);
	gpu->dev.ops = kind->ops;
	gpu->dev.name = gpu->name;
	gpu->dev.node = NUMA_NONE;
	gpu->dev.users = 1;
	gpu->kind = kind;
	gpu->settings = settings;
	gpu->shape = &wavecrypt_gpu_narrow;
	gpu->description = "";
	pthread_mutex_init(&gpu->lock, NULL);
	return &gpu->dev;
}

bool gpu_choose_one(const struct gpu_session *session, const struct gpu_list *list,
		    unsigned int *number, const char **why)
{
	static __thread char text[GPU_WHY];
	struct gpu_chosen chosen;

	*why = text;
	/* Of several names, whichever is there */
	gpu_choose(list, session->gpu->name, &chosen, text);
	if (!chosen.nr)
		return false;
	*number = chosen.number[0];
	return true;
}

void gpu_session_init(struct gpu_session *session, struct gpu *gpu)
{
	session->kind = gpu->kind;
	session->gpu = gpu;
	session->settings = gpu->settings;
	session->shape = &wavecrypt_gpu_narrow;
}

static const struct passed *find_passed(const struct gpu_session *session)
{
	const struct passed *p = session->gpu->passed;
	char description[GPU_TEXT];

	session->kind->describe(session, description, sizeof(description));
	while (p && strcmp(p->description, description))
		p = p->next;
	return p;
}

bool gpu_passed(const struct gpu_session *session)
{
	return find_passed(session);
}

void gpu_pass(struct gpu_session *session)
{
	struct gpu *gpu = session->gpu;
	struct passed *p = malloc(sizeof(*p));

	/* Without memory, it does once more, and nothing is said of it. */
	if (!p)
		return;
	session->kind->describe(session, p->description, sizeof(p->description));
	p->next = gpu->passed;
	gpu->passed = p;
}

bool gpu_may_try_second(const struct gpu_session *session)
{
	return !gpu_lost(session) && !session->gpu->second_failed;
}

void gpu_second_fails(struct gpu_session *session, const char *setting,
		      const char *why)
{
	struct gpu *gpu = session->gpu;

	gpu->second_failed = gpu_lost(session);
	log_warn("backend %s: %s: %s does not work there: %s", gpu->dev.ops->name,
		 gpu->name, setting,
		 gpu_lost(session) ? session->lost_why : why);
}

/* What it is, and costs */
static void publish(struct gpu *gpu)
{
	const struct gpu_session *session = gpu->session;
	const struct passed *p = find_passed(session);

	for (unsigned int i = 0; i < ALG_KINDS; i++)
		gpu->cost[i] = session->cost[i];
	gpu->shape = session->shape;
	/* Somebody may be reading what was said of the one before. */
	__atomic_store_n(&gpu->description, p ? p->description : "", __ATOMIC_RELEASE);
	strcpy(gpu->where, session->where);
}

void gpu_changed(struct gpu_session *session)
{
	publish(session->gpu);
}

static void discard(struct gpu *gpu)
{
	__atomic_store_n(&gpu->there, false, __ATOMIC_RELAXED);
	gpu->kind->free(gpu->session);
	gpu->session = NULL;
}

/* Away with a session that failed; false: it is too early for that. */
static bool bury(struct gpu *gpu, const char **why)
{
	const struct gpu_session *session = gpu->session;

	*why = "it failed, and is still in use";
	if (session->users)
		return false;
	*why = "it failed a moment ago";
	if (clock_ns() - session->lost_at <
	    gpu->settings->retry_ms * NSEC_PER_MSEC)
		return false;
	discard(gpu);
	return true;
}

/* Why it is not opened any more */
static const char *gave_up(const struct gpu *gpu)
{
	return __atomic_load_n(&gpu->gave_up, __ATOMIC_RELAXED);
}

static void give_up(struct gpu *gpu, const char *why)
{
	struct device *dev = &gpu->dev;

	__atomic_store_n(&gpu->gave_up, why, __ATOMIC_RELAXED);
	if (!__atomic_exchange_n(&dev->given_up, true, __ATOMIC_RELEASE))
		log_err("backend %s: %s: %s; until then the CPU does its work",
			dev->ops->name, dev->name, why);
}

/* Where its second mode has cost the session, once more in the one that passed */
static struct gpu_session *create(struct gpu *gpu, const char **why)
{
	bool before = gpu->second_failed;
	struct gpu_session *session = gpu->kind->create(gpu, why);

	if (!session || gpu_hung(session) || gpu->second_failed == before)
		return session;
	gpu->kind->free(session);
	return gpu->kind->create(gpu, why);
}

static bool make_session(struct gpu *gpu, const char **why)
{
	if (device_given_up(&gpu->dev)) {
		*why = gave_up(gpu);
		return false;
	}
	if (gpu->session && gpu_lost(gpu->session) && !bury(gpu, why))
		return false;
	if (!gpu->session) {
		gpu->session = create(gpu, why);
		if (!gpu->session)
			return false;
		*why = "it failed while it was measured";
		if (gpu_lost(gpu->session) || gpu_hung(gpu->session)) {
			discard(gpu);
			return false;
		}
		publish(gpu);
		__atomic_store_n(&gpu->there, true, __ATOMIC_RELEASE);
	}
	return true;
}

/* Have a session that works; false: there is none, and why. */
static bool have_session(struct gpu *gpu, const char **why)
{
	bool there = make_session(gpu, why);

	snprintf(gpu->why, sizeof(gpu->why), "%s", there ? "" : *why);
	return there;
}

const char *gpu_probe(struct device *dev)
{
	struct gpu *gpu = to_gpu(dev);
	const char *why;
	bool there;

	pthread_mutex_lock(&gpu->lock);
	there = have_session(gpu, &why);
	pthread_mutex_unlock(&gpu->lock);
	return there ? NULL : why;
}

void gpu_forget(struct device *dev)
{
	struct gpu *gpu = to_gpu(dev);

	pthread_mutex_lock(&gpu->lock);
	if (gpu->session && !gpu->session->users)
		discard(gpu);
	pthread_mutex_unlock(&gpu->lock);
}

bool gpu_there(const struct device *dev)
{
	return __atomic_load_n(&to_const_gpu(dev)->there, __ATOMIC_ACQUIRE);
}

void gpu_free(struct device *dev)
{
	struct gpu *gpu = to_gpu(dev);

	if (gpu->session && gpu_hung(gpu->session))
		return;
	if (gpu->session)
		discard(gpu);
	while (gpu->passed) {
		struct passed *p = gpu->passed;

		gpu->passed = p->next;
		free(p);
	}
	pthread_mutex_destroy(&gpu->lock);
	free(gpu);
}

void gpu_name_mode(char *to, size_t room, const char *name, unsigned int most)
{
	if (most)
		snprintf(to, room, "%s, of up to %u workers", name, most);
	else
		snprintf(to, room, "%s", name);
}

bool gpu_has_room(const struct gpu_session *session, unsigned int groups, const char *setting,
		  unsigned int wanted, const char *left, const char *none)
{
	const struct device *dev = &session->gpu->dev;

	if (!groups)
		log_warn("backend %s: %s: %s", dev->ops->name, dev->name, none);
	else if (groups < wanted)
		log_warn("backend %s: %s: %s = %u: %u at most, with %s", dev->ops->name,
			 dev->name, setting, wanted, groups, left);
	return groups;
}

static void is_not_there(struct gpu *gpu, const char *why)
{
	snprintf(gpu->why, sizeof(gpu->why), "%s", why);
	if (device_given_up(&gpu->dev))
		return;
	log_notice("backend %s: %s: not there yet: %s", gpu->dev.ops->name, gpu->dev.name,
		   why);
}

struct backend *gpu_open(struct device *dev, const struct channel *ch)
{
	struct gpu *gpu = to_gpu(dev);
	struct backend *be = NULL;
	const char *why;

	/* Whoever is opening it may have to wait for a device that has hung. */
	if (pthread_mutex_trylock(&gpu->lock)) {
		errno = EBUSY;
		return NULL;
	}
	if (have_session(gpu, &why))
		be = gpu->kind->open(gpu->session, ch, &why);
	if (be)
		__atomic_add_fetch(&gpu->session->users, 1, __ATOMIC_RELAXED);
	else
		is_not_there(gpu, why);
	pthread_mutex_unlock(&gpu->lock);
	if (!be)
		errno = EIO;
	return be;
}

bool gpu_close(struct backend *be)
{
	struct gpu *gpu = to_gpu(be->dev);
	bool released;

	pthread_mutex_lock(&gpu->lock);
	__atomic_sub_fetch(&gpu->session->users, 1, __ATOMIC_RELAXED);
	released = gpu->kind->close(be);
	pthread_mutex_unlock(&gpu->lock);
	return released;
}

static enum device_state state_of(const struct gpu *gpu)
{
	const struct gpu_session *session = gpu->session;

	if (device_given_up(&gpu->dev))
		return DEVICE_LOST;
	if (!session)
		return DEVICE_REFUSED;
	if (gpu_lost(session))
		return DEVICE_LOST;
	return gpu_users(session) ? DEVICE_IN_USE : DEVICE_READY;
}

void gpu_status(struct device *dev, struct device_status *out)
{
	struct gpu *gpu = to_gpu(dev);
	const struct gpu_session *session;

	memset(out, 0, sizeof(*out));
	out->state = DEVICE_CHANGING;
	/* That may take long, or for ever where it has hung. */
	if (pthread_mutex_trylock(&gpu->lock))
		return;
	session = gpu->session;
	out->state = state_of(gpu);
	out->users = session ? gpu_users(session) : 0;
	strcpy(out->where, gpu->where);
	if (device_given_up(dev))
		snprintf(out->why, sizeof(out->why), "%s", gave_up(gpu));
	else if (session && __atomic_load_n(&session->lost_told, __ATOMIC_ACQUIRE))
		strcpy(out->why, session->lost_why);
	else
		strcpy(out->why, gpu->why);
	pthread_mutex_unlock(&gpu->lock);
}

bool gpu_lose(struct gpu_session *session, const char *what,
	      const char *error)
{
	if (__atomic_exchange_n(&session->lost, true, __ATOMIC_RELAXED))
		return false;
	__atomic_store_n(&session->gpu->failed, true, __ATOMIC_RELAXED);
	session->lost_at = clock_ns();
	__atomic_store_n(&session->gpu->there, false, __ATOMIC_RELAXED);
	snprintf(session->lost_why, sizeof(session->lost_why), "%s%s%s", what,
		 error ? ": " : "", error ? error : "");
	__atomic_store_n(&session->lost_told, true, __ATOMIC_RELEASE);
	return !session->calibrating;
}

void gpu_hang(struct gpu_session *session)
{
	const char *stuck = session->kind->stuck;
	unsigned int hangs;

	if (__atomic_exchange_n(&session->hung, true, __ATOMIC_RELAXED))
		return;
	hangs = __atomic_add_fetch(&session->gpu->dev.hangs, 1, __ATOMIC_RELAXED);
	if (stuck)
		give_up(session->gpu, stuck);
	else if (hangs >= GPU_HANGS_MOST)
		give_up(session->gpu,
			"it hung again and again, which costs memory; the daemon has to be restarted");
}

void gpu_refused(struct gpu_session *session, const char *why)
{
	if (__atomic_load_n(&session->gpu->failed, __ATOMIC_RELAXED))
		give_up(session->gpu, why);
}

const char *gpu_outlook(const struct gpu_session *session)
{
	return device_given_up(&session->gpu->dev) ? "it is not tried again" :
						     "it will be tried again";
}

bool gpu_good(const struct gpu_session *session, struct backend *be)
{
	if (gpu_lost(session) && be->state == BACKEND_GOOD)
		be->state = BACKEND_LOST;
	return be->state == BACKEND_GOOD;
}

void gpu_cost(const struct device *dev, uint8_t alg, uint8_t op,
	      uint8_t key_len, struct backend_cost *cost)
{
	*cost = to_const_gpu(dev)->cost[alg_kind(alg, op, key_len)];
}

unsigned int gpu_grain(const struct device *dev, uint8_t alg, uint8_t op)
{
	return wavecrypt_gpu_packets(to_const_gpu(dev)->shape, alg, op);
}

const char *gpu_describe(const struct device *dev)
{
	return __atomic_load_n(&to_const_gpu(dev)->description, __ATOMIC_ACQUIRE);
}
