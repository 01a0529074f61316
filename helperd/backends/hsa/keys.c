// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/hsa/keys.h"

hsa_status_t hsa_keys_init(struct hsa_keys *k, const struct hsa_machine *m,
			   hsa_agent_t gpu, const struct channel *ch)
{
	if (!gpu_keys_init(&k->base, ch))
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	return hsa_shared_alloc(m->fine, gpu, gpu_keys_size(&k->base),
				(void **)&k->base.host);
}

static bool wipe(void *with, uint32_t index)
{
	struct hsa_keys *k = with;

	if (gpu_keys_busy(&k->base, index, k->done))
		return false;
	gpu_keys_wipe(&k->base, index);
	return true;
}

void hsa_keys_expire(struct hsa_keys *k, uint64_t done)
{
	k->done = done;
	gpu_keys_expire(&k->base, wipe, k);
}

void hsa_keys_exit(struct hsa_keys *k, bool hung)
{
	for (uint32_t i = 0; i < k->base.live.nr; i++)
		gpu_keys_wipe(&k->base, k->base.live.index[i]);
	if (!hung)
		hsa_shared_free(k->base.host);
	gpu_keys_exit(&k->base);
}
