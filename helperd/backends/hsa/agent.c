// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "backends/hsa/agent.h"
#include "backends/hsa/code.h"
#include "lib/array.h"

/* Newer than the oldest headers that this is compiled with */
#define AGENT_INFO_NEAREST_CPU		((hsa_agent_info_t)0xa113)
#define AGENT_INFO_MEMORY_PROPERTIES	((hsa_agent_info_t)0xa114)
/* A number of a bit, though the headers' name for it is 1 << 0 */
#define MEMORY_PROPERTY_IS_APU		1u

/* APUs, for runtimes that do not say; nor do all of those that should */
static const char *const apus[] = {
	"gfx801", "gfx902", "gfx909", "gfx90c", "gfx1033", "gfx1035", "gfx1036",
	"gfx1037", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153",
};

static bool is_apu(hsa_agent_t agent, const char *gfx)
{
	uint8_t properties[8] = { 0 };
	hsa_profile_t profile;

	if (!hsa.agent_get_info(agent, AGENT_INFO_MEMORY_PROPERTIES, properties) &&
	    properties[0] >> MEMORY_PROPERTY_IS_APU & 1)
		return true;
	if (!hsa.agent_get_info(agent, HSA_AGENT_INFO_PROFILE, &profile) &&
	    profile == HSA_PROFILE_FULL)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(apus); i++)
		if (!strcmp(gfx, apus[i]))
			return true;
	return false;
}

/* Behind the target's name, and what features it has: the first one will do. */
static hsa_status_t see_isa(hsa_isa_t isa, void *data)
{
	struct gpu_found *f = data;
	char name[96] = "";
	hsa_status_t status;
	uint32_t len = 0;

	status = hsa.isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &len);
	if (!status && len < sizeof(name))
		status = hsa.isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name);
	if (status)
		return status;
	return sscanf(name, "amdgcn-amd-amdhsa--%63[^:]", f->isa) == 1 ?
	       HSA_STATUS_INFO_BREAK : HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

static hsa_status_t get(const struct hsa_gpu *gpu, int what, void *to)
{
	return hsa.agent_get_info(gpu->agent, (hsa_agent_info_t)what, to);
}

/* Not every runtime has one of every GPU. */
static hsa_status_t examine_uuid(const struct hsa_gpu *gpu, struct gpu_found *f)
{
	hsa_status_t status = get(gpu, HSA_AMD_AGENT_INFO_UUID, f->uuid);

	if (status == HSA_STATUS_ERROR_INVALID_ARGUMENT || strstr(f->uuid, "XX"))
		f->uuid[0] = '\0';
	return status == HSA_STATUS_ERROR_INVALID_ARGUMENT ? HSA_STATUS_SUCCESS : status;
}

static hsa_status_t examine(struct hsa_gpu *gpu, struct gpu_found *f)
{
	hsa_status_t status = get(gpu, HSA_AMD_AGENT_INFO_PRODUCT_NAME, f->name);
	uint32_t bdf = 0, domain = 0;
	bool integrated;

	if (!status)
		status = get(gpu, HSA_AMD_AGENT_INFO_BDFID, &bdf);
	if (!status)
		status = get(gpu, HSA_AMD_AGENT_INFO_DOMAIN, &domain);
	if (!status)
		status = examine_uuid(gpu, f);
	if (!status)
		status = get(gpu, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT,
			     &gpu->units);
	if (!status)
		status = hsa.agent_iterate_isas(gpu->agent, see_isa, f);
	gpu_put_address(f, domain, bdf >> 8 & 255, bdf >> 3 & 31, bdf & 7);
	integrated = is_apu(gpu->agent, f->isa);
	strcpy(f->kind, integrated ? "integrated" : "discrete");
	f->rating = integrated ? 2 : 1;
	return status == HSA_STATUS_INFO_BREAK ? HSA_STATUS_SUCCESS : status;
}

/* What it cannot do without */
static void judge(const struct hsa_gpu *gpu, struct gpu_found *f, const char *code)
{
	hsa_agent_feature_t feature = 0;
	const char *why;

	if (get(gpu, HSA_AGENT_INFO_FEATURE, &feature) ||
	    !(feature & HSA_AGENT_FEATURE_KERNEL_DISPATCH)) {
		strcpy(f->refused, "it does not execute kernels");
		return;
	}
	why = hsa_code_missing(code, f->isa);
	if (why)
		snprintf(f->refused, sizeof(f->refused), "%s", why);
}

/**
 * struct look - looking
 * @m: what was found
 * @code: directory of code objects
 */
struct look {
	struct hsa_machine *m;
	const char *code;
};

static hsa_status_t see_agent(hsa_agent_t agent, void *data)
{
	const struct look *look = data;
	struct hsa_machine *m = look->m;
	struct gpu_found *f = &m->list.device[m->list.nr];
	struct hsa_gpu *gpu = &m->gpus[m->list.nr];
	hsa_device_type_t type;
	hsa_status_t status;

	status = hsa.agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (status)
		return status;
	if (type == HSA_DEVICE_TYPE_CPU && !m->host.handle)
		m->host = agent;
	if (type != HSA_DEVICE_TYPE_GPU || m->list.nr == GPU_FOUND_MAX)
		return HSA_STATUS_SUCCESS;
	gpu->agent = agent;
	status = examine(gpu, f);
	if (status)
		snprintf(f->refused, sizeof(f->refused),
			 "the runtime does not know it: %s", hsa_error(status));
	else
		judge(gpu, f, look->code);
	m->list.nr++;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t see_pool(hsa_amd_memory_pool_t pool, void *data)
{
	struct hsa_machine *m = data;
	hsa_amd_segment_t segment;
	hsa_status_t status;
	uint32_t flags;
	size_t size;

	status = hsa.amd_memory_pool_get_info(pool,
					      HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
					      &segment);
	if (status || segment != HSA_AMD_SEGMENT_GLOBAL)
		return status;
	/* That of a node without memory */
	status = hsa.amd_memory_pool_get_info(pool,
					      HSA_AMD_MEMORY_POOL_INFO_SIZE,
					      &size);
	if (status || !size)
		return status;
	status = hsa.amd_memory_pool_get_info(pool,
			HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
	if (status)
		return status;
	if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
		m->kernarg = pool;
	else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
		m->fine = pool;
	return HSA_STATUS_SUCCESS;
}

const char *hsa_machine_look(struct hsa_machine *m, const char *code)
{
	static __thread char why[192];
	struct look look = { m, code };
	hsa_status_t status;

	memset(m, 0, sizeof(*m));
	status = hsa.iterate_agents(see_agent, &look);
	if (!status && m->host.handle)
		status = hsa.amd_agent_iterate_memory_pools(m->host, see_pool,
							    m);
	if (status) {
		snprintf(why, sizeof(why),
			 "the runtime does not tell what there is: %s",
			 hsa_error(status));
		return why;
	}
	/* What is fine for arguments is fine for all else. */
	if (!m->fine.handle)
		m->fine = m->kernarg;
	if (!m->kernarg.handle)
		return "the runtime has no memory that CPU and GPU share coherently";
	return NULL;
}

void hsa_machine_near(struct hsa_machine *m, const struct hsa_gpu *gpu)
{
	hsa_agent_t near = { 0 };

	if (!get(gpu, AGENT_INFO_NEAREST_CPU, &near) && near.handle)
		hsa.amd_agent_iterate_memory_pools(near, see_pool, m);
}
