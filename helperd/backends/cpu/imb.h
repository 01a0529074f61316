/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libipsec-mb, loaded once for each worker.
 *
 * Whatever is asked of the library, it stores an error number to a variable that
 * the whole process has in common: for a packet of AES-GCM, for a burst of CBC.
 * With many workers that line is all they wait for. A copy of the library has a
 * variable of its own.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_CPU_IMB_H
#define WAVECRYPT_BACKENDS_CPU_IMB_H

#include <stdint.h>

#define NO_COMPAT_IMB_API_053
#include <intel-ipsec-mb.h>

/**
 * struct imb - the library, loaded once
 * @alloc: its alloc_mb_mgr()
 * @free: its free_mb_mgr()
 * @init_sse: its init_mb_mgr_sse()
 * @init_avx2: its init_mb_mgr_avx2()
 * @init_avx512: its init_mb_mgr_avx512()
 * @users: how many have it
 * @next: the next copy
 *
 * All else is called through the managers that it makes.
 */
struct imb {
	struct IMB_MGR *(*alloc)(uint64_t flags);
	void (*free)(struct IMB_MGR *mgr);
	init_mb_mgr_t init_sse;
	init_mb_mgr_t init_avx2;
	init_mb_mgr_t init_avx512;
	uint32_t users;
	struct imb *next;
};

/** imb_linked - the library as it was linked; for all who find no other */
extern struct imb imb_linked;

/**
 * imb_prepare - have as many copies as there can be workers
 * @nr: how many, the one that was linked included
 *
 * Loads code, which is no longer allowed once the daemon works. They stay until
 * the process ends. If there cannot be so many, workers share; this is logged.
 */
void imb_prepare(uint32_t nr);

/**
 * imb_take - a copy that nobody has, or else the one that fewest have; this is logged
 *
 * Like imb_put() for any thread.
 */
struct imb *imb_take(void);

/** imb_put - give it back */
void imb_put(struct imb *imb);

#endif
