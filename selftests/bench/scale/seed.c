// SPDX-License-Identifier: GPL-2.0-only
/*
 * seed: let who asks for random numbers in a guest, where nothing is, have some
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <fcntl.h>
#include <linux/random.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void)
{
	struct {
		struct rand_pool_info info;
		char bytes[64];
	} pool = { .info = { .entropy_count = 512, .buf_size = 64 } };
	int fd = open("/dev/random", O_RDWR);

	if (read(STDIN_FILENO, pool.bytes, sizeof(pool.bytes)) !=
	    sizeof(pool.bytes))
		return EXIT_FAILURE;
	return ioctl(fd, RNDADDENTROPY, &pool) ? EXIT_FAILURE : EXIT_SUCCESS;
}
