// SPDX-License-Identifier: GPL-2.0-only
/*
 * ChaCha20-Poly1305, packet by packet: the blocks of one packet already fill the
 * lanes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"

static void chacha_one(struct IMB_MGR *mgr,
		       struct chacha20_poly1305_context_data *context,
		       const struct packet *p)
{
	uint8_t *icv = p->data + p->len;
	const uint64_t icv_len = algs[p->alg].icv_len;

	/* Of the block of IV, the nonce is the first 12 bytes. */
	IMB_CHACHA20_POLY1305_INIT(mgr, p->key->enc, context, p->iv,
				   p->data - p->aad_len, p->aad_len);
	if (p->op == WAVECRYPT_OP_ENCRYPT) {
		IMB_CHACHA20_POLY1305_ENC_UPDATE(mgr, p->key->enc, context,
						 p->data, p->data, p->len);
		IMB_CHACHA20_POLY1305_ENC_FINALIZE(mgr, context, icv, icv_len);
	} else {
		IMB_CHACHA20_POLY1305_DEC_UPDATE(mgr, p->key->enc, context,
						 p->data, p->data, p->len);
		IMB_CHACHA20_POLY1305_DEC_FINALIZE(mgr, context, icv, icv_len);
	}
}

void cpu_chacha_run(struct IMB_MGR *mgr, struct packet *const *packets,
		    uint32_t nr)
{
	struct chacha20_poly1305_context_data context;

	for (uint32_t i = 0; i < nr; i++)
		chacha_one(mgr, &context, packets[i]);
	explicit_bzero(&context, sizeof(context));

	/* A key that went meanwhile had its generation wiped first. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < nr; i++)
		if (!packet_key_valid(packets[i]))
			packets[i]->status = WAVECRYPT_STATUS_RETRY;
}
