// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Kernels that clang compiled, dispatched through the API, against what the host
 * computes.
 *
 * Usage: kernels SAME.CO KERNELS.CO
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "same.h"

enum { ITEMS = 1024 };

static struct gpu gpu;

static void fill(uint32_t *p, size_t words)
{
	while (words--)
		*p++ = test_random();
}

static bool equal(const char *what, const uint32_t *is, const uint32_t *should, size_t words)
{
	for (size_t k = 0; k < words; k++)
		if (is[k] != should[k]) {
			printf("# %s: word %zu is %08x, should be %08x\n", what, k, is[k],
			       should[k]);
			return false;
		}
	return true;
}

static void run_same(const struct same_kernel *k)
{
	size_t words = (size_t)ITEMS * same_words, bytes = words * 4;
	uint32_t *in = gpu_alloc(&gpu, bytes), *out = gpu_alloc(&gpu, bytes);
	uint32_t *should = calloc(1, bytes);
	struct { const void *in; void *out; } args = { in, out };
	bool good;

	fill(in, words);
	memset(out, 0, bytes);
	for (host_gid = 0; host_gid < ITEMS; host_gid++)
		k->run(in, should);
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = k->name, .group = { 64 }, .grid = { ITEMS }, .args = &args,
		.args_size = sizeof(args),
	});
	test(good && equal(k->name, out, should, words), "%s: %s", gpu.name, k->name);
	free(should);
}

static void run_scan(void)
{
	enum { N = 1024 };
	uint32_t *in = gpu_alloc(&gpu, 4 * N), *out = gpu_alloc(&gpu, 4 * N), should[N];
	struct { const void *in; void *out; } args = { in, out };
	bool good;

	fill(in, N);
	for (uint32_t k = 0; k < N; k++)
		should[k] = in[k] + (k % 256 ? should[k - 1] : 0);
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "scan", .group = { 256 }, .grid = { N }, .args = &args,
		.args_size = sizeof(args),
	});
	test(good && equal("scan", out, should, N), "%s: barriers between four waves", gpu.name);
}

static void run_turn(void)
{
	enum { N = 512 };
	uint32_t *in = gpu_alloc(&gpu, 16 * N), *out = gpu_alloc(&gpu, 16 * N), should[4 * N];
	struct { const void *in; void *out; } args = { in, out };
	bool good;

	fill(in, 4 * N);
	for (uint32_t k = 0; k < N; k++) {
		uint32_t g = k / 128 * 128, l = k % 128;
		const uint32_t *at = in + 4 * (g + 127 - l);

		should[4 * k] = at[0] + (uint8_t)in[4 * (g + (l ^ 1))];
		should[4 * k + 1] = at[1] + (uint16_t)in[4 * (g + (l ^ 65)) + 1];
		should[4 * k + 2] = at[2] + in[4 * (g + (l + 77) % 128) + 3];
		should[4 * k + 3] = at[3] + in[4 * (g + (l + 3) % 128) + 2];
	}
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "turn", .group = { 128 }, .grid = { N }, .args = &args,
		.args_size = sizeof(args),
	});
	test(good && equal("turn", out, should, 4 * N), "%s: local memory in every width",
	     gpu.name);
}

static void run_atomics(void)
{
	enum { N = 4096 };
	uint32_t *in = gpu_alloc(&gpu, 4 * N), *total = gpu_alloc(&gpu, 6 * 4);
	uint64_t *wide = gpu_alloc(&gpu, 2 * 8), should_wide[2] = { 0 };
	uint32_t *counts = gpu_alloc(&gpu, 16 * 4), should_counts[16] = { 0 };
	uint32_t should[6] = { 0, 0, ~0U, 0, 0, 0 };
	struct { void *in, *total, *wide, *counts; } args = { in, total, wide, counts };
	bool good;

	fill(in, N);
	memset(total, 0, 6 * 4);
	memset(wide, 0, 2 * 8);
	memset(counts, 0, 16 * 4);
	total[2] = ~0U;
	for (uint32_t k = 0; k < N; k++) {
		should[0] += in[k];
		should[1]++;
		should[2] = in[k] < should[2] ? in[k] : should[2];
		should[3] = in[k] > should[3] ? in[k] : should[3];
		should[4] |= in[k];
		should_wide[0] += (uint64_t)in[k] << 20;
		should_wide[1] ^= (uint64_t)in[k] << 32 | (uint32_t)~in[k];
		should_counts[in[k] & 15]++;
	}
	should[5] = should[3];
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "atomics", .group = { 64 }, .grid = { N }, .args = &args,
		.args_size = sizeof(args),
	});
	test(good && equal("total", total, should, 6) && !memcmp(wide, should_wide, 16) &&
	     equal("counts", counts, should_counts, 16), "%s: atomics", gpu.name);
}

static void run_shuffle(void)
{
	enum { N = 256 };
	uint32_t *in = gpu_alloc(&gpu, 4 * N), *out = gpu_alloc(&gpu, 4 * N), should[N];
	struct { const void *in; void *out; } args = { in, out };
	bool good;

	fill(in, N);
	for (uint32_t k = 0; k < N; k++) {
		const uint32_t *wave = in + k / 64 * 64;
		uint32_t l = k % 64, y = wave[l ^ 21];

		y = y * 3 + wave[l / 4 * 4 + 3 - l % 4];
		y = y * 3 + (l % 16 ? wave[l - 1] : 0);
		y = y * 3 + wave[l ^ 1];
		y = y * 3 + wave[0];
		should[k] = y * 3 + wave[37];
	}
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "shuffle", .group = { 64 }, .grid = { N }, .args = &args,
		.args_size = sizeof(args),
	});
	test(good && equal("shuffle", out, should, N), "%s: other lanes' registers", gpu.name);
}

static void run_grid(void)
{
	enum { W = 19, H = 10 };
	uint32_t *out = gpu_alloc(&gpu, 4 * W * H), should[W * H];
	struct { void *out; uint32_t width; } args = { out, W };
	bool good;

	for (uint32_t k = 0; k < W * H; k++)
		should[k] = k / W << 16 | k % W;
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "grid", .group = { 8, 4 }, .grid = { W, H }, .args = &args,
		.args_size = 16,
	});
	test(good && equal("grid", out, should, W * H), "%s: two dimensions, partial groups",
	     gpu.name);
}

static void run_reverse(void)
{
	uint32_t *data = gpu_alloc(&gpu, 256), should[64];
	struct { void *data; uint32_t tmp; } args = { data, 0 };
	bool good;

	for (uint32_t k = 0; k < 64; k++) {
		data[k] = k;
		should[k] = 63 - k;
	}
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "reverse", .group = { 64 }, .grid = { 64 }, .args = &args,
		.args_size = 16, .lds = 256,
	});
	test(good && equal("reverse", data, should, 64), "%s: local memory by the packet",
	     gpu.name);
}

struct mailbox {
	uint32_t request, stop, value, reply, result;
};

static void run_persistent(void)
{
	enum { GROUPS = 6, ROUNDS = 50 };
	struct mailbox *box = gpu_alloc(&gpu, GROUPS * sizeof(*box));
	struct { void *box; } args = { box };
	hsa_signal_t signal;
	bool good = true, done;

	memset(box, 0, GROUPS * sizeof(*box));
	signal = gpu_submit(&gpu, &(struct shot) {
		.kernel = "persistent", .group = { 64 }, .grid = { GROUPS * 64 },
		.args = &args, .args_size = sizeof(args),
	});
	for (uint32_t n = 1; n <= ROUNDS && good; n++) {
		for (uint32_t g = 0; g < GROUPS; g++) {
			box[g].value = n * 100 + g;
			__atomic_store_n(&box[g].request, n, __ATOMIC_RELEASE);
		}
		for (uint32_t g = 0; g < GROUPS && good; g++) {
			while (__atomic_load_n(&box[g].reply, __ATOMIC_ACQUIRE) != n &&
			       !__atomic_load_n(&gpu.error, __ATOMIC_ACQUIRE))
				usleep(20);
			good = !gpu.error && box[g].result == (n * 100 + g) * (n * 100 + g);
		}
	}
	for (uint32_t g = 0; g < GROUPS; g++)
		__atomic_store_n(&box[g].stop, 1, __ATOMIC_RELEASE);
	done = gpu_wait(&gpu, signal);
	test(good && done, "%s: a kernel that stays, and is asked", gpu.name);
}

static void run_pingpong(void)
{
	uint32_t *turn = gpu_alloc(&gpu, 4);
	struct { void *turn; uint32_t rounds; } args = { turn, 5 };
	bool good;

	*turn = 0;
	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "pingpong", .group = { 64 }, .grid = { 128 }, .args = &args,
		.args_size = 16,
	});
	test(good && *turn == 10, "%s: groups that wait for each other", gpu.name);
}

static void run_generic(void)
{
	uint32_t *out = gpu_alloc(&gpu, 256), should[2][64];
	bool good = true;

	for (uint32_t k = 0; k < 64; k++) {
		should[0][k] = k * 7;
		should[1][k] = k * 7 + 1;
	}
	for (uint32_t local = 0; local < 2; local++) {
		struct { void *out; uint32_t local; } args = { out, local };

		good = good && gpu_run(&gpu, &(struct shot) {
			.kernel = "anywhere", .group = { 64 }, .grid = { 64 }, .args = &args,
			.args_size = 16,
		}) && equal("anywhere", out, should[local], 64);
	}
	test(good, "%s: pointers to any memory", gpu.name);
}

/* Host memory, locked: its address for the agent may be another. */
static void run_locked(void)
{
	uint32_t *data = malloc(256 + 64), should[64];
	void *seen;
	bool good;

	CHECK(hsa_amd_memory_lock_to_pool(data, 256 + 64, &gpu.agent, 1, gpu.fine, 0, &seen));
	for (uint32_t k = 0; k < 64; k++) {
		data[k] = k;
		should[k] = 63 - k;
	}
	struct { void *data; uint32_t tmp; } args = { seen, 0 };

	good = gpu_run(&gpu, &(struct shot) {
		.kernel = "reverse", .group = { 64 }, .grid = { 64 }, .args = &args,
		.args_size = 16, .lds = 256,
	});
	test(good && equal("locked", data, should, 64) &&
	     (seen != data) == !strcmp(gpu.name, "gfx803"), "%s: locked host memory", gpu.name);
	CHECK(hsa_amd_memory_unlock(data));
	free(data);
}

/* Many packets in flight, in order by barrier bits: each reverses what the last did. */
static void run_many(void)
{
	enum { N = 1000 };
	uint32_t *data = gpu_alloc(&gpu, 256), should[64];
	struct { void *data; uint32_t tmp; } args = { data, 0 };
	hsa_signal_t last = { 0 };
	uint16_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH | 1 << HSA_PACKET_HEADER_BARRIER |
			  HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
			  HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
	bool good;

	fill(data, 64);
	memcpy(should, data, sizeof(should));
	for (unsigned int n = 0; n < N; n++)
		last = gpu_submit(&gpu, &(struct shot) {
			.kernel = "reverse", .group = { 64 }, .grid = { 64 }, .args = &args,
			.args_size = 16, .lds = 256, .no_signal = n < N - 1,
			.header = header,
		});
	good = gpu_wait(&gpu, last);
	test(good && equal("many", data, should, 64), "%s: %u packets, each after the last",
	     gpu.name, N);
}

/* Whether a barrier packet of two signals is done with none, one and both at zero */
static void run_barrier(hsa_packet_type_t type, const char *name, const bool done[3])
{
	hsa_signal_t signals[2], completion;
	bool good = true;

	for (unsigned int n = 0; n < 2; n++)
		CHECK(hsa_signal_create(1, 0, NULL, &signals[n]));
	completion = gpu_barrier(&gpu, type, (hsa_barrier_and_packet_t) {
		.dep_signal = { signals[0], signals[1] },
	});
	for (unsigned int zero = 0; zero < 3; zero++) {
		if (zero)
			hsa_signal_subtract_screlease(signals[zero - 1], 1);
		for (unsigned int n = 0; n < (done[zero] ? 5000 : 20); n++) {
			if (!hsa_signal_load_scacquire(completion))
				break;
			usleep(1000);
		}
		good = good && done[zero] == !hsa_signal_load_scacquire(completion);
	}
	for (unsigned int n = 0; n < 2; n++)
		CHECK(hsa_signal_destroy(signals[n]));
	CHECK(hsa_signal_destroy(completion));
	test(good, "%s: a barrier packet, %s", gpu.name, name);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	printf("KTAP version 1\n");
	gpu_open(&gpu, argv[1]);
	for (const struct same_kernel *k = same_kernels; k->name; k++)
		run_same(k);
	gpu_close(&gpu);
	gpu_open(&gpu, argv[2]);
	run_scan();
	run_turn();
	run_atomics();
	run_shuffle();
	run_grid();
	run_reverse();
	run_persistent();
	run_pingpong();
	run_generic();
	run_locked();
	run_many();
	run_barrier(HSA_PACKET_TYPE_BARRIER_AND, "of all", (bool[]){ false, false, true });
	run_barrier(HSA_PACKET_TYPE_BARRIER_OR, "of any", (bool[]){ false, true, true });
	gpu_close(&gpu);
	return tests_end();
}
