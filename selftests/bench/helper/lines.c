// SPDX-License-Identifier: GPL-2.0-only
/*
 * What it takes to fetch a packet from another CPU's cache.
 *
 * One CPU writes packets as the module does, the other has their lines come: those of
 * a packet one after the other, or a line of each of sixteen packets at a time, waited
 * for, as SIMD lanes do. The same with lines that the writer has passed on.
 *
 * Prints nanoseconds per packet, medians over the rounds.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <err.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/clock.h"
#include "lib/prefetch.h"
#include "sample.h"

#define LEN	1408u
#define SLOT	2048u
#define SLOTS	512u
#define BATCH	64u
#define LANES	16u
#define ROUNDS	301u

static uint8_t *slots;
static bool passing_on;
static uint64_t write_ns;
/* Odd: the writer's turn */
static uint32_t turn;

static uint8_t *slot(uint32_t round, uint32_t i)
{
	return slots + (size_t)((round * BATCH + i) % SLOTS) * SLOT;
}

static void await(uint32_t it)
{
	while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != it)
		;
}

static void *write_packets(void *cpu)
{
	uint8_t packet[LEN];

	sample_pin(atoi(cpu));
	memset(packet, 0x5a, sizeof(packet));
	for (uint32_t round = 0;; round++) {
		uint64_t start;

		await(2 * round + 1);
		start = clock_ns();
		for (uint32_t i = 0; i < BATCH; i++) {
			memcpy(slot(round, i), packet, LEN);
			if (passing_on)
				pass_on(slot(round, i), LEN);
		}
		write_ns = clock_ns() - start;
		__atomic_store_n(&turn, 2 * round + 2, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void fetch(uint32_t round)
{
	for (uint32_t i = 0; i < BATCH; i++)
		prefetch_far(slot(round, i), LEN);
}

static void read_side_by_side(uint32_t round)
{
	for (uint32_t i = 0; i < BATCH; i += LANES)
		for (uint32_t k = 0; k < LEN; k += WAVECRYPT_LINE) {
			for (uint32_t lane = 0; lane < LANES; lane++)
				(void)*(volatile uint64_t *)(slot(round, i + lane) + k);
			__atomic_thread_fence(__ATOMIC_SEQ_CST);
		}
}

/* What one way takes; the writer waits meanwhile. */
static void measure(const char *name, void (*way)(uint32_t round))
{
	static double reading[ROUNDS], writing[ROUNDS];

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t round = turn / 2;
		uint64_t start;

		__atomic_store_n(&turn, 2 * round + 1, __ATOMIC_RELEASE);
		await(2 * round + 2);
		start = clock_ns();
		way(round);
		reading[i] = (double)(clock_ns() - start) / BATCH;
		writing[i] = (double)write_ns / BATCH;
	}
	printf("%-34s %-14s %7.0f %7.0f\n", name, passing_on ? "passed on" : "as written",
	       sample_median(reading, ROUNDS),
	       sample_median(writing, ROUNDS));
}

int main(int argc, char **argv)
{
	pthread_t writer;

	if (argc != 3)
		errx(2, "usage: lines CPU-THAT-WRITES CPU-THAT-READS");
	clock_setup();
	slots = mmap(NULL, SLOTS * SLOT, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (slots == MAP_FAILED)
		err(1, "mmap");
	memset(slots, 0, SLOTS * SLOT);
	sample_pin(atoi(argv[2]));
	if (pthread_create(&writer, NULL, write_packets, argv[1]))
		errx(1, "no thread");
	printf("%-49s %7s %7s\n", "packets of 1408 bytes, ns for each", "reading", "writing");
	for (int on = 0; on <= pass_on_works(); on++) {
		passing_on = on;
		measure("one after the other", fetch);
		measure("16 at a time, each time waited for", read_side_by_side);
	}
	return 0;
}
