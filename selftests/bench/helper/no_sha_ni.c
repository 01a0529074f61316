// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded, it has libipsec-mb not know of SHA instructions.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <dlfcn.h>
#include <intel-ipsec-mb.h>
#include <string.h>

IMB_MGR *alloc_mb_mgr(uint64_t flags)
{
	void *symbol = dlsym(RTLD_NEXT, "alloc_mb_mgr");
	IMB_MGR *(*real)(uint64_t flags);

	memcpy(&real, &symbol, sizeof(real));
	return real(flags | IMB_FLAG_SHANI_OFF);
}
