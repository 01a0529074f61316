// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cipher and an HMAC, or one of the two, packets side by side.
 *
 * The library's synchronous bursts: one for the cipher, one for the hash, over
 * an array of jobs that point straight into the arena.
 *
 * The high half of an extended sequence number is hashed where the ICV goes, which
 * is stored when the hash is done.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"
#include "lib/prefetch.h"

/* What the library calls them */
static const IMB_CIPHER_MODE ciphers[] = {
	[CIPHER_CBC] = IMB_CIPHER_CBC,
	[CIPHER_CTR] = IMB_CIPHER_CNTR,
};

static const IMB_HASH_ALG hashes[] = {
	[AUTH_HMAC_SHA1] = IMB_AUTH_HMAC_SHA_1,
	[AUTH_HMAC_SHA256] = IMB_AUTH_HMAC_SHA_256,
	[AUTH_HMAC_SHA384] = IMB_AUTH_HMAC_SHA_384,
	[AUTH_HMAC_SHA512] = IMB_AUTH_HMAC_SHA_512,
};

/* The module's processor has the line, and stores wait for each other. */
static void seq_hi_prefetch(const struct packet *p)
{
	if (__builtin_expect(packet_seq_hi_len(p) != 0, 0))
		prefetch_write(p->data + p->len);
}

static void job_fill(struct IMB_JOB *job, const struct packet *p,
		     const struct alg *alg)
{
	const struct wavecrypt_key *key = p->key;

	job->cipher_mode = ciphers[alg->cipher];
	job->hash_alg = hashes[alg->auth];
	job->auth_tag_output_len_in_bytes = alg->icv_len;
	job->enc_keys = key->enc;
	job->dec_keys = key->dec;
	job->src = p->data - p->aad_len;
	job->dst = p->data;
	job->cipher_start_src_offset_in_bytes = p->aad_len;
	job->msg_len_to_cipher_in_bytes = p->len;
	job->msg_len_to_hash_in_bytes = p->auth_len;
	job->iv = p->iv;
	job->iv_len_in_bytes = 16;
	job->auth_tag_output = p->data + p->len;
	job->u.HMAC._hashed_auth_key_xor_ipad = key->inner;
	job->u.HMAC._hashed_auth_key_xor_opad = key->outer;
	job->status = IMB_STATUS_BEING_PROCESSED;
	if (__builtin_expect(packet_seq_hi_len(p) != 0, 0)) {
		const uint32_t seq_hi = packet_seq_hi(p);

		memcpy(p->data + p->len, &seq_hi, sizeof(seq_hi));
	}
}

static void cipher(struct IMB_MGR *mgr, struct IMB_JOB *jobs, uint32_t nr,
		   const struct alg *alg, const struct packet *first)
{
	IMB_CIPHER_DIRECTION dir = first->op == WAVECRYPT_OP_ENCRYPT ?
				   IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;

	if (alg->cipher != CIPHER_NONE)
		IMB_SUBMIT_CIPHER_BURST_NOCHECK(mgr, jobs, nr,
						ciphers[alg->cipher], dir,
						first->key_len);
}

static void hash(struct IMB_MGR *mgr, struct IMB_JOB *jobs, uint32_t nr,
		 const struct alg *alg)
{
	if (alg->auth != AUTH_NONE)
		IMB_SUBMIT_HASH_BURST_NOCHECK(mgr, jobs, nr, hashes[alg->auth]);
}

void cpu_burst_run(struct IMB_MGR *mgr, struct IMB_JOB *jobs,
		   struct packet *const *packets, uint32_t nr)
{
	const struct alg *alg = &algs[packets[0]->alg];

	/*
	 * Payloads are in another processor's cache. The lanes read a line of each of
	 * theirs, and the next ones only when they have done with those; asked for one
	 * after the other, many are on their way at a time. Hashing is slower than that.
	 */
	if (packets[0]->op == WAVECRYPT_OP_ENCRYPT && alg->cipher != CIPHER_NONE)
		for (uint32_t i = 0; i < nr; i++)
			prefetch_far(packets[i]->data, packets[i]->len);
	for (uint32_t i = 0; i < nr; i++)
		seq_hi_prefetch(packets[i]);
	for (uint32_t i = 0; i < nr; i++)
		job_fill(&jobs[i], packets[i], alg);

	/* What is authenticated is the ciphertext. */
	if (packets[0]->op == WAVECRYPT_OP_ENCRYPT) {
		cipher(mgr, jobs, nr, alg, packets[0]);
		hash(mgr, jobs, nr, alg);
	} else {
		hash(mgr, jobs, nr, alg);
		cipher(mgr, jobs, nr, alg, packets[0]);
	}

	/* A key that went meanwhile had its generation wiped first. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < nr; i++)
		if (__builtin_expect(jobs[i].status != IMB_STATUS_COMPLETED, 0) ||
		    !packet_key_valid(packets[i]))
			packets[i]->status = WAVECRYPT_STATUS_RETRY;
}
