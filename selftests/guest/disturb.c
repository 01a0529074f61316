// SPDX-License-Identifier: GPL-2.0-only
/*
 * disturb [-n TIMES] [-s SEED] kill|stop|replace PROGRESS HELPER [ARGUMENT...]
 *
 * Starts a helper, and kills it, or stops it and lets it go on, or has another
 * one take over, so many times, while "numbered --progress PROGRESS" sends
 * packets. Prints how long it took each time until traffic flowed again (all that
 * was sent before has arrived, and some that was sent after) and until requests
 * were offloaded again.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "progress.h"
#include "random.h"
#include "sysfs.h"
#include "wait.h"

/* Longer than that, in seconds, is for ever, on the slowest of machines, too. */
#define PATIENCE	300

static const char * const counters[] = {
	SYSFS "authenc-hmac-sha1-cbc-aes.encrypt/requests_offloaded",
	SYSFS "authenc-hmac-sha1-cbc-aes.decrypt/requests_offloaded",
	SYSFS "rfc4106-gcm-aes.encrypt/requests_offloaded",
	SYSFS "rfc4106-gcm-aes.decrypt/requests_offloaded",
};

static struct progress *progress;
static char **daemon_argv;

static uint64_t offloaded(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		sum += number_in(counters[i]);
	return sum;
}

static pid_t helper(void)
{
	return number_in(SYSFS "helper_pid");
}

static pid_t start_helper(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (pid)
		return pid;
	dup2(2, 1);
	execv(daemon_argv[0], daemon_argv);
	err(127, "%s", daemon_argv[0]);
}

static bool offloads(uint64_t before)
{
	return offloaded() > before;
}

/* Both directions are past where they were. */
static bool flows(const uint64_t sent[2])
{
	return progress->flow[0].seen > sent[0] && progress->flow[1].seen > sent[1];
}

static bool anything_in_flight(void)
{
	return number_in(SYSFS "queue0/depth") ||
	       (!access(SYSFS "queue1/depth", R_OK) && number_in(SYSFS "queue1/depth"));
}

static void reap(pid_t pid, int signal)
{
	int status;

	if (waitpid(pid, &status, 0) < 0)
		err(2, "helper %d", pid);
	if (signal ? !WIFSIGNALED(status) || WTERMSIG(status) != signal :
		     !WIFEXITED(status) || WEXITSTATUS(status))
		errx(1, "helper %d ended with status %#x", pid, status);
}

static void disturb(const char *how, uint64_t *seed, uint64_t *flow_us, uint64_t *offload_us)
{
	uint64_t sent[2], start, before = offloaded();
	pid_t pid = helper();

	/* Somewhere in its work; and every other time with some surely left. */
	wait_until(PATIENCE, offloads(before + 10), "nothing is offloaded");
	usleep(random_below(seed, 30000));
	if (!strcmp(how, "kill") && random_below(seed, 2)) {
		kill(pid, SIGSTOP);
		wait_until(PATIENCE, anything_in_flight() || state_is("stalled"),
			   "nothing is submitted");
	}

	sent[0] = progress->flow[0].sent;
	sent[1] = progress->flow[1].sent;
	start = now_us();
	if (!strcmp(how, "kill")) {
		kill(pid, SIGKILL);
		reap(pid, SIGKILL);
		before = offloaded();
		start_helper();
	} else if (!strcmp(how, "replace")) {
		start_helper();
	} else {
		kill(pid, SIGSTOP);
		wait_until(PATIENCE, state_is("stalled"), "the helper is not stalled");
	}
	wait_until(PATIENCE, flows(sent), "no traffic");
	*flow_us = now_us() - start;

	if (!strcmp(how, "replace")) {
		wait_until(PATIENCE, helper() != pid, "the helper is not replaced");
		before = offloaded();
		reap(pid, 0);
	} else if (!strcmp(how, "stop")) {
		before = offloaded();
		start = now_us();
		kill(pid, SIGCONT);
	}
	wait_until(PATIENCE, offloads(before), "nothing is offloaded again");
	*offload_us = now_us() - start;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void distribution(const char *what, uint64_t *us, size_t n)
{
	qsort(us, n, sizeof(*us), by_size);
	printf("%s after %.1f ms (median), %.1f (90%%), %.1f (99%%), %.1f (most)",
	       what, us[n / 2] / 1e3, us[n * 9 / 10] / 1e3, us[n * 99 / 100] / 1e3,
	       us[n - 1] / 1e3);
}

int main(int argc, char **argv)
{
	uint64_t *flow_us, *offload_us, seed = getpid();
	size_t times = 1;
	const char *how;
	int opt;

	while ((opt = getopt(argc, argv, "+n:s:")) != -1) {
		switch (opt) {
		case 'n':
			times = strtoul(optarg, NULL, 0);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		default:
			return 2;
		}
	}
	if (argc - optind < 3 || !times)
		errx(2, "usage: disturb [-n TIMES] [-s SEED] kill|stop|replace PROGRESS HELPER...");
	how = argv[optind];
	progress = progress_map(argv[optind + 1]);
	daemon_argv = argv + optind + 2;
	flow_us = calloc(times, sizeof(*flow_us));
	offload_us = calloc(times, sizeof(*offload_us));
	if (!flow_us || !offload_us)
		err(2, "memory");

	start_helper();
	wait_until(PATIENCE, helper(), "no helper has attached");
	for (size_t i = 0; i < times; i++)
		disturb(how, &seed, &flow_us[i], &offload_us[i]);
	kill(helper(), SIGTERM);
	reap(-1, 0);

	printf("figure: %s, %zu times: ", how, times);
	distribution("traffic flowed again", flow_us, times);
	distribution("; offload resumed", offload_us, times);
	printf("\n");
	return 0;
}
