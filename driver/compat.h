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
#include <linux/netdevice.h>
#include <linux/string.h>
#include <linux/version.h>
#include <crypto/aes.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
#include <net/hotdata.h>
#endif

/* Round keys are in the key table as the kernel has them in its words. */
#ifndef __LITTLE_ENDIAN
#error "wavecrypt is for little-endian machines"
#endif

/* Pages have addresses, and disabling BH keeps others from this CPU's queue. DKMS knows
 * of the latter as well (packaging/debian/wavecrypt-dkms.dkms).
 */
#ifndef CONFIG_64BIT
#error "wavecrypt is for 64-bit kernels"
#endif
#if defined(CONFIG_PREEMPT_RT) && !defined(CONFIG_PREEMPT_RT_NEEDS_BH_LOCK) && \
	LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#error "wavecrypt needs CONFIG_PREEMPT_RT_NEEDS_BH_LOCK on PREEMPT_RT"
#endif

/* Since 6.6, and in some of 6.1 before that: not in Debian's 6.1.170. */
#ifndef __counted_by
#define __counted_by(member)
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

/* net.core.netdev_max_backlog: it moved in 6.9. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
#define wc_max_backlog()	READ_ONCE(netdev_max_backlog)
#else
#define wc_max_backlog()	READ_ONCE(net_hotdata.max_backlog)
#endif

/* Since 6.16 the generic ChaCha20-Poly1305 copies the AAD of requests out of place. */
#define WC_CHACHA20_COPIES_AAD	\
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0))

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
