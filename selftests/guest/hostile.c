// SPDX-License-Identifier: GPL-2.0-only
/*
 * hostile [-n COMPLETIONS] [-s SEED] [-c]
 *
 * A helper that lies in every way that the interface allows, again and again: it
 * attaches, lies until it is seen through or killed, and attaches anew, until it
 * has published so many completions and has been seen through some times: one that
 * was detached can publish very many in no time. Prints what it did. Requests that
 * others make meanwhile must not notice.
 *
 * -c: does nothing but to claim that all is done, which the module cannot see
 * through when it is a lie about encryption; whoever tests the module has to.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"
#include "random.h"

#define SEEN_THROUGH	10

struct tally *tally;
static volatile sig_atomic_t over;

static void stop(int sig)
{
	(void)sig;
	over = 1;
}

/* One helper's life, in a process of its own */
static void live(uint64_t seed, bool corrupt)
{
	struct peer peer;
	/* The one before may be there no more, or not yet gone. */
	int err = peer_open(&peer, random_below(&seed, 2) ? WAVECRYPT_ATTACH_REPLACE : 0,
			    16 << random_below(&seed, 9));

	if (err == EBUSY)
		_exit(0);
	if (err) {
		fprintf(stderr, "attaching: %s\n", strerror(err));
		_exit(1);
	}
	count(&tally->attached, 1);
	if (!corrupt)
		meddle(&peer, random_next(&seed));
	answer(&peer, random_next(&seed), corrupt);
	_exit(0);
}

/* Let it live, and end it after a while, maybe not before it has been stopped. */
static int watch(pid_t pid, uint64_t *seed)
{
	struct pollfd end = { .fd = pidfd_open(pid, 0), .events = POLLIN };
	int status;

	if (poll(&end, 1, random_below(seed, 4) ? 300 : random_below(seed, 50)) != 1) {
		if (!random_below(seed, 4)) {
			kill(pid, SIGSTOP);
			poll(&end, 1, random_below(seed, 100));
			kill(pid, SIGCONT);
			poll(&end, 1, random_below(seed, 100));
		}
		count(&tally->killed, 1);
		kill(pid, SIGKILL);
	}
	waitpid(pid, &status, 0);
	close(end.fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void report(uint64_t seed)
{
	printf("figure: seed %" PRIu64 ": attached %" PRIu64 " times, %" PRIu64
	       " of them seen through, %" PRIu64 " killed\n", seed,
	       tally->attached, tally->broken, tally->killed);
	printf("figure: %" PRIu64 " completions published, %" PRIu64 " or more taken, %"
	       PRIu64 " after the end; %" PRIu64 " bytes and entries rewritten, %" PRIu64
	       " bells, %" PRIu64 " random calls, %" PRIu64 " mappings\n",
	       tally->published, tally->taken, tally->late, tally->rewritten,
	       tally->bells, tally->calls, tally->maps);
	for (int i = 0; i < LIES; i++)
		printf("%8" PRIu64 " times: %s\n", tally->lies[i], lie_names[i]);
}

int main(int argc, char **argv)
{
	uint64_t want = UINT64_MAX, seed = 0, rand;
	bool corrupt = false;
	int opt, status = 0;

	while ((opt = getopt(argc, argv, "n:s:c")) != -1) {
		switch (opt) {
		case 'n':
			want = strtoull(optarg, NULL, 0);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			corrupt = true;
			break;
		default:
			fprintf(stderr, "usage: hostile [-n COMPLETIONS] [-s SEED] [-c]\n");
			return 2;
		}
	}
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tally == MAP_FAILED) {
		perror("memory");
		return 1;
	}
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	if (!seed)
		seed = getpid();
	rand = seed;
	while (!over && !status &&
	       (tally->published < want || tally->broken < SEEN_THROUGH)) {
		uint64_t life = random_next(&rand);
		pid_t pid = fork();

		if (pid < 0) {
			perror("fork");
			return 1;
		}
		if (!pid)
			live(life, corrupt);
		status = watch(pid, &rand);
	}
	report(seed);
	return status;
}
