/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GPUs, and sessions with them. Instances come and go; a session lasts from when a
 * GPU was opened until it failed and the last instance of it is gone; the device,
 * which is what the scheduler knows, is there whether the GPU is or not.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_DEVICE_H
#define WAVECRYPT_BACKENDS_GPU_DEVICE_H

#include "backends/backend.h"
#include "backends/gpu/choice.h"
#include "backends/gpu/settings.h"
#include "backends/status.h"
#include "gpu.h"

struct gpu;
struct gpu_session;

/**
 * struct gpu_kind - a way to use GPUs
 * @ops: the backend
 * @stuck: why one that hung cannot be opened anew; NULL: it can, some times
 * @create: open a device, which includes calibrate(); NULL, with @why set, if it
 *	cannot be used. The lanes must have been probed before.
 * @free: stop using it; there are no instances
 * @open: an instance on a channel; NULL, with @why set, if that is not possible
 * @close: the reverse, of one that has no chunks unless it hung. false: it did,
 *	and may still write to the channel.
 * @describe: the device and how it is used, for people
 */
struct gpu_kind {
	const struct backend_ops *ops;
	const char *stuck;
	struct gpu_session *(*create)(struct gpu *gpu, const char **why);
	void (*free)(struct gpu_session *session);
	struct backend *(*open)(struct gpu_session *session,
				const struct channel *ch, const char **why);
	bool (*close)(struct backend *be);
	void (*describe)(const struct gpu_session *session, char *to,
			 size_t room);
};

/**
 * struct gpu_session - a GPU in use; kinds embed it
 * @kind: how
 * @gpu: which
 * @settings: its settings
 * @where: its bus address, or ""; @kind's to fill in
 * @shape: how its work-groups are cut
 * @cost: what work costs, by kind
 * @users: instances
 * @residents: of these, that have a kernel which never ends
 * @lost: it failed: there will be no more instances of it
 * @lost_at: when, in ns
 * @lost_why: why, once @lost_told
 * @lost_told: that is there
 * @hung: it did not come to an end: nothing of it can be released
 * @calibrating: failures are no news
 */
struct gpu_session {
	const struct gpu_kind *kind;
	struct gpu *gpu;
	const struct gpu_settings *settings;
	char where[DEVICE_WHERE];
	const struct wavecrypt_gpu_shape *shape;
	struct backend_cost cost[ALG_KINDS];
	unsigned int users;
	unsigned int residents;
	bool lost;
	uint64_t lost_at;
	char lost_why[DEVICE_WHY];
	bool lost_told;
	bool hung;
	bool calibrating;
};

/** gpu_session_init - a session with a GPU, as far as all kinds are the same */
void gpu_session_init(struct gpu_session *session, struct gpu *gpu);

/** gpu_lost - has it failed? */
static inline bool gpu_lost(const struct gpu_session *session)
{
	return __atomic_load_n(&session->lost, __ATOMIC_RELAXED);
}

/**
 * gpu_lose - it has failed
 * @session: the session
 * @what: at what
 * @error: how, or NULL
 *
 * Return: is that worth a message?
 */
bool gpu_lose(struct gpu_session *session, const char *what,
	      const char *error);

/**
 * gpu_good - may an instance take more work?
 *
 * What one worker found wanting has to be given up by all.
 */
bool gpu_good(const struct gpu_session *session, struct backend *be);

/** gpu_hung - does it not come to an end? */
static inline bool gpu_hung(const struct gpu_session *session)
{
	return __atomic_load_n(&session->hung, __ATOMIC_RELAXED);
}

/**
 * GPU_HANGS_MOST - a GPU that hung so often is not opened any more
 *
 * Each time the channel's memory stays mapped, and what the driver has for it.
 */
#define GPU_HANGS_MOST	4

/**
 * gpu_hang - it does not
 *
 * Says so where that was the last time.
 */
void gpu_hang(struct gpu_session *session);

/**
 * gpu_refused - its driver does not want it to be opened, for no reason that passes
 * @session: what was to be opened
 * @why: what is said of it from now on, if it failed before: it is not opened any more
 *
 * For the kind's create().
 */
void gpu_refused(struct gpu_session *session, const char *why);

/** gpu_outlook - what becomes of one that failed, for a message */
const char *gpu_outlook(const struct gpu_session *session);

/** gpu_users - how many instances use it? */
static inline unsigned int gpu_users(const struct gpu_session *session)
{
	return __atomic_load_n(&session->users, __ATOMIC_RELAXED);
}

/**
 * gpu_name_mode - how its instances work, for gpu_kind's describe()
 * @to: result
 * @room: for so many bytes
 * @name: what settings call that
 * @most: of so many at most, while others do without; 0: of all
 */
void gpu_name_mode(char *to, size_t room, const char *name, unsigned int most);

/**
 * gpu_has_room - is there any for a persistent kernel, if not for as many work-groups as are
 *	wanted? Else that is logged.
 * @session: on which
 * @groups: for so many there is
 * @setting: what says how many are wanted
 * @wanted: what it says; 0: as many as there is room for
 * @left: what has to be left free
 * @none: what is said where there is room for none
 */
bool gpu_has_room(const struct gpu_session *session, unsigned int groups, const char *setting,
		  unsigned int wanted, const char *left, const char *none);

/**
 * gpu_passed - has such a device, used like this, passed its self-test before?
 *
 * For the kind's create().
 */
bool gpu_passed(const struct gpu_session *session);

/** gpu_pass - it has now */
void gpu_pass(struct gpu_session *session);

/**
 * gpu_may_try_second - after one mode, is another worth a try?
 *
 * For the kind's create(). Not where the first has cost the session, nor where the
 * second has before.
 */
bool gpu_may_try_second(const struct gpu_session *session);

/**
 * gpu_second_fails - that other mode does not work
 * @session: the session
 * @setting: what would have it used, for a message
 * @why: what calibrate() says
 *
 * If it has cost the session, that is opened anew without it.
 */
void gpu_second_fails(struct gpu_session *session, const char *setting,
		      const char *why);

/** gpu_changed - it costs something else, for the kind's open() */
void gpu_changed(struct gpu_session *session);

/** gpu_choose_one - the number of the GPU that this one is, for the kind's create() */
bool gpu_choose_one(const struct gpu_session *session, const struct gpu_list *list,
		    unsigned int *number, const char **why);

/** gpu_device_of - a GPU as the scheduler knows it */
struct device *gpu_device_of(struct gpu *gpu);

/**
 * gpu_device - for &backend_ops.device: a GPU
 * @kind: how it is used
 * @settings: its settings; they stay
 * @name: which it is, see gpu_choose(): of several, the first
 *
 * Return: to be given to device_release(); NULL without memory.
 */
struct device *gpu_device(const struct gpu_kind *kind,
			  const struct gpu_settings *settings, const char *name);

/** gpu_free - free a GPU that has no instances, unless it hung */
void gpu_free(struct device *dev);

/**
 * gpu_forget - give a GPU back, which has no instances
 *
 * When it is next wanted it is opened and measured again.
 */
void gpu_forget(struct device *dev);

/** GPU_BACKEND_OPS - what &backend_ops of all kinds have in common */
#define GPU_BACKEND_OPS		\
	.beside = true,		\
	.free = gpu_free,	\
	.there = gpu_there,	\
	.probe = gpu_probe,	\
	.open = gpu_open,	\
	.cost = gpu_cost,	\
	.grain = gpu_grain,	\
	.describe = gpu_describe, \
	.status = gpu_status,	\
	.close = gpu_close

/* Of these, what a GPU was when it was last there does for some. */
const char *gpu_probe(struct device *dev);
bool gpu_there(const struct device *dev);
struct backend *gpu_open(struct device *dev, const struct channel *ch);
bool gpu_close(struct backend *be);
void gpu_cost(const struct device *dev, uint8_t alg, uint8_t op,
	      uint8_t key_len, struct backend_cost *cost);
unsigned int gpu_grain(const struct device *dev, uint8_t alg, uint8_t op);
const char *gpu_describe(const struct device *dev);
void gpu_status(struct device *dev, struct device_status *out);

#endif
