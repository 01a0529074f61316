// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <linux/if_alg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "alg.h"

#ifndef SOL_ALG
#define SOL_ALG 279
#endif

/* A transform's socket, or -errno. */
int alg_open(const char *name)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG, .salg_type = "aead" };
	int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);

	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", name);
	if (fd < 0 || bind(fd, (void *)&sa, sizeof(sa)) ||
	    setsockopt(fd, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, ALG_ICV))
		return -errno;
	return fd;
}

int alg_setkey(int tfm, const void *key, size_t len)
{
	return setsockopt(tfm, SOL_ALG, ALG_SET_KEY, key, len) ? -errno : 0;
}

/* authenc's key: an rtattr with the AES key's length, then HMAC, then AES. */
int alg_key(int tfm, unsigned char seed)
{
	unsigned char key[8 + 20 + 16] = { 8, 0, 1, 0, 0, 0, 0, 16 };

	memset(key + 8, seed, sizeof(key) - 8);
	return alg_setkey(tfm, key, sizeof(key));
}

/* A socket for requests, or -errno. */
int alg_request(int tfm)
{
	int fd = accept(tfm, NULL, NULL);

	return fd < 0 ? -errno : fd;
}

/* Input begins with ALG_AAD bytes of AAD, output, too. Returns 0 or -errno. */
int alg_crypt(int req, int encrypt, const void *in, size_t in_len, void *out,
	      size_t out_len)
{
	char control[CMSG_SPACE(4) + CMSG_SPACE(4 + 16) + CMSG_SPACE(4)] = { };
	struct iovec iov = { (void *)in, in_len };
	struct msghdr msg = {
		.msg_control = control, .msg_controllen = sizeof(control),
		.msg_iov = &iov, .msg_iovlen = 1,
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	struct af_alg_iv *iv;

	c->cmsg_level = SOL_ALG;
	c->cmsg_type = ALG_SET_OP;
	c->cmsg_len = CMSG_LEN(4);
	*(uint32_t *)CMSG_DATA(c) = encrypt ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT;
	c = CMSG_NXTHDR(&msg, c);
	c->cmsg_level = SOL_ALG;
	c->cmsg_type = ALG_SET_IV;
	c->cmsg_len = CMSG_LEN(4 + 16);
	iv = (void *)CMSG_DATA(c);
	iv->ivlen = 16;
	memset(iv->iv, 0x5a, 16);
	c = CMSG_NXTHDR(&msg, c);
	c->cmsg_level = SOL_ALG;
	c->cmsg_type = ALG_SET_AEAD_ASSOCLEN;
	c->cmsg_len = CMSG_LEN(4);
	*(uint32_t *)CMSG_DATA(c) = ALG_AAD;

	if (sendmsg(req, &msg, 0) != (ssize_t)in_len)
		return -errno;
	if (read(req, out, out_len) != (ssize_t)out_len)
		return errno ? -errno : -EIO;
	return 0;
}
