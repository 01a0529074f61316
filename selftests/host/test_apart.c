// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers have nothing in common that they write to: not in the daemon, and not
 * in a library that it calls, as they work on packets.
 *
 * Every writable page of the program and its libraries is made read-only while
 * one worker works; what it writes to nevertheless is noted.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/imb.h"
#include "ktap.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "producer.h"
#include "worker/worker.h"

#define WORKERS		4
#define ENTRIES		128
#define PATIENCE_NS	(60 * NSEC_PER_SEC)

#define MAX_SEGMENTS	64
#define MAX_OBJECTS	8

/**
 * struct segment - writable memory of the program or of a library
 * @start: first page
 * @end: behind the last
 * @object: number of the program or library
 */
struct segment {
	uintptr_t start;
	uintptr_t end;
	uint32_t object;
};

/**
 * struct watch - what is watched, in memory that is not
 * @nr: number of segments
 * @segments: the segments
 * @nr_objects: the program and its libraries
 * @names: their names
 * @nr_written: how many of them were written to
 * @written: their numbers
 * @page: size of one
 */
struct watch {
	uint32_t nr;
	struct segment segments[MAX_SEGMENTS];
	uint32_t nr_objects;
	const char *names[MAX_SEGMENTS];
	uint32_t nr_written;
	uint32_t written[MAX_OBJECTS];
	uintptr_t page;
};

static struct watch *watch;
static struct producer producer;
static int written_by_test;

static int find_segments(struct dl_phdr_info *info, size_t size, void *context)
{
	struct watch *w = context;
	uintptr_t mask = w->page - 1;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *ph = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_W) ||
		    w->nr == MAX_SEGMENTS)
			continue;
		w->segments[w->nr++] = (struct segment) {
			.start = start & ~mask,
			.end = (start + ph->p_memsz + mask) & ~mask,
			.object = w->nr_objects,
		};
	}
	w->names[w->nr_objects++] = info->dlpi_name;
	return w->nr_objects == MAX_SEGMENTS;
}

static void protect(const struct watch *w, int prot)
{
	for (uint32_t i = 0; i < w->nr; i++)
		mprotect((void *)w->segments[i].start,
			 w->segments[i].end - w->segments[i].start, prot);
}

static void note(struct watch *w, uint32_t object)
{
	for (uint32_t i = 0; i < w->nr_written; i++)
		if (w->written[i] == object)
			return;
	if (w->nr_written < MAX_OBJECTS)
		w->written[w->nr_written++] = object;
}

/* Note it, and let it be written to from now on. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	struct watch *w = watch;
	uintptr_t at = (uintptr_t)info->si_addr;

	(void)context;
	for (uint32_t i = 0; i < w->nr; i++)
		if (at >= w->segments[i].start && at < w->segments[i].end) {
			note(w, w->segments[i].object);
			mprotect((void *)(at & -w->page), w->page,
				 PROT_READ | PROT_WRITE);
			return;
		}
	/* A fault like any other: when it happens again, it ends the test. */
	signal(sig, SIG_DFL);
}

static void watch_begin(void)
{
	memset(watch, 0, sizeof(*watch));
	watch->page = sysconf(_SC_PAGESIZE);
	dl_iterate_phdr(find_segments, watch);
	protect(watch, PROT_READ);
}

static void watch_end(void)
{
	protect(watch, PROT_READ | PROT_WRITE);
}

/* Nothing in here may write to what is watched. */
static uint32_t reap_all(uint32_t queue, uint32_t nr, uint32_t *index)
{
	uint64_t end = clock_ns() + PATIENCE_NS;
	uint32_t n = 0;

	loopback_flush(producer.lb, queue);
	while (n < nr && clock_ns() < end)
		if (!loopback_reap(producer.lb, queue, &index[n]))
			n++;
	loopback_reaped(producer.lb, queue);
	return n;
}

/* Some packets of each kind, submitted and not yet flushed. Return: how many. */
static uint32_t prepare(uint32_t queue)
{
	uint32_t nr = 0, index;

	for (uint32_t key = 0; key < 6; key++)
		for (uint32_t i = 0; i < 16; i++) {
			struct shape s = {
				.key = key,
				.op = i % 2,
				.len = 16 + 16 * random_below(90),
				.aad_len = 8,
			};

			EXPECT(producer_add(&producer, queue, &s, &index),
			       "queue full");
			nr++;
		}
	return nr;
}

/* Packets through one queue, watched or not. */
static void round_of(uint32_t queue, bool watched)
{
	uint32_t index[ENTRIES], nr = prepare(queue), n;

	if (watched)
		watch_begin();
	n = reap_all(queue, nr, index);
	if (watched)
		watch_end();
	EXPECT(n == nr, "%u of %u came back", n, nr);
	for (uint32_t i = 0; i < n; i++) {
		EXPECT(producer_good(&producer, queue, index[i]), "entry %u",
		       index[i]);
		loopback_put(producer.lb, queue, index[i]);
	}
}

static struct worker *start(uint32_t queue)
{
	struct worker_config wc = {
		.ch = loopback_channel(producer.lb),
		.lanes = &cpu_device,
		.sched = { .level = SCHED_ALL, .range = 256, .age = 4 },
		.queues = &queue,
		.nr_queues = 1,
		.spin_ns = PATIENCE_NS,
		.batch_max = 64,
		.again_ns = PATIENCE_NS,
		.end_fd = -1,
	};
	struct worker *w;

	sched_getaffinity(0, sizeof(wc.cpus), &wc.cpus);
	w = worker_start(&wc);
	EXPECT(w, "not started");
	return w;
}

static void seen(void)
{
	watch_begin();
	__atomic_store_n(&written_by_test, 1, __ATOMIC_RELAXED);
	watch_end();
	EXPECT(watch->nr_written == 1 && !watch->written[0],
	       "the program's own memory: %u written to, the first %s",
	       watch->nr_written, watch->names[watch->written[0]]);
}

/* What is logged goes to a file meanwhile. Return: how often it is of sharing. */
static unsigned int shared_of(struct imb **imb, unsigned int nr)
{
	struct ktap_ear ear;
	unsigned int said;

	ktap_listen(&ear);
	for (unsigned int i = 0; i < nr; i++)
		imb[i] = imb_take();
	ktap_listened(&ear);
	said = ktap_heard(&ear, "share one copy");
	fclose(ear.log);
	return said;
}

/* More workers than there are copies: that is said, and nobody's is taken for free. */
static void too_few(void)
{
	struct imb *imb[3];

	imb_prepare(2);
	EXPECT(!shared_of(imb, 2) && imb[0] != imb[1], "two share one of two");
	EXPECT(shared_of(&imb[2], 1) == 1, "the third has one for itself");
	imb_put(imb[2]);
	EXPECT(shared_of(&imb[2], 1) == 1, "one was free that somebody has");
	for (int i = 0; i < 3; i++)
		imb_put(imb[i]);
	EXPECT(!shared_of(imb, 2) && imb[0] != imb[1], "none was given back");
	imb_put(imb[0]);
	imb_put(imb[1]);
}

/* The program is number 0. A library may be written to by one of them. */
static void apart(void)
{
	struct worker *workers[WORKERS];
	uint32_t by[WORKERS] = { 0 };

	random_seed(1);
	producer_init(&producer, WORKERS, ENTRIES);
	imb_prepare(WORKERS);
	for (uint32_t i = 0; i < WORKERS; i++)
		workers[i] = start(i);
	for (uint32_t i = 0; i < WORKERS; i++) {
		/* What is written once, on first use, is done then. */
		round_of(i, false);
		round_of(i, true);
		if (!watch->nr_written)
			continue;
		by[i] = watch->written[0];
		EXPECT(watch->nr_written == 1 && by[i],
		       "worker %u wrote to %u, among them \"%s\"", i,
		       watch->nr_written, watch->names[by[i]]);
		for (uint32_t k = 0; k < i; k++)
			EXPECT(by[k] != by[i], "%u and %u wrote to %s", k, i,
			       watch->names[by[i]]);
	}
	for (uint32_t i = 0; i < WORKERS; i++) {
		worker_stop(workers[i]);
		worker_free(workers[i]);
	}
	loopback_channel(producer.lb)->ops->close(loopback_channel(producer.lb));
	producer_exit(&producer);
}

static const struct ktap_case cases[] = {
	{ "what is written to is seen", seen },
	{ "where there are more workers than copies of the library, that is said", too_few },
	{ "no two workers write to the same page of a library, nor any to the program's",
	  apart },
	{ 0 },
};

int main(void)
{
	struct sigaction sa = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	const char *why;

	log_setup("test_apart", LOG_WARNING);
	clock_setup();
	watch = mmap(NULL, sizeof(*watch), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	why = cpu_backend.probe(&cpu_device);
	if (watch == MAP_FAILED || why) {
		EXPECT(false, "%s", why ? why : "no memory");
		return 1;
	}
	sigaction(SIGSEGV, &sa, NULL);
	return ktap_run(cases);
}
