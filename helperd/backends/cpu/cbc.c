// SPDX-License-Identifier: GPL-2.0-only
/*
 * AES-CBC and HMAC-SHA-1, packets side by side.
 *
 * The library's synchronous bursts: one for the cipher, one for the hash, over
 * an array of jobs that point straight into the arena.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"

void cpu_cbc_prepare(struct IMB_JOB *jobs, uint32_t nr)
{
	memset(jobs, 0, nr * sizeof(*jobs));
	for (uint32_t i = 0; i < nr; i++) {
		jobs[i].cipher_mode = IMB_CIPHER_CBC;
		jobs[i].iv_len_in_bytes = 16;
		jobs[i].hash_alg = IMB_AUTH_HMAC_SHA_1;
		jobs[i].auth_tag_output_len_in_bytes = 20;
	}
}

/* What differs from packet to packet. */
static void job_fill(struct IMB_JOB *job, const struct packet *p)
{
	const struct wavecrypt_key *key = p->key;

	job->enc_keys = key->enc;
	job->dec_keys = key->dec;
	job->src = p->data - p->aad_len;
	job->dst = p->data;
	job->cipher_start_src_offset_in_bytes = p->aad_len;
	job->msg_len_to_cipher_in_bytes = p->len;
	job->msg_len_to_hash_in_bytes = p->aad_len + p->len;
	job->iv = p->iv;
	job->auth_tag_output = p->data + p->len;
	job->u.HMAC._hashed_auth_key_xor_ipad = (const uint8_t *)key->inner;
	job->u.HMAC._hashed_auth_key_xor_opad = (const uint8_t *)key->outer;
	job->status = IMB_STATUS_BEING_PROCESSED;
}

void cpu_cbc_run(struct IMB_MGR *mgr, struct IMB_JOB *jobs, struct packet *const *packets,
		 uint32_t nr)
{
	IMB_KEY_SIZE_BYTES key_len = packets[0]->key_len;

	for (uint32_t i = 0; i < nr; i++)
		job_fill(&jobs[i], packets[i]);

	/* What is authenticated is the ciphertext. */
	if (packets[0]->op == WAVECRYPT_OP_ENCRYPT) {
		IMB_SUBMIT_CIPHER_BURST_NOCHECK(mgr, jobs, nr, IMB_CIPHER_CBC,
						IMB_DIR_ENCRYPT, key_len);
		IMB_SUBMIT_HASH_BURST_NOCHECK(mgr, jobs, nr,
					      IMB_AUTH_HMAC_SHA_1);
	} else {
		IMB_SUBMIT_HASH_BURST_NOCHECK(mgr, jobs, nr,
					      IMB_AUTH_HMAC_SHA_1);
		IMB_SUBMIT_CIPHER_BURST_NOCHECK(mgr, jobs, nr, IMB_CIPHER_CBC,
						IMB_DIR_DECRYPT, key_len);
	}

	/* A key that went meanwhile had its generation wiped first. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < nr; i++)
		if (__builtin_expect(jobs[i].status != IMB_STATUS_COMPLETED, 0) ||
		    !packet_key_valid(packets[i]))
			packets[i]->status = WAVECRYPT_STATUS_RETRY;
}
