// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../kmod/ask.h"
#include "alg.h"

/* A transform, or -errno. */
int alg_open(const char *driver)
{
	struct ask_driver ask = { .authsize = ALG_ICV };
	int fd = open(ASK_DEVICE, O_RDWR | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	snprintf(ask.name, sizeof(ask.name), "%s", driver);
	if (!ioctl(fd, ASK_IOC_DRIVER, &ask))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

int alg_setkey(int fd, const void *key, size_t len)
{
	struct ask_key ask = { .len = len };

	if (len > sizeof(ask.key))
		return -EINVAL;
	memcpy(ask.key, key, len);
	return ioctl(fd, ASK_IOC_KEY, &ask) ? -errno : 0;
}

/* authenc's key: an rtattr with the AES key's length, then HMAC, then AES. */
int alg_key(int fd, unsigned char seed)
{
	unsigned char key[8 + 20 + 16] = { 8, 0, 1, 0, 0, 0, 0, 16 };

	memset(key + 8, seed, sizeof(key) - 8);
	return alg_setkey(fd, key, sizeof(key));
}

/* Input begins with ALG_AAD bytes of AAD, output, too. Returns 0 or -errno. */
int alg_crypt(int fd, int encrypt, const void *in, size_t in_len, void *out,
	      size_t out_len)
{
	struct ask_request ask = {
		.in = (uintptr_t)in, .in_len = in_len,
		.out = (uintptr_t)out, .out_len = out_len,
		.assoclen = ALG_AAD, .encrypt = encrypt,
	};

	memset(ask.iv, 0x5a, sizeof(ask.iv));
	return ioctl(fd, ASK_IOC_REQUEST, &ask) ? -errno : 0;
}
