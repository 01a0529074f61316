// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
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
#include "lib/log.h"
#include "lib/numa.h"

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

/* The devices that settings name; none of "auto", if there is none. */
static enum backend_there find(const struct config *config, struct gpu_list *list,
			       struct gpu_chosen *chosen, char *why)
{
	const struct backend_ops *ops = backend_find(config->backend);
	const char *unknown;

	chosen->nr = 0;
	if (!ops->look)
		return BACKEND_THERE;
	unknown = ops->look(&config->gpu, list);
	if (unknown) {
		snprintf(why, BACKEND_WHY, "%s", unknown);
		return BACKEND_UNKNOWN;
	}
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

/*
 * So many may want the library for themselves, whatever settings are to be later: a
 * worker for each CPU, and who compares a device with the lanes.
 */
static uint32_t copies_wanted(const struct backend_choice *choice)
{
	return sysconf(_SC_NPROCESSORS_CONF) + choice->nr;
}

static bool add(struct backend_choice *choice, struct device *dev)
{
	if (dev)
		choice->device[choice->nr++] = dev;
	return dev;
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
	return chosen->nr ? good :
	       add(choice, ops->device(&config->gpu, ops->wanted(&config->gpu)));
}

int backend_choose(const struct config *config, struct backend_choice *choice)
{
	struct gpu_chosen chosen;
	struct gpu_list list;
	char why[BACKEND_WHY];

	*choice = (struct backend_choice) { .lanes = &cpu_device };
	if (find(config, &list, &chosen, why) == BACKEND_MISSING) {
		log_err("backend %s: %s", config->backend, why);
		return EX_CONFIG;
	}
	if (!probe(choice->lanes) || !add_devices(config, &list, &chosen, choice))
		return EX_UNAVAILABLE;
	imb_prepare(copies_wanted(choice));
	for (uint32_t i = 0; i < choice->nr; i++)
		if (!probe(choice->device[i]))
			log_warn("backend %s: %s: the CPU does its work until it is there",
				 config->backend, choice->device[i]->name);
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
	if (find(config, &list, &chosen, why) != BACKEND_THERE) {
		log_err("backend %s: %s: one device is used", config->backend, why);
		return false;
	}
	if (chosen.nr < 2)
		return false;
	if (add_devices(config, &list, &chosen, anew))
		return true;
	backend_choice_free(anew);
	return false;
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
