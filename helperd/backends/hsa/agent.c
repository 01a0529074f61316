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
#define AGENT_INFO_MEMORY_PROPERTIES	((hsa_agent_info_t)0xa114)
/* A number of a bit, though the headers' name for it is 1 << 0 */
#define MEMORY_PROPERTY_IS_APU		1u

/* APUs, for runtimes that do not say; nor do all of those that should */
static const char *const apus[] = {
	"gfx801", "gfx902", "gfx909", "gfx90c", "gfx1033", "gfx1035", "gfx1036",
	"gfx1037", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153",
};

static bool is_apu(const struct hsa_gpu *gpu)
{
	uint8_t properties[8] = { 0 };
	hsa_profile_t profile;

	if (!hsa.agent_get_info(gpu->agent, AGENT_INFO_MEMORY_PROPERTIES,
				properties) &&
	    properties[0] >> MEMORY_PROPERTY_IS_APU & 1)
		return true;
	if (!hsa.agent_get_info(gpu->agent, HSA_AGENT_INFO_PROFILE, &profile) &&
	    profile == HSA_PROFILE_FULL)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(apus); i++)
		if (!strcmp(gpu->gfx, apus[i]))
			return true;
	return false;
}

/* Behind the target's name, and what features it has: the first one will do. */
static hsa_status_t see_isa(hsa_isa_t isa, void *data)
{
	struct hsa_gpu *gpu = data;
	char name[96] = "";
	hsa_status_t status;
	uint32_t len = 0;

	status = hsa.isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &len);
	if (!status && len < sizeof(name))
		status = hsa.isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name);
	if (status)
		return status;
	return sscanf(name, "amdgcn-amd-amdhsa--%63[^:]", gpu->gfx) == 1 ?
	       HSA_STATUS_INFO_BREAK : HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

static hsa_status_t get(const struct hsa_gpu *gpu, int what, void *to)
{
	return hsa.agent_get_info(gpu->agent, (hsa_agent_info_t)what, to);
}

static hsa_status_t examine(struct hsa_gpu *gpu)
{
	hsa_status_t status = get(gpu, HSA_AMD_AGENT_INFO_PRODUCT_NAME,
				  gpu->product);

	if (!status)
		status = get(gpu, HSA_AGENT_INFO_NODE, &gpu->node);
	if (!status)
		status = get(gpu, HSA_AMD_AGENT_INFO_BDFID, &gpu->bdf);
	if (!status)
		status = get(gpu, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT,
			     &gpu->units);
	if (!status)
		status = hsa.agent_iterate_isas(gpu->agent, see_isa, gpu);
	gpu->integrated = is_apu(gpu);
	return status == HSA_STATUS_INFO_BREAK ? HSA_STATUS_SUCCESS : status;
}

/* What it cannot do without */
static void judge(struct hsa_gpu *gpu, const char *code)
{
	hsa_agent_feature_t feature = 0;
	const char *why;

	if (get(gpu, HSA_AGENT_INFO_FEATURE, &feature) ||
	    !(feature & HSA_AGENT_FEATURE_KERNEL_DISPATCH)) {
		snprintf(gpu->refused, sizeof(gpu->refused),
			 "it does not execute kernels");
		return;
	}
	why = hsa_code_missing(code, gpu->gfx);
	if (why)
		snprintf(gpu->refused, sizeof(gpu->refused), "%s", why);
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
	struct hsa_gpu *gpu = &m->gpus[m->nr];
	hsa_device_type_t type;
	hsa_status_t status;

	status = hsa.agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (status)
		return status;
	if (type == HSA_DEVICE_TYPE_CPU && !m->host.handle)
		m->host = agent;
	if (type != HSA_DEVICE_TYPE_GPU || m->nr == HSA_AGENTS_MAX)
		return HSA_STATUS_SUCCESS;
	memset(gpu, 0, sizeof(*gpu));
	gpu->agent = agent;
	status = examine(gpu);
	if (status)
		snprintf(gpu->refused, sizeof(gpu->refused),
			 "the runtime does not know it: %s", hsa_error(status));
	else
		judge(gpu, look->code);
	m->nr++;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t see_pool(hsa_amd_memory_pool_t pool, void *data)
{
	struct hsa_machine *m = data;
	hsa_amd_segment_t segment;
	hsa_status_t status;
	uint32_t flags;

	status = hsa.amd_memory_pool_get_info(pool,
					      HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
					      &segment);
	if (status || segment != HSA_AMD_SEGMENT_GLOBAL)
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
	static char why[192];
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

const char *hsa_gpu_where(const struct hsa_gpu *gpu)
{
	static __thread char text[16];

	snprintf(text, sizeof(text), "%02x:%02x.%x", gpu->bdf >> 8 & 255,
		 gpu->bdf >> 3 & 31, gpu->bdf & 7);
	return text;
}

/* How good a choice is it? 0: none. */
static int rate(const struct hsa_gpu *gpu, const char *wanted)
{
	size_t len = strlen(wanted);
	const char *where = hsa_gpu_where(gpu);
	size_t where_len = strlen(where);

	if (!strcmp(wanted, "auto"))
		return gpu->integrated ? 2 : 1;
	if (!strcmp(wanted, "integrated"))
		return gpu->integrated;
	if (!strcmp(wanted, "discrete"))
		return !gpu->integrated;
	/* With or without the domain in front */
	if (len >= where_len && !strcmp(wanted + len - where_len, where))
		return 1;
	return !strcmp(gpu->gfx, wanted) || strcasestr(gpu->product, wanted);
}

const struct hsa_gpu *hsa_gpu_choose(const struct hsa_machine *m,
				     const char *wanted, const char **why)
{
	static __thread char text[1024];
	const struct hsa_gpu *best = NULL;
	size_t len;

	*why = "no AMD GPU that the ROCm runtime supports";
	len = snprintf(text, sizeof(text), "no GPU \"%s\" that can be used; there is ",
		       wanted);
	for (unsigned int i = 0; i < m->nr; i++) {
		const struct hsa_gpu *gpu = &m->gpus[i];

		if (!gpu->refused[0] && rate(gpu, wanted) &&
		    (!best || rate(gpu, wanted) > rate(best, wanted)))
			best = gpu;
		if (len < sizeof(text))
			len += snprintf(text + len, sizeof(text) - len,
					"%s%s at %s (%s, %s%s%s)", i ? "; " : "",
					gpu->gfx, hsa_gpu_where(gpu),
					gpu->product,
					gpu->integrated ? "integrated" :
							  "discrete",
					gpu->refused[0] ? ": " : "",
					gpu->refused);
		*why = text;
	}
	return best;
}
