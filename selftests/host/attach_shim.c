// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into the daemon: attaching fails as a module of another release, or
 * one that is served already, would have it fail. ATTACH_ERRNO says with what,
 * ATTACH_ABI of which version it is.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "wavecrypt.h"

int ioctl(int fd, unsigned long request, ...)
{
	struct wavecrypt_attach *attach;
	va_list args;

	(void)fd;
	va_start(args, request);
	attach = va_arg(args, void *);
	va_end(args);
	if (request != WAVECRYPT_IOC_ATTACH) {
		errno = ENOTTY;
		return -1;
	}
	if (getenv("ATTACH_ABI"))
		attach->abi = atoi(getenv("ATTACH_ABI"));
	errno = getenv("ATTACH_ERRNO") ? atoi(getenv("ATTACH_ERRNO")) : EIO;
	return -1;
}
