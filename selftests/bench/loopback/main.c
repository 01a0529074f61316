// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt-bench: plays the kernel over the loopback transport.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "daemon.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "result.h"

/**
 * struct bench - one run
 * @o: what is asked for
 * @lb: channel
 * @traffic: packets
 * @daemon: the daemon's end
 * @players: the kernel's
 */
struct bench {
	struct options o;
	struct loopback *lb;
	struct traffic traffic;
	struct daemon daemon;
	struct player **players;
};

/* The payload that slots have room for; 0: they are as the module has them. */
static uint32_t slot_size(const struct options *o)
{
	if (o->slots != OPTIONS_CLOSE)
		return 0;
	return lengths_longest(&o->lengths) + player_room(o->data);
}

static bool channel_make(struct bench *b)
{
	const struct options *o = &b->o;
	struct loopback_config lc = {
		.queues = o->queues,
		.entries = o->config.entries,
		.keys = o->mix.nr * o->sas,
		.slot_size = slot_size(o),
		.slots = o->slots == OPTIONS_JUMBO ? WAVECRYPT_SLOTS_JUMBO :
						     WAVECRYPT_SLOTS_ETHERNET,
	};

	b->lb = loopback_create(&lc);
	if (!b->lb) {
		log_err("loopback: %s", strerror(errno));
		return false;
	}
	if (!traffic_create(&b->traffic, &o->mix, &o->lengths, o->sas,
			    o->samples, o->seed, b->lb)) {
		log_err("no memory for packets");
		return false;
	}
	return true;
}

/* Mean payload, to turn bits into packets. */
static double mean_len(const struct traffic *t)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->nr; i++)
		sum += t->samples[i].desc.len;
	return sum / t->nr;
}

static cpu_set_t player_cpus(const struct bench *b)
{
	cpu_set_t all, left;

	if (CPU_COUNT(&b->o.player_cpus))
		return b->o.player_cpus;
	sched_getaffinity(0, sizeof(all), &all);
	CPU_XOR(&left, &all, &b->daemon.cpus);
	CPU_AND(&left, &left, &all);
	return CPU_COUNT(&left) ? left : all;
}

static bool players_start(struct bench *b)
{
	const struct options *o = &b->o;
	cpu_set_t cpus = player_cpus(b);
	double rate = o->gbit > 0 ? o->gbit * 1e9 / 8 / mean_len(&b->traffic) :
				    o->rate;
	struct player_config pc = {
		.lb = b->lb,
		.traffic = &b->traffic,
		.step = o->players,
		.data = o->data,
		.depth = o->depth,
		.rate = rate / o->queues,
		.burst = o->burst,
		.batch = o->batch,
	};

	b->players = calloc(o->players, sizeof(*b->players));
	for (uint32_t i = 0; b->players && i < o->players; i++) {
		pc.first = i;
		pc.cpu = nth_cpu(&cpus, i);
		pc.seed = o->seed + i;
		b->players[i] = player_start(&pc);
		if (!b->players[i])
			return false;
	}
	return b->players;
}

static void wait_for(double seconds)
{
	struct timespec left = {
		.tv_sec = seconds,
		.tv_nsec = (seconds - (time_t)seconds) * NSEC_PER_SEC,
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
}

static void measure_on(struct bench *b, bool on)
{
	for (uint32_t i = 0; i < b->o.players; i++)
		player_measure(b->players[i], on);
}

static void stats_sum(const struct bench *b, struct player_stats *sum)
{
	struct player_stats one;

	memset(sum, 0, sizeof(*sum));
	for (uint32_t i = 0; i < b->o.players; i++) {
		player_stats(b->players[i], &one);
		sum->packets += one.packets;
		sum->bytes += one.bytes;
		sum->retries += one.retries;
		sum->wrong += one.wrong;
	}
}

/* CPU time of everything but the players: the workers'. */
static uint64_t worker_cpu_ns(const struct bench *b)
{
	struct timespec ts;
	uint64_t ns;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	ns = ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
	for (uint32_t i = 0; i < b->o.players; i++)
		ns -= player_cpu_ns(b->players[i]);
	return ns;
}

/* @to minus @from, counter by counter. */
static void subtract(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size / sizeof(uint64_t); i++)
		((uint64_t *)to)[i] -= ((const uint64_t *)from)[i];
}

static void measure(struct bench *b, struct result *r)
{
	struct player_stats played;
	struct worker_stats worked;
	uint64_t start, cpu;

	wait_for(b->o.warmup);
	measure_on(b, true);
	start = clock_ns();
	cpu = worker_cpu_ns(b);
	stats_sum(b, &played);
	daemon_stats(&b->daemon, &worked);
	wait_for(b->o.seconds);
	stats_sum(b, &r->played);
	daemon_stats(&b->daemon, &r->daemon);
	r->seconds = (clock_ns() - start) / 1e9;
	r->cpu_seconds = (worker_cpu_ns(b) - cpu) / 1e9;
	measure_on(b, false);
	subtract(&r->played, &played, sizeof(played));
	subtract(&r->daemon, &worked, sizeof(worked));
}

/* Stop playing. What is wrong outside of the time measured is wrong, too. */
static bool finish(struct bench *b, struct result *r)
{
	struct player_stats all;
	bool good = true;

	for (uint32_t i = 0; i < b->o.players; i++) {
		const char *problem = player_stop(b->players[i]);

		if (problem) {
			log_err("player %u: %s", i, problem);
			good = false;
		}
		histogram_merge(&r->latency, player_latency(b->players[i]));
	}
	stats_sum(b, &all);
	r->played.wrong = all.wrong;
	r->played.retries = all.retries;
	return good && !all.wrong && (!all.retries || b->o.retries) &&
	       all.packets;
}

static void clean_up(struct bench *b)
{
	for (uint32_t i = 0; b->players && i < b->o.players; i++)
		if (b->players[i])
			player_free(b->players[i]);
	free(b->players);
	if (b->lb)
		loopback_channel(b->lb)->ops->close(loopback_channel(b->lb));
	traffic_free(&b->traffic);
	pcap_free(&b->o.lengths.pcap);
	if (b->lb)
		loopback_free(b->lb);
}

int main(int argc, char **argv)
{
	static struct bench b;
	static struct result r;
	int status = EX_UNAVAILABLE;

	options_parse(&b.o, argc, argv);
	log_setup("wavecrypt-bench", b.o.verbose ? LOG_INFO : LOG_WARNING);
	clock_setup();
	if (channel_make(&b) &&
	    daemon_start(&b.daemon, &b.o, loopback_channel(b.lb)) &&
	    players_start(&b)) {
		measure(&b, &r);
		status = finish(&b, &r) ? EX_OK : EXIT_FAILURE;
		backend_describe(&b.daemon.backends, r.describe);
		if (b.o.json)
			result_json(&r, &b.o);
		else
			result_table(&r, &b.o);
	}
	daemon_stop(&b.daemon);
	clean_up(&b);
	return status;
}
