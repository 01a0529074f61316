// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether the fallback puts requests off is found out with each key. Where it does, it is
 * not given what makes more than half of what may be pending. Run on one CPU, as root, in
 * mode inline, with wavecrypt_late.
 *
 * fallback refused TIMES: so many transforms are asked for, while it refuses to be one's
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "alg.h"
#include "ktap.h"
#include "sysfs.h"

#define PENDING	"/sys/module/wavecrypt/parameters/pending"
#define LATE	"/sys/module/wavecrypt_late/parameters/"

/* Long enough for another request to come meanwhile, in ms */
#define LONG	1000

static void *request(void *fd)
{
	static const uint8_t in[ALG_AAD + 256];
	uint8_t out[sizeof(in) + ALG_ICV];
	int result = alg_crypt(*(int *)fd, 1, in, sizeof(in), out, sizeof(out));

	expect(!result, "%s", strerror(-result));
	return NULL;
}

/* With a key that is set while it takes so many ms, how many of two requests that each
 * take long it is given
 */
static uint64_t given(int fd, unsigned int delay_ms)
{
	pthread_t first;

	write_number(LATE "delay", delay_ms);
	expect(!alg_key(fd, 0x11), "a key");
	write_number(LATE "delay", LONG);
	write_number(LATE "most", 0);
	pthread_create(&first, NULL, request, &fd);
	while (!number_in(LATE "most"))
		sched_yield();
	request(&fd);
	pthread_join(first, NULL);
	write_number(LATE "delay", 0);
	return number_in(LATE "most");
}

static void test_keys(void)
{
	int fd = alg_open(ALG_DRIVER);
	uint64_t nr;

	if (fd < 0)
		errx(2, "%s: %s", ALG_DRIVER, strerror(-fd));
	write_number(PENDING, 2);
	nr = given(fd, 10);
	expect(nr == 1, "%" PRIu64, nr);
	ktap_test("the fallback defers: it is given few");
	nr = given(fd, 0);
	expect(nr == 2, "%" PRIu64, nr);
	ktap_test("with another key it does not: it is given all");
	nr = given(fd, 10);
	expect(nr == 1, "%" PRIu64, nr);
	ktap_test("with a third key it does again");
	write_number(PENDING, 0);
}

static void test_refused(int times)
{
	write_number(LATE "refuses", 1);
	for (int i = 0; i < times; i++) {
		int fd = alg_open(ALG_DRIVER);

		expect(fd == -ENODEV, "%d", fd);
	}
	write_number(LATE "refuses", 0);
	ktap_test("without a fallback there is no transform");
}

int main(int argc, char **argv)
{
	puts("KTAP version 1");
	if (argc == 3 && !strcmp(argv[1], "refused"))
		test_refused(atoi(argv[2]));
	else
		test_keys();
	return ktap_end();
}
