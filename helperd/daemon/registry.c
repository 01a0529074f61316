// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/imb.h"
#if WAVECRYPT_HSA
#include "backends/hsa/instance.h"
#endif
#include "backends/opencl/opencl.h"
#include "daemon/config.h"
#include "daemon/registry.h"
#include "lib/clock.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "lib/numa.h"

/*
 * So long a driver is waited for that is asked what devices there are: it starts up the
 * first time, and later it is a daemon that waits, of which its watchdog wants to hear.
 */
#define LOOK_FIRST_NS	(30 * NSEC_PER_SEC)
#define LOOK_NS		(4 * NSEC_PER_SEC)

/**
 * struct look - asking a driver, which may never answer, what devices there are
 * @ops: its kind
 * @settings: for it; those that it was asked for may be gone by then
 * @list: its answer
 * @unknown: or why there is none
 */
struct look {
	const struct backend_ops *ops;
	struct gpu_settings settings;
	struct gpu_list list;
	char unknown[BACKEND_WHY];
};

const struct backend_ops *const backends[] = {
#if WAVECRYPT_HSA
	&hsa_backend,
#endif
	&opencl_backend,
	&cpu_backend,
	NULL,
};

const struct backend_ops *backend_find(const char *name)
{
	for (size_t i = 0; backends[i]; i++)
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	return NULL;
}

/* What it says is this thread's. */
static void look(void *context)
{
	struct look *l = context;
	const char *unknown = l->ops->look(&l->settings, &l->list);

	snprintf(l->unknown, sizeof(l->unknown), "%s", unknown ? unknown : "");
}

static struct look *look_start(const struct config *config, struct errand **errand)
{
	struct look *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->ops = backend_find(config->backend);
	l->settings = config->gpu;
	*errand = errand_start(look, free, l);
	if (*errand)
		return l;
	free(l);
	return NULL;
}

/* What devices are there? false: that cannot be known, and why. */
static bool look_patiently(const struct config *config, struct gpu_list *list, char *why)
{
	static bool before;
	uint64_t ns = before ? LOOK_NS : LOOK_FIRST_NS;
	struct errand *errand;
	struct look *l = look_start(config, &errand);
	bool known;

	before = true;
	snprintf(why, BACKEND_WHY, "no thread to look for devices");
	if (!l)
		return false;
	if (!errand_join(errand, ns)) {
		errand_leave(errand);
		snprintf(why, BACKEND_WHY, "its driver does not return");
		return false;
	}
	*list = l->list;
	known = !l->unknown[0];
	snprintf(why, BACKEND_WHY, "%s", l->unknown);
	free(l);
	return known;
}

/* The devices that settings name; none of "auto", if there is none. */
static enum backend_there find(const struct config *config, struct gpu_list *list,
			       struct gpu_chosen *chosen, char *why)
{
	const struct backend_ops *ops = backend_find(config->backend);

	chosen->nr = 0;
	if (!ops->look)
		return BACKEND_THERE;
	if (!look_patiently(config, list, why))
		return BACKEND_UNKNOWN;
	return gpu_choose(list, ops->wanted(&config->gpu), chosen, why) ?
	       BACKEND_THERE : BACKEND_MISSING;
}

enum backend_there backend_devices_there(const struct config *config, char *why)
{
	struct gpu_chosen chosen;
	struct gpu_list list;

	return find(config, &list, &chosen, why);
}

static bool probe(struct device *dev)
{
	const char *why = dev->ops->probe(dev);

	if (why) {
		log_err("backend %s: %s: %s", dev->ops->name, dev->name, why);
		return false;
	}
	log_info("backend %s: %s: %s", dev->ops->name, dev->name,
		 dev->ops->describe(dev));
	return true;
}

static void probe_device(void *context)
{
	struct device *dev = context;

	if (!probe(dev))
		log_warn("backend %s: %s: the CPU does its work until it is there",
			 dev->ops->name, dev->name);
}

static void probed(void *context)
{
	device_release(context);
}

/* NULL: it was asked, and has said what it is; or why not. */
static const char *probe_until(struct device *dev, uint64_t until)
{
	uint64_t now = clock_ns();
	struct errand *errand;

	if (now >= until)
		return "others took the time to ask its driver";
	device_hold(dev);
	errand = errand_start(probe_device, probed, dev);
	if (errand && !errand_join(errand, until - now)) {
		errand_leave(errand);
		return "its driver takes long";
	}
	device_release(dev);
	return errand ? NULL : "no thread to ask its driver";
}

/* @unknown: why their driver could not be asked what there is; NULL: it was */
static void probe_devices(const struct backend_choice *choice, uint64_t until,
			  const char *unknown)
{
	for (uint32_t i = 0; i < choice->nr; i++) {
		struct device *dev = choice->device[i];
		const char *why = unknown ? unknown : probe_until(dev, until);

		if (why)
			log_warn("backend %s: %s: %s: the CPU does its work until it is there",
				 dev->ops->name, dev->name, why);
	}
}

/*
 * So many may want the library for themselves, whatever settings are to be later: a
 * worker for each CPU, and who compares a device with the lanes.
 */
static uint32_t copies_wanted(uint32_t devices)
{
	return sysconf(_SC_NPROCESSORS_CONF) + devices;
}

static bool add(struct backend_choice *choice, struct device *dev)
{
	if (dev)
		choice->device[choice->nr++] = dev;
	return dev;
}

static bool has(const struct backend_choice *choice, const char *name)
{
	for (uint32_t i = 0; i < choice->nr; i++)
		if (!strcmp(choice->device[i]->name, name))
			return true;
	return false;
}

/* What is named beside them and is not there may be later, by that name if it stays. */
static bool add_missing(const struct config *config, const struct gpu_list *list,
			struct backend_choice *choice)
{
	const struct backend_ops *ops = backend_find(config->backend);
	const char *wanted = ops->wanted(&config->gpu);

	while (wanted && choice->nr < GPU_FOUND_MAX) {
		char name[GPU_ITEM], why[BACKEND_WHY];
		struct gpu_chosen none;
		struct device *dev;

		wanted = gpu_next(wanted, name);
		if (gpu_choose(list, name, &none, why) || has(choice, name))
			continue;
		if (!gpu_name_lasts(name)) {
			log_warn("backend %s: %s: the others do without", ops->name, why);
			continue;
		}
		dev = ops->device(&config->gpu, name);
		if (!add(choice, dev))
			return false;
		dev->missing = true;
	}
	return true;
}

/* Each that is there, by a name that stays; or else whichever there will be. */
static bool add_devices(const struct config *config, const struct gpu_list *list,
			const struct gpu_chosen *chosen, struct backend_choice *choice)
{
	const struct backend_ops *ops = backend_find(config->backend);
	bool good = true;

	if (!ops->look)
		return true;
	for (unsigned int i = 0; good && i < chosen->nr; i++) {
		unsigned int number = chosen->number[i];
		char name[GPU_NAME];

		gpu_name(list, number, name);
		good = add(choice, ops->device(&config->gpu, name));
		if (good)
			choice->device[i]->node =
				numa_of_pci("/sys", list->device[number].address);
	}
	choice->vague = !chosen->nr;
	return chosen->nr ? good && add_missing(config, list, choice) :
	       add(choice, ops->device(&config->gpu, ops->wanted(&config->gpu)));
}

int backend_choose(const struct config *config, uint64_t patience_ns,
		   struct backend_choice *choice)
{
	uint64_t until = clock_ns() + patience_ns;
	enum backend_there there;
	struct gpu_chosen chosen;
	struct gpu_list list;
	char why[BACKEND_WHY];

	*choice = (struct backend_choice) { .lanes = &cpu_device };
	/* Which is not possible any more if a driver does not return while it is loaded. */
	imb_prepare(copies_wanted(1));
	there = find(config, &list, &chosen, why);
	if (there == BACKEND_MISSING && !chosen.nr) {
		log_err("backend %s: %s", config->backend, why);
		return EX_CONFIG;
	}
	if (!probe(choice->lanes) || !add_devices(config, &list, &chosen, choice))
		return EX_UNAVAILABLE;
	if (choice->nr > 1)
		imb_prepare(copies_wanted(choice->nr));
	probe_devices(choice, until, there == BACKEND_UNKNOWN ? why : NULL);
	return EX_OK;
}

bool backend_choose_anew(const struct config *config, struct backend_choice *choice,
			 struct backend_choice *anew)
{
	const struct device *dev = choice->device[0];
	struct gpu_chosen chosen;
	struct gpu_list list;
	char why[BACKEND_WHY];

	*anew = (struct backend_choice) { .lanes = choice->lanes };
	if (!choice->vague || !dev->ops->there(dev))
		return false;
	choice->vague = false;
	if (find(config, &list, &chosen, why) != BACKEND_THERE)
		log_err("backend %s: %s", config->backend, why);
	if (chosen.nr && add_devices(config, &list, &chosen, anew) && anew->nr > 1)
		return true;
	backend_choice_free(anew);
	return false;
}

bool backend_lacks(const struct backend_choice *choice)
{
	bool lacks = choice->vague;

	for (uint32_t i = 0; i < choice->nr; i++)
		lacks |= choice->device[i]->missing;
	return lacks;
}

/* The node that it is near to; false: it is not known now where it is. */
static bool find_node(struct device *dev, const char *sysfs)
{
	struct device_status st;

	dev->ops->status(dev, &st);
	dev->node = numa_of_pci(sysfs, st.where);
	return st.state != DEVICE_CHANGING;
}

bool backend_have_come(struct backend_choice *choice, const char *sysfs)
{
	bool come = false;

	for (uint32_t i = 0; i < choice->nr; i++) {
		struct device *dev = choice->device[i];

		if (!dev->missing || !dev->ops->there(dev) || !find_node(dev, sysfs))
			continue;
		dev->missing = false;
		come = true;
	}
	return come;
}

void backend_choice_free(struct backend_choice *choice)
{
	while (choice->nr)
		device_release(choice->device[--choice->nr]);
}

void backend_describe(const struct backend_choice *choice, char *to)
{
	size_t len;

	snprintf(to, BACKEND_TEXT, "%s", choice->nr ? "" :
		 choice->lanes->ops->describe(choice->lanes));
	for (uint32_t i = 0; i < choice->nr; i++) {
		const struct device *dev = choice->device[i];

		len = strlen(to);
		snprintf(to + len, BACKEND_TEXT - len, "%s%s", i ? "; " : "",
			 dev->ops->describe(dev));
	}
}
