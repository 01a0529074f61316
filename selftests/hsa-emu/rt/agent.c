// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "device.h"
#include "report.h"
#include "runtime.h"

enum {
	SIMDS = 4,		/* of a compute unit */
	WAVES_PER_SIMD = 10,
	VGPRS = 256,		/* of a SIMD, for each lane */
	LDS_PER_CU = 65536,
	QUEUE_MIN = 64,
	QUEUE_MAX = 131072,
	GROUP_MAX = 1024,	/* work-items */
	FIRST_HANDLE = 0x1000,
};

static const struct chip chips[] = {
	{
		.gfx = "gfx801", .isa = "amdgcn-amd-amdhsa--gfx801:xnack+",
		.product = "AMD Radeon R7 Graphics", .gen = GFX8, .mach = 0x28,
		.xnack = XNACK_ON, .device = 0x9874, .cus = 8, .mhz = 800,
		.integrated = true,
	}, {
		.gfx = "gfx803", .isa = "amdgcn-amd-amdhsa--gfx803",
		.product = "AMD Radeon RX 480 Graphics", .gen = GFX8, .mach = 0x2a,
		.device = 0x67df, .cus = 36, .mhz = 1266, .altva = true,
	}, {
		.gfx = "gfx900", .isa = "amdgcn-amd-amdhsa--gfx900:xnack-",
		.product = "AMD Radeon RX Vega", .gen = GFX9, .mach = 0x2c,
		.xnack = XNACK_OFF, .device = 0x687f, .cus = 64, .mhz = 1630,
	}, {
		.gfx = "gfx902", .isa = "amdgcn-amd-amdhsa--gfx902:xnack+",
		.product = "AMD Radeon Vega 11 Graphics", .gen = GFX9, .mach = 0x2d,
		.xnack = XNACK_ON, .device = 0x15dd, .cus = 11, .mhz = 1240,
		.integrated = true,
	}, {
		.gfx = "gfx90c", .isa = "amdgcn-amd-amdhsa--gfx90c:xnack-",
		.product = "AMD Radeon Graphics", .gen = GFX9, .mach = 0x32,
		.xnack = XNACK_OFF, .device = 0x1638, .cus = 8, .mhz = 2000,
		.integrated = true,
	},
};

static struct agent *agents[AGENTS_MAX];
static unsigned int nr_agents;
/* As many as there have ever been: none has a handle that another had. */
static u64 nr_ever;

static struct agent *add(const struct chip *chip)
{
	struct agent *a;

	if (nr_agents == AGENTS_MAX)
		return NULL;
	a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	a->handle = FIRST_HANDLE + 0x100 * nr_ever++;
	a->node = nr_agents;
	a->chip = chip;
	a->cpu = chip ? agents[nr_agents - 1]->cpu : a->handle;
	if (chip) {
		a->integrated = chip->integrated;
		a->altva = chip->altva;
		aspace_init(&a->aspace);
		a->device = device_create(a);
	}
	agents[nr_agents++] = a;
	return a;
}

/* One agent of the list: its chip, and how it is not to be as the chip is */
static bool parse(char *text)
{
	char *save, *word = strtok_r(text, ":", &save);
	struct agent *a = NULL;

	if (word && !strcmp(word, "cpu"))
		a = add(NULL);
	for (unsigned int k = 0; word && k < ARRAY_SIZE(chips); k++)
		if (!strcmp(chips[k].gfx, word))
			a = add(&chips[k]);
	if (!a)
		return false;
	for (word = strtok_r(NULL, ":", &save); word; word = strtok_r(NULL, ":", &save)) {
		if (!strcmp(word, "integrated"))
			a->integrated = true;
		else if (!strcmp(word, "discrete"))
			a->integrated = false;
		else if (!strcmp(word, "altva"))
			a->altva = true;
		else if (!strcmp(word, "sameva"))
			a->altva = false;
		else if (!strcmp(word, "empty"))
			a->empty = true;
		else
			return false;
	}
	return true;
}

bool agents_init(void)
{
	const char *list = getenv("HSA_EMU_AGENTS");
	char text[256], *save, *one;

	if (!add(NULL))
		return false;
	snprintf(text, sizeof(text), "%s", list ? list : "gfx90c");
	for (one = strtok_r(text, ", ", &save); one; one = strtok_r(NULL, ", ", &save)) {
		char copy[64];

		snprintf(copy, sizeof(copy), "%s", one);
		if (!parse(one)) {
			report("HSA_EMU_AGENTS: no such agent: %s", copy);
			return false;
		}
	}
	return true;
}

void agents_exit(void)
{
	while (nr_agents) {
		struct agent *a = agents[--nr_agents];

		if (a->chip) {
			device_destroy(a->device);
			aspace_free(&a->aspace);
		}
		free(a);
		agents[nr_agents] = NULL;
	}
}

struct agent *agent_at(unsigned int n)
{
	return n < nr_agents ? agents[n] : NULL;
}

struct agent *agent_find(hsa_agent_t agent)
{
	for (unsigned int n = 0; n < nr_agents; n++)
		if (agents[n]->handle == agent.handle)
			return agents[n];
	return NULL;
}

unsigned int agent_resident(const struct agent *a, unsigned int waves, unsigned int vregs,
			    u32 lds)
{
	unsigned int granule = (vregs + 3) / 4 * 4;
	unsigned int per_simd = granule ? VGPRS / granule : WAVES_PER_SIMD;
	unsigned int per_cu;

	if (per_simd > WAVES_PER_SIMD)
		per_simd = WAVES_PER_SIMD;
	per_cu = per_simd * SIMDS / waves;
	if (lds && LDS_PER_CU / lds < per_cu)
		per_cu = LDS_PER_CU / lds;
	return per_cu * a->chip->cus;
}

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data)
{
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (unsigned int n = 0; n < nr_agents; n++) {
		status = callback((hsa_agent_t) { agents[n]->handle }, data);
		if (status)
			return status;
	}
	return HSA_STATUS_SUCCESS;
}

#define GIVE(type, ...) (*(type *)value = (type) { __VA_ARGS__ })

static hsa_status_t give_string(void *value, size_t size, const char *string)
{
	memset(value, 0, size);
	snprintf(value, size, "%s", string);
	return HSA_STATUS_SUCCESS;
}

/* Attributes that came after Debian 12's headers, by their numbers */
enum {
	INFO_MEMORY_AVAIL = 0xA015,
	INFO_TIMESTAMP_FREQUENCY = 0xA016,
	INFO_NUM_SDMA_ENG = 0xA10A,
	INFO_IOMMU_SUPPORT = 0xA110,
	INFO_NUM_XCC = 0xA111,
	INFO_DRIVER_UID = 0xA112,
	INFO_NEAREST_CPU = 0xA113,
	INFO_MEMORY_PROPERTIES = 0xA114,
	MEMORY_PROPERTY_IS_APU = 1,	/* the bit's number, whatever it looks like */
};

static hsa_status_t amd_info(const struct agent *a, int attribute, void *value)
{
	const struct chip *c = a->chip;

	switch (attribute) {
	case HSA_AMD_AGENT_INFO_CHIP_ID:
		GIVE(uint32_t, c ? c->device : 0);
		break;
	case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
		GIVE(uint32_t, 64);
		break;
	case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
	case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
		GIVE(uint32_t, c ? c->cus : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
		break;
	case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
		GIVE(uint32_t, c ? c->mhz : 2600);
		break;
	case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
		GIVE(uint32_t, a->node);
		break;
	case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
		GIVE(uint32_t, c ? 4 : 1);
		break;
	case HSA_AMD_AGENT_INFO_BDFID:
		GIVE(uint32_t, c ? a->node << 8 : 0);
		break;
	case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
		GIVE(uint32_t, c ? a->integrated ? 128 : 256 : 0);
		break;
	case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
		GIVE(uint32_t, c ? a->integrated ? 1600 : 2000 : 0);
		break;
	case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
		return give_string(value, 64, c ? c->product : "CPU");
	case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
		GIVE(uint32_t, c ? SIMDS * WAVES_PER_SIMD : 0);
		break;
	case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
		GIVE(uint32_t, c ? SIMDS : 0);
		break;
	case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
		GIVE(uint32_t, c ? 1 : 0);
		break;
	case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
		GIVE(uint32_t, c ? 1 : 0);
		break;
	case HSA_AMD_AGENT_INFO_DOMAIN:
		GIVE(uint32_t, 0);
		break;
	case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
		GIVE(bool, false);
		break;
	case HSA_AMD_AGENT_INFO_UUID:
		return give_string(value, 24, c ? "GPU-XX" : "CPU-XX");
	case HSA_AMD_AGENT_INFO_ASIC_REVISION:
		GIVE(uint32_t, 0);
		break;
	case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
		GIVE(bool, c && a->integrated);
		break;
	case INFO_MEMORY_AVAIL:
		GIVE(uint64_t, 512ULL << 20);
		break;
	case INFO_TIMESTAMP_FREQUENCY:
		GIVE(uint64_t, 1000000000);
		break;
	case INFO_NUM_SDMA_ENG:
		GIVE(uint32_t, c ? 1 : 0);
		break;
	case INFO_IOMMU_SUPPORT:
		GIVE(uint32_t, 0);
		break;
	case INFO_NUM_XCC:
		GIVE(uint32_t, c ? 1 : 0);
		break;
	case INFO_DRIVER_UID:
		GIVE(uint32_t, a->node);
		break;
	case INFO_NEAREST_CPU:
		GIVE(hsa_agent_t, a->cpu);
		break;
	case INFO_MEMORY_PROPERTIES:
		memset(value, 0, 8);
		if (c && a->integrated)
			*(u8 *)value |= 1U << MEMORY_PROPERTY_IS_APU;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value)
{
	const struct agent *a = agent_find(agent);
	hsa_status_t status = api_enter(__func__);
	const struct chip *c;

	if (status)
		return status;
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	c = a->chip;
	switch (attribute) {
	case HSA_AGENT_INFO_NAME:
		return give_string(value, 64, c ? c->gfx : "Emulating CPU");
	case HSA_AGENT_INFO_VENDOR_NAME:
		return give_string(value, 64, c ? "AMD" : "CPU");
	case HSA_AGENT_INFO_FEATURE:
		GIVE(hsa_agent_feature_t, c ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0);
		break;
	case HSA_AGENT_INFO_MACHINE_MODEL:
		GIVE(hsa_machine_model_t, HSA_MACHINE_MODEL_LARGE);
		break;
	case HSA_AGENT_INFO_PROFILE:
		/* The CPU's page tables are the GPU's too: only where an IOMMU does it. */
		GIVE(hsa_profile_t, !c || (a->integrated && c->gen == GFX8) ?
		     HSA_PROFILE_FULL : HSA_PROFILE_BASE);
		break;
	case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
		GIVE(hsa_default_float_rounding_mode_t, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
		break;
	case HSA_AGENT_INFO_FAST_F16_OPERATION:
		GIVE(bool, !!c);
		break;
	case HSA_AGENT_INFO_WAVEFRONT_SIZE:
		GIVE(uint32_t, c ? LANES : 0);
		break;
	case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
		for (unsigned int k = 0; k < 3; k++)
			((uint16_t *)value)[k] = c ? GROUP_MAX : 0;
		return HSA_STATUS_SUCCESS;
	case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
		GIVE(uint32_t, c ? GROUP_MAX : 0);
		break;
	case HSA_AGENT_INFO_GRID_MAX_DIM:
		GIVE(hsa_dim3_t, c ? INT32_MAX : 0, c ? INT32_MAX : 0, c ? INT32_MAX : 0);
		break;
	case HSA_AGENT_INFO_GRID_MAX_SIZE:
		GIVE(uint32_t, c ? UINT32_MAX : 0);
		break;
	case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
		GIVE(uint32_t, c ? 32 : 0);
		break;
	case HSA_AGENT_INFO_QUEUES_MAX:
		GIVE(uint32_t, c ? QUEUES_MAX : 0);
		break;
	case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
		GIVE(uint32_t, c ? QUEUE_MIN : 0);
		break;
	case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
		GIVE(uint32_t, c ? QUEUE_MAX : 0);
		break;
	case HSA_AGENT_INFO_QUEUE_TYPE:
		GIVE(hsa_queue_type32_t, HSA_QUEUE_TYPE_MULTI);
		break;
	case HSA_AGENT_INFO_NODE:
		GIVE(uint32_t, a->node);
		break;
	case HSA_AGENT_INFO_DEVICE:
		GIVE(hsa_device_type_t, c ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
		break;
	case HSA_AGENT_INFO_CACHE_SIZE:
		memset(value, 0, 4 * sizeof(uint32_t));
		*(uint32_t *)value = 16384;
		return HSA_STATUS_SUCCESS;
	case HSA_AGENT_INFO_ISA:
		GIVE(hsa_isa_t, c ? a->handle : 0);
		break;
	case HSA_AGENT_INFO_VERSION_MAJOR:
	case HSA_AGENT_INFO_VERSION_MINOR:
		GIVE(uint16_t, 1);
		break;
	default:
		return amd_info(a, attribute, value);
	}
	return HSA_STATUS_SUCCESS;
}

/* An agent's instruction set has the agent's handle, for each has one. */
hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent,
				    hsa_status_t (*callback)(hsa_isa_t isa, void *data), void *data)
{
	const struct agent *a = agent_find(agent);
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return a->chip ? callback((hsa_isa_t) { a->handle }, data) : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value)
{
	const struct agent *a = agent_find((hsa_agent_t) { isa.handle });
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!a || !a->chip)
		return HSA_STATUS_ERROR_INVALID_ISA;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch ((int)attribute) {
	case HSA_ISA_INFO_NAME_LENGTH:
		GIVE(uint32_t, (uint32_t)strlen(a->chip->isa) + 1);
		break;
	case HSA_ISA_INFO_NAME:
		strcpy(value, a->chip->isa);
		return HSA_STATUS_SUCCESS;
	case HSA_ISA_INFO_MACHINE_MODELS:
		((bool *)value)[HSA_MACHINE_MODEL_SMALL] = false;
		((bool *)value)[HSA_MACHINE_MODEL_LARGE] = true;
		return HSA_STATUS_SUCCESS;
	case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
		GIVE(uint32_t, GROUP_MAX);
		break;
	case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
		GIVE(uint32_t, 32);
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void *value)
{
	return index ? HSA_STATUS_ERROR_INVALID_INDEX : hsa_isa_get_info_alt(isa, attribute, value);
}

hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa)
{
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!name || !isa)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (unsigned int n = 1; n < nr_agents; n++)
		if (agents[n]->chip && !strcmp(agents[n]->chip->isa, name)) {
			isa->handle = agents[n]->handle;
			return HSA_STATUS_SUCCESS;
		}
	return HSA_STATUS_ERROR_INVALID_ISA_NAME;
}
