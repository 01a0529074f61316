// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys for the kernels: round keys sliced as aes.cl wants them, powers of H as
 * gcm.cl does. Loops and shifts over fixed places: nothing depends on a secret.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <endian.h>
#include <string.h>

#include "gpu.h"

/*
 * The state of aes.cl after @round rounds without ShiftRows has row i standing
 * i * @round columns too far right: so must the key that is added to it.
 */
static void shift_rows_back(__u8 to[16], const __u8 from[16], unsigned int round)
{
	for (unsigned int col = 0; col < 4; col++)
		for (unsigned int row = 0; row < 4; row++)
			to[4 * ((col + row * round) % 4) + row] = from[4 * col + row];
}

/* Swaps the bits of @b under @mask with those of @a @shift places higher */
static void swap_bits(__u32 *a, __u32 *b, unsigned int shift, __u32 mask)
{
	const __u32 diff = (*a >> shift ^ *b) & mask;

	*a ^= diff << shift;
	*b ^= diff;
}

/* The part of aes.cl's transposition that stays within one block */
static void slice(__u32 to[4], const __u8 from[16])
{
	for (int i = 0; i < 4; i++) {
		memcpy(&to[i], from + 4 * i, 4);
		to[i] = le32toh(to[i]);
	}
	swap_bits(&to[0], &to[1], 2, 0x33333333);
	swap_bits(&to[2], &to[3], 2, 0x33333333);
	swap_bits(&to[0], &to[2], 4, 0x0f0f0f0f);
	swap_bits(&to[1], &to[3], 4, 0x0f0f0f0f);
}

static void init_rounds(struct wavecrypt_gpu_key *to, const struct wavecrypt_key *from)
{
	const unsigned int rounds = from->key_len / 4 + 6;

	_Static_assert(16 * WAVECRYPT_GPU_ROUND_KEYS == sizeof(from->enc) &&
		       sizeof(to->plain) == sizeof(from->enc) &&
		       sizeof(to->sliced) == sizeof(from->enc), "round keys");
	for (unsigned int r = 0; r <= rounds; r++) {
		const unsigned int place = r < rounds ? r : WAVECRYPT_GPU_ROUND_KEYS - 1;
		const __u8 *key = from->enc + 16 * r;
		__u8 moved[16];

		memcpy(to->plain[place], key, 16);
		/* The last ShiftRows of the four that are none: done by then */
		shift_rows_back(moved, key, r < rounds ? r : 0);
		/* SubBytes' constant, which the circuit leaves out */
		for (int i = 0; r > 0 && i < 16; i++)
			moved[i] ^= 0x63;
		slice(to->sliced[place], moved);
		explicit_bzero(moved, sizeof(moved));
	}
}

/* In GF(2^128), as in ghash.cl; bit by bit */
static void multiply(__u32 x[4], const __u32 y[4])
{
	__u32 v[4] = { y[0], y[1], y[2], y[3] }, sum[4] = { 0 };

	for (int i = 0; i < 128; i++) {
		const __u32 take = -(x[i / 32] >> (31 - i % 32) & 1);
		const __u32 wrap = -(v[3] & 1) & 0xe1000000;

		for (int j = 0; j < 4; j++)
			sum[j] ^= v[j] & take;
		for (int j = 3; j > 0; j--)
			v[j] = v[j] >> 1 | v[j - 1] << 31;
		v[0] = v[0] >> 1 ^ wrap;
	}
	memcpy(x, sum, sizeof(sum));
	explicit_bzero(v, sizeof(v));
	explicit_bzero(sum, sizeof(sum));
}

static void init_powers(__u32 power[4][4], const __u8 hash_key[16])
{
	for (int i = 0; i < 4; i++) {
		memcpy(&power[0][i], hash_key + 4 * i, 4);
		power[0][i] = be32toh(power[0][i]);
	}
	for (int i = 1; i < 4; i++) {
		memcpy(power[i], power[i - 1], sizeof(power[i]));
		multiply(power[i], power[0]);
	}
}

/* A state of SHA-1 or SHA-256 */
static void init_words(__u32 to[16], const __u8 from[64])
{
	memcpy(to, from, 32);
}

/* One of SHA-384 or SHA-512 */
static void init_long_words(__u32 to[16], const __u8 from[64])
{
	for (int i = 0; i < 8; i++) {
		__u64 word;

		memcpy(&word, from + 8 * i, 8);
		to[2 * i] = word >> 32;
		to[2 * i + 1] = word;
		explicit_bzero(&word, sizeof(word));
	}
}

static void init_ghash(__u32 hash[32], const struct wavecrypt_key *from)
{
	__u32 power[4][4];

	_Static_assert(sizeof(power[0]) == sizeof(from->hash_key) &&
		       sizeof(power) <= sizeof(((struct wavecrypt_gpu_key *)0)->hash),
		       "powers of H");
	init_powers(power, from->hash_key);
	memcpy(hash, power, sizeof(power));
	explicit_bzero(power, sizeof(power));
}

static void init_cipher(struct wavecrypt_gpu_key *to, unsigned int cipher,
			const struct wavecrypt_key *from)
{
	switch (cipher) {
	case WAVECRYPT_GPU_CBC:
	case WAVECRYPT_GPU_CTR:
	case WAVECRYPT_GPU_GCM:
		init_rounds(to, from);
		break;
	case WAVECRYPT_GPU_CHACHA20:
		memcpy(to->plain, from->enc, 32);
		break;
	}
}

static void init_auth(__u32 hash[32], unsigned int auth, const struct wavecrypt_key *from)
{
	switch (auth) {
	case WAVECRYPT_GPU_SHA1:
	case WAVECRYPT_GPU_SHA256:
		init_words(hash, from->inner);
		init_words(hash + 16, from->outer);
		break;
	case WAVECRYPT_GPU_SHA384:
	case WAVECRYPT_GPU_SHA512:
		init_long_words(hash, from->inner);
		init_long_words(hash + 16, from->outer);
		break;
	case WAVECRYPT_GPU_GHASH:
		init_ghash(hash, from);
		break;
	}
}

void wavecrypt_gpu_key_init(struct wavecrypt_gpu_key *to, const struct wavecrypt_key *from)
{
	const struct wavecrypt_gpu_alg *alg = &wavecrypt_gpu_algs[from->alg];
	struct wavecrypt_gpu_key key = { 0 };

	_Static_assert(sizeof(key.hash) == sizeof(from->inner) + sizeof(from->outer),
		       "HMAC's states");
	init_cipher(&key, alg->cipher, from);
	init_auth(key.hash, alg->auth, from);
	*to = key;
	explicit_bzero(&key, sizeof(key));
}
