/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The backends that there are, and choosing among them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_REGISTRY_H
#define WAVECRYPT_DAEMON_REGISTRY_H

#include "backends/backend.h"
#include "backends/gpu/choice.h"

struct config;

/** backends - every kind that was built in, preferred first, NULL at the end */
extern const struct backend_ops *const backends[];

/** backend_find - kind by name, or NULL */
const struct backend_ops *backend_find(const char *name);

/** BACKEND_WHY - room for what backend_devices_there() says */
#define BACKEND_WHY	GPU_WHY

/**
 * enum backend_there - are there the devices that settings name?
 * @BACKEND_THERE: they are, or settings name none
 * @BACKEND_UNKNOWN: that cannot be known, as there is no runtime, or no driver, or none
 *	that answers
 * @BACKEND_MISSING: at least one is not
 */
enum backend_there {
	BACKEND_THERE,
	BACKEND_UNKNOWN,
	BACKEND_MISSING,
};

/**
 * backend_devices_there - are there the devices that settings name?
 * @config: settings
 * @why: %BACKEND_WHY bytes, for why they are not
 */
enum backend_there backend_devices_there(const struct config *config, char *why);

/**
 * struct backend_choice - what workers work with
 * @lanes: the CPU's
 * @nr: number of devices beside them
 * @vague: there was no knowing which devices there are: the one there is goes by what
 *	settings name, whichever that will be
 * @device: these, all of one kind
 */
struct backend_choice {
	struct device *lanes;
	uint32_t nr;
	bool vague;
	struct device *device[GPU_FOUND_MAX];
};

/**
 * backend_choose - choose, as the configuration says, and probe
 * @config: settings; they stay
 * @patience_ns: how long devices' drivers may take to be ready with them
 * @choice: result; to be freed
 *
 * A device that is not there now may be later, or one whose driver takes longer: it is
 * chosen nevertheless.
 *
 * Return: an exit status, with a message logged: %EX_CONFIG if settings name only what is
 * not there, %EX_UNAVAILABLE if this CPU is of no use.
 */
int backend_choose(const struct config *config, uint64_t patience_ns,
		   struct backend_choice *choice);

/**
 * backend_choose_anew - which devices are there, now that there are some?
 * @config: settings; they stay
 * @choice: was made before
 * @anew: result; to be freed
 *
 * Of a choice that is not vague, or whose device still is not there, nothing is asked;
 * of any other once. They are not probed.
 *
 * Return: there are several, or are to be, all of them to be used instead.
 */
bool backend_choose_anew(const struct config *config, struct backend_choice *choice,
			 struct backend_choice *anew);

/** backend_lacks - may there be devices later that workers are started anew for? */
bool backend_lacks(const struct backend_choice *choice);

/**
 * backend_have_come - are there devices that were missing?
 * @choice: was made before; of those that have come, it is known where they are
 * @sysfs: usually "/sys"
 *
 * Of each, it is said once.
 */
bool backend_have_come(struct backend_choice *choice, const char *sysfs);

/** backend_choice_free - when there are no workers */
void backend_choice_free(struct backend_choice *choice);

/** backend_chosen - the first device, or the lanes if they are alone */
static inline const struct device *
backend_chosen(const struct backend_choice *choice)
{
	return choice->nr ? choice->device[0] : choice->lanes;
}

/** BACKEND_TEXT - room for backend_describe() */
#define BACKEND_TEXT	4096

/** backend_describe - all devices, or the lanes if they are alone, for people */
void backend_describe(const struct backend_choice *choice, char *to);

#endif
