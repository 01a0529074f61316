// SPDX-License-Identifier: GPL-2.0-only
/*
 * AES-GCM, packet by packet: the blocks of one packet already fill the lanes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"

static aes_gcm_enc_dec_t gcm_function(const struct IMB_MGR *mgr, uint8_t op,
				      uint8_t key_len)
{
	bool enc = op == WAVECRYPT_OP_ENCRYPT;

	switch (key_len) {
	case 16:
		return enc ? mgr->gcm128_enc : mgr->gcm128_dec;
	case 24:
		return enc ? mgr->gcm192_enc : mgr->gcm192_dec;
	default:
		return enc ? mgr->gcm256_enc : mgr->gcm256_dec;
	}
}

void cpu_gcm_run(struct IMB_MGR *mgr, struct gcm_keys *keys,
		 struct packet *const *packets, uint32_t nr)
{
	aes_gcm_enc_dec_t gcm = gcm_function(mgr, packets[0]->op,
					     packets[0]->key_len);
	struct gcm_context_data context;

	for (uint32_t i = 0; i < nr; i++) {
		struct packet *p = packets[i];
		const struct gcm_key_data *key = gcm_keys_get(keys, mgr, p);

		if (!key) {
			p->status = WAVECRYPT_STATUS_RETRY;
			continue;
		}
		/* Of the pre-counter block, the library wants the first 12. */
		gcm(key, &context, p->data, p->data, p->len, p->iv,
		    p->data - p->aad_len, p->aad_len, p->data + p->len,
		    algs[p->alg].icv_len);
	}
	explicit_bzero(&context, sizeof(context));
}
