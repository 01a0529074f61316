/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One source for 6.1, 6.12 and 7.2: everything that differs is here.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_COMPAT_H
#define _WC_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/version.h>
#include <crypto/aes.h>
#include <crypto/sha1.h>

/* Pages have addresses, and disabling BH keeps others from this CPU's queue. */
#ifndef CONFIG_64BIT
#error "wavecrypt is for 64-bit kernels"
#endif
#if defined(CONFIG_PREEMPT_RT) && !defined(CONFIG_PREEMPT_RT_NEEDS_BH_LOCK) && \
	LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#error "wavecrypt needs CONFIG_PREEMPT_RT_NEEDS_BH_LOCK on PREEMPT_RT"
#endif

/* The argument of a completion callback became a plain pointer in 6.3. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
typedef struct crypto_async_request *wc_done_arg_t;
#define wc_done_data(arg)	((arg)->data)
#else
typedef void *wc_done_arg_t;
#define wc_done_data(arg)	(arg)
#endif

/* vm_flags became read-only in 6.3. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void wc_vm_flags_mod(struct vm_area_struct *vma,
				   unsigned long set, unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#else
#define wc_vm_flags_mod(vma, set, clear)	vm_flags_mod(vma, set, clear)
#endif

/* One call since 6.13. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void wc_hrtimer_setup(struct hrtimer *timer,
				    enum hrtimer_restart (*function)(struct hrtimer *),
				    clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#else
#define wc_hrtimer_setup(timer, function, clock, mode)	\
	hrtimer_setup(timer, function, clock, mode)
#endif

/* Since 6.16 the generic ChaCha20-Poly1305 copies the AAD of requests out of place. */
#define WC_CHACHA20_COPIES_AAD	\
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0))

/* HMAC's two block states: SHA-1 became a library with blocks of its own. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
static inline void wc_hmac_sha1_block(u32 state[5], const u8 *raw,
				      size_t raw_len, u8 pad)
{
	u8 block[SHA1_BLOCK_SIZE] = { };
	u32 scratch[SHA1_WORKSPACE_WORDS];
	size_t i;

	memcpy(block, raw, raw_len);
	for (i = 0; i < sizeof(block); i++)
		block[i] ^= pad;
	sha1_init(state);
	sha1_transform(state, block, scratch);
	memzero_explicit(block, sizeof(block));
	memzero_explicit(scratch, sizeof(scratch));
}

static inline void wc_hmac_sha1_prepare(u32 inner[5], u32 outer[5],
					const u8 *raw, size_t raw_len)
{
	wc_hmac_sha1_block(inner, raw, raw_len, 0x36);
	wc_hmac_sha1_block(outer, raw, raw_len, 0x5c);
}
#else
static inline void wc_hmac_sha1_prepare(u32 inner[5], u32 outer[5],
					const u8 *raw, size_t raw_len)
{
	struct hmac_sha1_key key;

	hmac_sha1_preparekey(&key, raw, raw_len);
	memcpy(inner, key.istate.h, sizeof(key.istate.h));
	memcpy(outer, key.ostate.h, sizeof(key.ostate.h));
	memzero_explicit(&key, sizeof(key));
}
#endif

/* One AES block with a key of its own: the library's key type changed in 7.0. */
static inline int wc_aes_encrypt_block(const u8 *raw, unsigned int raw_len,
				       u8 block[AES_BLOCK_SIZE])
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
	struct crypto_aes_ctx key;
	int err = aes_expandkey(&key, raw, raw_len);
#else
	struct aes_enckey key;
	int err = aes_prepareenckey(&key, raw, raw_len);
#endif

	if (!err)
		aes_encrypt(&key, block, block);
	memzero_explicit(&key, sizeof(key));
	return err;
}

#endif /* _WC_COMPAT_H */
