// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hsa backend under a worker, against libcrypto: on the emulated runtime,
 * where it executes the very machine code that a GPU would and where everything
 * can be made to fail, or on a real GPU.
 *
 * The environment says what there is: WAVECRYPT_TEST_CODE, the directory of the
 * code objects, WAVECRYPT_TEST_GPU, which GPU, and HSA_EMU_CONTROL, a file by
 * which the emulated runtime is told to fail; not set on a real GPU.
 *
 * Usage: test_hsa [correct | code | failures | absent]
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/hsa/instance.h"
#include "daemon/registry.h"
#include "ktap.h"
#include "layout.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "play.h"

/* A function is made to fail each of the first so many times it is called. */
#define TIMES		3

static struct config config;
static struct play play;
static struct device *gpu;
static struct backend_choice choice = {
	.lanes = &cpu_device,
};

static void configure(enum hsa_mode mode)
{
	const char *code = getenv("WAVECRYPT_TEST_CODE");
	const char *wanted = getenv("WAVECRYPT_TEST_GPU");

	config_init(&config);
	if (wanted)
		snprintf(config.gpu.hsa_device, sizeof(config.gpu.hsa_device), "%s", wanted);
	if (code)
		snprintf(config.gpu.hsa_code, sizeof(config.gpu.hsa_code), "%s", code);
	config.gpu.hsa_mode = mode;
	config.gpu.hsa_groups = 4;
	config.gpu.chunk = 256;
	config.gpu.chunks = 3;
	config.gpu.retry_ms = 1;
	config.gpu.timeout_ms = 60000;
	config.gpu.balance = false;
	config.spin_us = 1;
}

/* Have that GPU alone. */
static void use(const char *name)
{
	backend_choice_free(&choice);
	gpu = hsa_backend.device(&config.gpu, name);
	choice.device[choice.nr++] = gpu;
}

/* Have the emulated runtime fail like this from now on; "": no more. */
static void control(const char *rules)
{
	const char *path = getenv("HSA_EMU_CONTROL");
	char next[4096];
	FILE *f;

	snprintf(next, sizeof(next), "%s.next", path);
	f = fopen(next, "we");
	if (!EXPECT(f, "cannot write to %s", next))
		return;
	fputs(rules, f);
	fclose(f);
	EXPECT(!rename(next, path), "cannot rename %s", next);
}

static bool probe(void)
{
	const char *why;

	gpu_forget(gpu);
	why = hsa_backend.probe(gpu);
	return EXPECT(!why, "%s", why);
}

/* All packets are the device's, but for those whose key's place is in use. */
static void end_to_end(enum hsa_mode mode, uint32_t workers)
{
	struct tally t;

	configure(mode);
	if (!probe())
		return;
	play_begin(&play, &config, &choice, workers);
	t = play_packets(&play, 3000, 1600);
	EXPECT(t.good == 3000, "%u good, %u given back", t.good, t.retries);
	t = play_packets(&play, 40, PRODUCER_SLOT);
	EXPECT(t.good == 40, "%u of 40 long ones good", t.good);
	EXPECT(play_device_packets(&play) > 2900, "%llu packets on the GPU",
	       (unsigned long long)play_device_packets(&play));
	play_end(&play);
}

static void dispatch(void)
{
	end_to_end(HSA_MODE_DISPATCH, 2);
}

static void persistent(void)
{
	end_to_end(HSA_MODE_PERSISTENT, 2);
}

/* A key that is replaced while packets are under way is never mistaken. */
static void rekeyed(void)
{
	enum hsa_mode mode = HSA_MODE_DISPATCH;

	for (; mode <= HSA_MODE_PERSISTENT; mode++) {
		configure(mode);
		if (!probe())
			return;
		play_begin(&play, &config, &choice, 1);
		for (uint32_t round = 0; round < 30; round++) {
			struct tally t = play_packets(&play, 100, 300);

			EXPECT(t.good == 100, "round %u: %u good", round,
			       t.good);
			producer_rekey(&play.producer, random_below(16));
		}
		EXPECT(play_device_packets(&play) > 2000,
		       "%llu packets on the GPU",
		       (unsigned long long)play_device_packets(&play));
		play_end(&play);
	}
}

/* Measured, the better mode chosen, and lanes and GPU together. */
static void balanced(void)
{
	struct tally t;

	configure(HSA_MODE_AUTO);
	config.gpu.balance = true;
	if (!probe())
		return;
	EXPECT(strstr(hsa_backend.describe(gpu), "mode: dispatch") ||
	       strstr(hsa_backend.describe(gpu), "mode: persistent"), "%s",
	       hsa_backend.describe(gpu));
	play_begin(&play, &config, &choice, 1);
	t = play_packets(&play, 3000, 1600);
	EXPECT(t.good == 3000, "%u good, %u given back", t.good, t.retries);
	play_end(&play);
}

/* Which GPU is chosen, and what is said where there is none */
static void chosen(void)
{
	static const struct {
		const char *agents, *wanted, *chosen;
	} cases[] = {
		{ "gfx803,gfx90c", "auto", "gfx90c" },
		{ "gfx803,gfx801", "auto", "gfx801" },
		{ "gfx803,gfx90c", "discrete", "gfx803" },
		{ "gfx90c,gfx801", "gfx801", "gfx801" },
		{ "gfx803,gfx801", "RX 480", "gfx803" },
		{ "gfx803,gfx801", "1", "gfx801" },
		{ "gfx803,gfx801", "8", "no device \"8\"" },
		{ "gfx90c,gfx801", "0000:02:00.0", "gfx801" },
		{ "gfx803", "auto", "gfx803" },
		{ "gfx803", "integrated", "gfx803, 0000:01:00.0" },
		{ "gfx900", "auto", "no code object" },
		{ "", "auto", "there is none" },
	};
	const char *agents = getenv("HSA_EMU_AGENTS");
	char *before = strdup(agents ? agents : "gfx90c");

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *why, *said;

		configure(HSA_MODE_DISPATCH);
		strcpy(config.gpu.hsa_device, cases[i].wanted);
		setenv("HSA_EMU_AGENTS", cases[i].agents, 1);
		use(cases[i].wanted);
		why = hsa_backend.probe(gpu);
		said = why ? why : hsa_backend.describe(gpu);
		EXPECT(strstr(said, cases[i].chosen), "%s of %s: %s",
		       cases[i].wanted, cases[i].agents, said);
	}
	setenv("HSA_EMU_AGENTS", before, 1);
	free(before);
	use(GPU_AUTO);
}

/*
 * What can fail at all: the functions that return a status, but for
 * hsa_queue_destroy(), after which nothing can be released; that is for the last
 * tests. selftests/host/hsa.sh sees to it that none is forgotten.
 */
static const struct {
	const char *name;
	bool cleanup;	/* its failing costs memory or words, and nothing else */
} calls[] = {
	{ .name = "hsa_init" },
	{ .name = "hsa_shut_down", .cleanup = true },
	{ .name = "hsa_status_string", .cleanup = true },
	{ .name = "hsa_system_get_info", .cleanup = true },
	{ .name = "hsa_iterate_agents" },
	{ .name = "hsa_agent_get_info" },
	{ .name = "hsa_agent_iterate_isas" },
	{ .name = "hsa_isa_get_info_alt" },
	{ .name = "hsa_amd_agent_iterate_memory_pools" },
	{ .name = "hsa_amd_memory_pool_get_info" },
	{ .name = "hsa_amd_memory_pool_allocate" },
	{ .name = "hsa_amd_memory_pool_free", .cleanup = true },
	{ .name = "hsa_amd_agents_allow_access" },
	{ .name = "hsa_amd_memory_lock_to_pool" },
	{ .name = "hsa_amd_memory_unlock", .cleanup = true },
	{ .name = "hsa_amd_register_system_event_handler" },
	{ .name = "hsa_queue_create" },
	{ .name = "hsa_queue_inactivate", .cleanup = true },
	{ .name = "hsa_signal_create" },
	{ .name = "hsa_signal_destroy", .cleanup = true },
	{ .name = "hsa_code_object_reader_create_from_memory" },
	{ .name = "hsa_code_object_reader_destroy", .cleanup = true },
	{ .name = "hsa_executable_create_alt" },
	{ .name = "hsa_executable_load_agent_code_object" },
	{ .name = "hsa_executable_freeze" },
	{ .name = "hsa_executable_destroy", .cleanup = true },
	{ .name = "hsa_executable_get_symbol_by_name" },
	{ .name = "hsa_executable_symbol_get_info" },
};

static void fail_call(size_t i, unsigned int nth)
{
	char rule[128];

	snprintf(rule, sizeof(rule), "%s#%u=HSA_STATUS_ERROR_OUT_OF_RESOURCES",
		 calls[i].name, nth);
	control(rule);
}

/* One call fails while the GPU is being found and checked. */
static void failures_at_start(void)
{
	configure(HSA_MODE_DISPATCH);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		for (unsigned int nth = 1; nth <= TIMES; nth++) {
			const char *why;

			control("");
			gpu_forget(gpu);
			fail_call(i, nth);
			why = hsa_backend.probe(gpu);
			if (nth == 1 && !calls[i].cleanup)
				EXPECT(why, "%s fails, and nobody minds",
				       calls[i].name);
			EXPECT(!why || strlen(why) > 10, "%s: \"%s\"",
			       calls[i].name, why);
		}
	control("");
	probe();
}

/* One call fails when a worker starts, works, or stops. */
static void failures_at_work(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		for (unsigned int nth = 1; nth <= TIMES; nth++) {
			struct tally t;

			configure(nth % 2 ? HSA_MODE_DISPATCH :
					    HSA_MODE_PERSISTENT);
			control("");
			probe();
			fail_call(i, nth);
			play_begin(&play, &config, &choice, 1);
			t = play_packets(&play, 200, 300);
			producer_rekey(&play.producer, 1);
			t.good += play_packets(&play, 100, 300).good;
			EXPECT(t.good == 300, "%s, call %u: %u of 300 good",
			       calls[i].name, nth, t.good);
			EXPECT(play_await_device(&play),
			       "%s, call %u: the GPU is not back",
			       calls[i].name, nth);
			play_end(&play);
		}
	control("");
}

/*
 * A kernel fails under traffic, and then a call, while the GPU is let go or is
 * being taken back: it is, at another try.
 */
static void failures_on_return(void)
{
	configure(HSA_MODE_DISPATCH);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct tally t;
		char rules[128];

		control("");
		if (!probe())
			return;
		play_begin(&play, &config, &choice, 1);
		EXPECT(play_await_device(&play), "the GPU is not there");
		snprintf(rules, sizeof(rules),
			 "packet#1=fault; %s#1=HSA_STATUS_ERROR", calls[i].name);
		control(rules);
		t = play_packets(&play, 300, 300);
		EXPECT(t.good + t.retries == 300 && t.retries,
		       "%s: %u good, %u given back, of 300", calls[i].name,
		       t.good, t.retries);
		EXPECT(play_await_device(&play), "%s: the GPU is not back",
		       calls[i].name);
		t = play_packets(&play, 100, 300);
		EXPECT(t.good == 100, "%s: %u of 100 good afterwards",
		       calls[i].name, t.good);
		play_end(&play);
	}
	control("");
}

/* A kernel goes wrong under traffic: all is answered, and the GPU comes back. */
static void fail_kernel(enum hsa_mode mode, const char *how,
			unsigned int nth)
{
	struct tally before, during;
	char rule[64];

	configure(mode);
	control("");
	if (!probe())
		return;
	/* Until then nothing takes long; but to hang for long takes long. */
	config.gpu.timeout_ms = strcmp(how, "hang") && strcmp(how, "vanish") ?
				   60000 : 1500;
	snprintf(rule, sizeof(rule), "packet#%u=%s", nth, how);
	control(rule);
	play_begin(&play, &config, &choice, 2);
	before = play_packets(&play, 200, 300);
	during = play_packets(&play, 600, 300);
	EXPECT(before.good + before.retries == 200 &&
	       during.good + during.retries == 600,
	       "%s: %u of 800 answered", how, before.good + before.retries +
	       during.good + during.retries);
	EXPECT(play_stats(&play).retries, "%s: no packet was given back", how);
	EXPECT(play_stats(&play).device_failed, "%s: no chunk has failed", how);
	EXPECT(play_await_device(&play), "%s: the GPU is not back", how);
	before = play_packets(&play, 300, 300);
	EXPECT(before.good == 300, "%s: %u of 300 good afterwards", how,
	       before.good);
	play_end(&play);
	control("");
}

static void faults(void)
{
	fail_kernel(HSA_MODE_DISPATCH, "fault", 2);
	fail_kernel(HSA_MODE_PERSISTENT, "fault", 1);
}

/* There are places for some, and each time the runtime calls the GPU something else. */
static void many_faults(void)
{
	uint32_t i, nr = GPU_FOUND_MAX + 2;
	struct ktap_ear ear;
	unsigned int said;

	configure(HSA_MODE_DISPATCH);
	control("");
	if (!probe())
		return;
	play_begin(&play, &config, &choice, 1);
	ktap_listen(&ear);
	log_level_set(LOG_ERR);
	for (i = 0; i < nr && play_await_device(&play); i++) {
		control("packet#1=fault");
		play_packets(&play, 300, 300);
	}
	play_await_device(&play);
	log_level_set(LOG_CRIT);
	ktap_listened(&ear);
	said = ktap_heard(&ear, "the GPU reports a memory fault");
	EXPECT(i == nr && said == nr, "%u of %u times it was back, %u faults were noticed", i, nr,
	       said);
	play_end(&play);
	control("");
}

static void illegal(void)
{
	fail_kernel(HSA_MODE_DISPATCH, "illegal", 3);
	fail_kernel(HSA_MODE_PERSISTENT, "illegal", 1);
}

/* Nothing tells but its signal, which is not what it is when all is well. */
static void negative(void)
{
	fail_kernel(HSA_MODE_DISPATCH, "negative", 2);
	fail_kernel(HSA_MODE_PERSISTENT, "negative", 1);
}

static void resets(void)
{
	fail_kernel(HSA_MODE_DISPATCH, "reset", 2);
	fail_kernel(HSA_MODE_PERSISTENT, "reset", 1);
}

static void vanishes(void)
{
	fail_kernel(HSA_MODE_DISPATCH, "vanish", 2);
	fail_kernel(HSA_MODE_PERSISTENT, "vanish", 1);
}

static void hangs(void)
{
	fail_kernel(HSA_MODE_DISPATCH, "hang", 2);
	fail_kernel(HSA_MODE_PERSISTENT, "hang", 1);
}

/* While the GPU is at it, and there is nothing else to do, the worker sleeps. */
static void sleeps(void)
{
	struct worker_stats before, after;
	bool dozed = false;

	/* With what everything costs measured, it knows for how long. */
	configure(HSA_MODE_DISPATCH);
	config.gpu.balance = true;
	control("packet#1+=slow:5000");
	if (!probe())
		return;
	config.gpu.balance = false;
	play_begin(&play, &config, &choice, 1);
	play_packets(&play, 300, 300);
	/* Fewer times where the machine is busy and wakes it late */
	for (int round = 0; round < 10 && !dozed; round++) {
		before = play_stats(&play);
		for (int i = 0; i < 10; i++)
			play_packets(&play, 100, 300);
		after = play_stats(&play);
		after.device_chunks -= before.device_chunks;
		after.sleeps -= before.sleeps;
		dozed = after.device_chunks >= 10 && after.sleeps > 2 * after.device_chunks;
	}
	EXPECT(dozed, "it slept %llu times during %llu chunks",
	       (unsigned long long)after.sleeps,
	       (unsigned long long)after.device_chunks);
	play_end(&play);
	control("");
}

/*
 * The channel goes, and its memory with it, while the GPU works there for both
 * workers: it has to have finished before.
 */
static void channel_goes(void)
{
	configure(HSA_MODE_DISPATCH);
	control("packet#1+=slow:20");
	if (!probe())
		return;
	for (int i = 0; i < 4; i++) {
		play_begin(&play, &config, &choice, 2);
		play_packets(&play, 300, 300);
		play_break_off(&play, WAVECRYPT_STATE_DETACHED);
		play_end(&play);
	}
	control("");
}

/* A GPU that is not there is used as soon as it is. */
static void comes_later(void)
{
	struct tally t;

	configure(HSA_MODE_DISPATCH);
	gpu_forget(gpu);
	control("hsa_init#1+=HSA_STATUS_ERROR_OUT_OF_RESOURCES");
	EXPECT(hsa_backend.probe(gpu), "there");
	play_begin(&play, &config, &choice, 1);
	t = play_packets(&play, 300, 300);
	EXPECT(t.good == 300 && !play_device_packets(&play),
	       "%u good without it", t.good);
	control("");
	EXPECT(play_await_device(&play), "it is not found");
	play_end(&play);
}

/* Two GPUs, a worker for each, in one of which a kernel touches what it must not */
static void fault_of_two(uint32_t retry_ms)
{
	struct tally t;

	configure(HSA_MODE_DISPATCH);
	strcpy(config.gpu.hsa_device, "0,1");
	config.gpu.retry_ms = retry_ms;
	control("");
	play_begin(&play, &config, &choice, 2);
	EXPECT(play_await_device(&play), "not both work");
	control("packet#1=fault");
	t = play_packets(&play, 600, 300);
	EXPECT(t.good + t.retries == 600 && t.retries, "%u good, %u given back", t.good,
	       t.retries);
}

static bool there(uint32_t i)
{
	return hsa_backend.there(choice.device[i]);
}

/*
 * The other one goes on, though they have the runtime in common; and the first comes
 * back beside it.
 */
static void one_of_two(void)
{
	uint64_t before[2];
	struct tally t;
	uint32_t lost;

	setenv("HSA_EMU_AGENTS", "gfx90c,gfx90c", 1);
	use("0000:01:00.0");
	choice.device[choice.nr++] = hsa_backend.device(&config.gpu, "0000:02:00.0");
	/* It does not come back by itself. */
	fault_of_two(3600000);
	EXPECT(there(0) != there(1), "both are %s", there(0) ? "there" : "lost");
	lost = there(0);
	for (uint32_t i = 0; i < 2; i++)
		before[i] = play_device_packets_of(&play, i);
	t = play_packets(&play, 600, 300);
	EXPECT(t.good == 600, "%u good with one", t.good);
	EXPECT(play_device_packets_of(&play, lost) == before[lost], "the lost one works");
	EXPECT(play_device_packets_of(&play, !lost) > before[!lost], "the other does not");
	play_end(&play);

	fault_of_two(1);
	EXPECT(play_await_device(&play), "it is not back");
	EXPECT(there(0) && there(1), "not both are there");
	play_end(&play);
	unsetenv("HSA_EMU_AGENTS");
	use(GPU_AUTO);
}

/* Two GPUs, called so by the setting, and a worker for each; that goes wrong in one. */
static void rule_of_two(const char *wanted, const char *rule)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct tally t = { 0 };

	setenv("HSA_EMU_AGENTS", "gfx90c,gfx90c", 1);
	use("0000:01:00.0");
	configure(HSA_MODE_DISPATCH);
	strcpy(config.gpu.hsa_device, wanted);
	choice.device[choice.nr++] = hsa_backend.device(&config.gpu, "0000:02:00.0");
	control("");
	play_begin(&play, &config, &choice, 2);
	EXPECT(play_await_device(&play), "not both work");
	if (!rule)
		return;
	/* The other's chunks may take as long on a busy machine. */
	config.gpu.timeout_ms = 3000;
	control(rule);
	while (!t.retries && clock_ns() < until) {
		t = play_packets(&play, 200, 300);
		EXPECT(t.good + t.retries == 200, "%u good, %u given back", t.good,
		       t.retries);
	}
	EXPECT(t.retries, "%s: nothing happens", rule);
	config.gpu.timeout_ms = 60000;
}

/* What it has is good, and it does it. */
static void goes_on(uint32_t worker)
{
	uint64_t before = play_device_packets_of(&play, worker);
	struct tally t = play_packets(&play, 600, 300);

	EXPECT(t.good == 600, "%u good", t.good);
	EXPECT(play_device_packets_of(&play, worker) > before, "the other does not go on");
}

/* One that is lost stays so until nobody has the runtime any more, nor is about to. */
static void no_more_of_two(void)
{
	play_end(&play);
	EXPECT(errands_join(PLAY_PATIENCE_NS), "it is still tried");
	control("");
	unsetenv("HSA_EMU_AGENTS");
	use(GPU_AUTO);
}

/* Likewise, one of which hangs: that takes its queue from it, and it comes back. */
static void one_of_two_hangs(void)
{
	rule_of_two("0,1", "packet@1#1=hang");
	goes_on(1);
	EXPECT(play_await_device(&play), "it is not back");
	EXPECT(there(0) && there(1), "not both are there");
	no_more_of_two();
}

/*
 * Likewise, one of which is of no use while the other works: that has the next channel's
 * packets, too.
 */
static void lose_one_of_two(const char *rule)
{
	rule_of_two("0,1", rule);
	goes_on(0);
	play_break_off(&play, WAVECRYPT_STATE_DETACHED);
	play_end(&play);
	play_begin(&play, &config, &choice, 2);
	EXPECT(play_await_device_of(&play, 0), "%s: the other has no packets", rule);
	goes_on(0);
	EXPECT(there(0) && !there(1), "%s: is it back?", rule);
	no_more_of_two();
}

static void one_of_two_vanishes(void)
{
	lose_one_of_two("packet@2#1=vanish");
}

static void one_of_two_is_reset(void)
{
	lose_one_of_two("packet@2#1=reset");
}

/* The setting names one that is not there: the others have the packets in common. */
static void one_of_three_is_missing(void)
{
	rule_of_two("0,9,1", NULL);
	no_more_of_two();
}

/* The code object for it comes to be in there, whose name is but for the GPU. */
static void put_code(const char *dir, const char *gfx)
{
	char from[PATH_MAX], to[PATH_MAX];

	snprintf(from, sizeof(from), "%s/%s-v%u.co", getenv("WAVECRYPT_TEST_CODE"), gfx,
		 WAVECRYPT_GPU_LAYOUT);
	snprintf(to, sizeof(to), "%s/%s-v%u.co", dir, gfx, WAVECRYPT_GPU_LAYOUT);
	EXPECT(!symlink(from, to), "no link %s", to);
}

/* Below a directory like /sys */
static void put_node(const char *dir, const char *address, const char *node)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "at=%s/bus/pci/devices/%s && mkdir -p $at && echo %s >$at/numa_node", dir,
		 address, node);
	EXPECT(!system(command), "none for %s", address);
}

/*
 * There is no code for one of two while the other begins; when there is, and workers are
 * started anew, as the daemon does, they have the packets in common. And it is known then
 * which node it is near to.
 */
static void one_of_two_comes(void)
{
	char dir[] = "/tmp/wavecrypt-code-XXXXXX", command[64];
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;

	if (!EXPECT(mkdtemp(dir), "no directory"))
		return;
	setenv("HSA_EMU_AGENTS", "gfx90c,gfx801", 1);
	use("0000:01:00.0");
	configure(HSA_MODE_DISPATCH);
	strcpy(config.gpu.hsa_device, "gfx90c,gfx801");
	strcpy(config.gpu.hsa_code, dir);
	choice.device[choice.nr++] = hsa_backend.device(&config.gpu, "gfx801");
	choice.device[1]->missing = true;
	control("");
	put_code(dir, "gfx90c");
	play_begin(&play, &config, &choice, 2);
	EXPECT(play_await_device_of(&play, 0), "the one does not work");
	EXPECT(!backend_have_come(&choice, dir), "the other is there");
	put_code(dir, "gfx801");
	put_node(dir, "0000:02:00.0", "3");
	while (!backend_have_come(&choice, dir) && clock_ns() < until)
		usleep(1000);
	EXPECT(choice.device[1]->node == 3, "near node %d", choice.device[1]->node);
	play_end(&play);
	play_begin(&play, &config, &choice, 2);
	EXPECT(play_await_device_of(&play, 0), "the one has no packets any more");
	EXPECT(play_await_device_of(&play, 1), "the other has no packets");
	no_more_of_two();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	EXPECT(!system(command), "%s is left", dir);
}

/* CPUs whose memory was allocated, a bit for each node */
static uint32_t memory_nodes;
static typeof(hsa_amd_memory_pool_allocate) *allocate;

/* A pool's handle is its agent's, and in the last bits which of that agent's it is. */
static hsa_status_t note_node(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags,
			      void **memory)
{
	uint32_t node = 0;

	hsa.agent_get_info((hsa_agent_t) { pool.handle & ~15ULL }, HSA_AGENT_INFO_NODE, &node);
	memory_nodes |= 1u << node;
	return allocate(pool, size, flags, memory);
}

/* Two CPUs, each with a GPU: what is shared with it is the nearest one's memory, if that
 * has any.
 */
static void nearest(void)
{
	static const struct {
		const char *agents, *gpu;
		uint32_t node;
	} cases[] = {
		{ "gfx90c,cpu,gfx90c", "0000:01:00.0", 0 },
		{ "gfx90c,cpu,gfx90c", "0000:03:00.0", 2 },
		{ "gfx90c,cpu:empty,gfx90c", "0000:03:00.0", 0 },
	};

	control("");
	hsa_api_load();
	allocate = hsa.amd_memory_pool_allocate;
	hsa.amd_memory_pool_allocate = note_node;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		setenv("HSA_EMU_AGENTS", cases[i].agents, 1);
		use(cases[i].gpu);
		configure(HSA_MODE_PERSISTENT);
		memory_nodes = 0;
		probe();
		EXPECT(memory_nodes == 1u << cases[i].node, "%s: of nodes %#x",
		       cases[i].gpu, memory_nodes);
	}
	hsa.amd_memory_pool_allocate = allocate;
	unsetenv("HSA_EMU_AGENTS");
	use(GPU_AUTO);
}

/* There is no runtime, or none that is of use. */
static void does_without(void)
{
	struct tally t;

	configure(HSA_MODE_DISPATCH);
	EXPECT(hsa_backend.probe(gpu), "there");
	play_begin(&play, &config, &choice, 2);
	t = play_packets(&play, 1000, 1600);
	EXPECT(t.good == 1000, "%u of 1000 good without it", t.good);
	play_end(&play);
}

/* AddressSanitizer's, where it is there: what is allocated now, or that, may be lost. */
#pragma weak __lsan_disable
#pragma weak __lsan_enable
#pragma weak __lsan_ignore_object
void __lsan_disable(void);
void __lsan_enable(void);
void __lsan_ignore_object(const void *object);

/*
 * A GPU that does not let go of what it was measured with is of no use, and is not opened
 * once more, to be no use again.
 */
static void does_not_let_go(void)
{
	const char *why;

	if (__lsan_disable)
		__lsan_disable();
	configure(HSA_MODE_DISPATCH);
	gpu_forget(gpu);
	control("hsa_queue_destroy#1=HSA_STATUS_ERROR");
	why = hsa_backend.probe(gpu);
	EXPECT(why && strstr(why, "failed while it was measured"), "%s", why);
	control("");
	why = hsa_backend.probe(gpu);
	EXPECT(why && strstr(why, "has to be restarted"), "%s", why ? why : "it is used");
	use(GPU_AUTO);
	if (__lsan_enable)
		__lsan_enable();
}

static unsigned int shut_downs;
static typeof(hsa_shut_down) *shut_down;

static hsa_status_t count_shut_down(void)
{
	shut_downs++;
	return shut_down();
}

/* What one of two has may be in use when the other is given back, and ever after. */
static void one_of_two_does_not_let_go(void)
{
	struct device *other;
	struct gpu_list list;
	const char *why;

	if (__lsan_disable)
		__lsan_disable();
	setenv("HSA_EMU_AGENTS", "gfx90c,gfx90c", 1);
	use("0000:01:00.0");
	configure(HSA_MODE_DISPATCH);
	control("");
	other = hsa_backend.device(&config.gpu, "0000:02:00.0");
	why = hsa_backend.probe(other);
	EXPECT(!why, "%s", why);
	control("hsa_queue_destroy#1=HSA_STATUS_ERROR");
	why = hsa_backend.probe(gpu);
	EXPECT(why && strstr(why, "failed while it was measured"), "%s", why);
	control("");
	shut_down = hsa.shut_down;
	hsa.shut_down = count_shut_down;
	device_release(other);
	EXPECT(!shut_downs, "shut down with the other");
	why = hsa_backend.look(&config.gpu, &list);
	EXPECT(!why && list.nr == 2, "%s", why ? why : "they are not seen");
	EXPECT(!shut_downs, "shut down by somebody who looks");
	hsa.shut_down = shut_down;
	unsetenv("HSA_EMU_AGENTS");
	use(GPU_AUTO);
	if (__lsan_enable)
		__lsan_enable();
}

/* The last queue that was made, and whom the runtime tells what becomes of it */
static struct {
	typeof(hsa_queue_create) *create;
	void (*on_error)(hsa_status_t status, hsa_queue_t *queue, void *data);
	hsa_queue_t *queue;
	void *data;
} last;

static hsa_status_t note_queue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
			       void (*on_error)(hsa_status_t status, hsa_queue_t *queue,
						void *data),
			       void *data, uint32_t private, uint32_t local,
			       hsa_queue_t **queue)
{
	hsa_status_t status = last.create(agent, size, type, on_error, data, private,
					  local, queue);

	last.on_error = on_error;
	last.data = data;
	last.queue = *queue;
	return status;
}

/* How often a signal was made that a persistent kernel has until it ends */
static unsigned int persistent_kernels;
static typeof(hsa_signal_create) *make_signal;

/* What is dispatched next is that kernel: it hangs. */
static hsa_status_t have_it_hang(hsa_signal_value_t initial, uint32_t nr,
				 const hsa_agent_t *consumers, hsa_signal_t *signal)
{
	if (initial) {
		persistent_kernels++;
		control("packet#1=hang");
	}
	return make_signal(initial, nr, consumers, signal);
}

static hsa_status_t count_persistent(hsa_signal_value_t initial, uint32_t nr,
				     const hsa_agent_t *consumers, hsa_signal_t *signal)
{
	if (initial)
		__atomic_add_fetch(&persistent_kernels, 1, __ATOMIC_RELAXED);
	return make_signal(initial, nr, consumers, signal);
}

/* Kernels of so many work-groups are so many workers': the others dispatch. */
static void persist(uint32_t groups, uint32_t kernels)
{
	struct tally t;

	configure(HSA_MODE_PERSISTENT);
	config.gpu.hsa_groups = groups;
	control("");
	if (!probe())
		return;
	config.gpu.timeout_ms = 10000;
	persistent_kernels = 0;
	make_signal = hsa.signal_create;
	hsa.signal_create = count_persistent;
	play_begin(&play, &config, &choice, PLAY_WORKERS);
	EXPECT(play_await_device(&play), "not all workers have it");
	t = play_packets(&play, 2000, 300);
	EXPECT(t.good == 2000, "%u good, %u given back", t.good, t.retries);
	EXPECT(!play_stats(&play).device_failed, "chunks have failed");
	EXPECT(persistent_kernels == kernels, "%u kernels that never end, of %u work-groups",
	       persistent_kernels, groups);
	play_end(&play);
	hsa.signal_create = make_signal;
}

/*
 * There is room for those of two workers, with as many places left as a third wants some
 * more of; or not for as many as one wants, which has fewer.
 */
static void more_than_persist(void)
{
	persist(12, 2);
	persist(1000, 1);
}

/* Dispatches work, and a persistent kernel does not: that is tried once. */
static void falls_back(void)
{
	struct tally t;

	use(GPU_AUTO);
	configure(HSA_MODE_AUTO);
	config.gpu.timeout_ms = 3000;
	control("");
	hsa_api_load();
	persistent_kernels = 0;
	make_signal = hsa.signal_create;
	hsa.signal_create = have_it_hang;
	for (int i = 0; i < 2 && probe(); i++)
		EXPECT(strstr(hsa_backend.describe(gpu), "mode: dispatch"), "%s",
		       hsa_backend.describe(gpu));
	EXPECT(persistent_kernels == 1, "tried %u times", persistent_kernels);
	hsa.signal_create = make_signal;
	control("");
	play_begin(&play, &config, &choice, 1);
	EXPECT(play_await_device(&play), "it is not there");
	t = play_packets(&play, 300, 300);
	EXPECT(t.good == 300, "%u good, %u given back", t.good, t.retries);
	play_end(&play);
	use(GPU_AUTO);
}

/*
 * It does not let go of a worker's queue, though it has done all that was in there: it
 * is given no more work, and what it knows of packets stays true. Then that queue fails.
 */
static void does_not_end(void)
{
	uint8_t *slots;
	const char *why;

	configure(HSA_MODE_DISPATCH);
	control("");
	if (!probe())
		return;
	last.create = hsa.queue_create;
	hsa.queue_create = note_queue;
	play_begin(&play, &config, &choice, 1);
	EXPECT(play_await_device(&play), "it is not there");
	hsa.queue_create = last.create;
	slots = loopback_channel(play.producer.lb)->map[WAVECRYPT_REGION_SLOTS];
	control("hsa_queue_destroy#1=HSA_STATUS_ERROR");
	play_end(&play);
	errands_join(PLAY_PATIENCE_NS);
	EXPECT(!msync(slots, 4096, MS_ASYNC), "unmapped, where it may write");
	last.on_error(HSA_STATUS_ERROR, last.queue, last.data);
	control("");
	/* Not sooner is it tried again. */
	usleep(2 * config.gpu.retry_ms * 1000);
	why = hsa_backend.probe(gpu);
	EXPECT(why && strstr(why, "has to be restarted"), "%s", why ? why : "it is used");
	if (__lsan_ignore_object)
		__lsan_ignore_object(gpu);
	use(GPU_AUTO);
}

/* How many s it takes to take a queue from a GPU; turns that its worker makes, at first; and
 * packets that the lanes had done by then
 */
static typeof(hsa_queue_destroy) *destroy_queue;
static unsigned int takes;
static uint64_t turns, by_lanes;

static hsa_status_t destroy_slowly(hsa_queue_t *queue)
{
	struct worker_stats before, after;
	uint64_t since = clock_ns(), passed;

	worker_stats_get(play.worker[0], &before);
	/* There is that worker for as long; on a busy machine it is not the first to have a CPU. */
	do {
		usleep(100000);
		worker_stats_get(play.worker[0], &after);
		turns = after.turns - before.turns;
		by_lanes = after.packets - after.device_packets;
		passed = clock_ns() - since;
	} while (passed < 2 * NSEC_PER_SEC || (turns <= 100 && passed < 5 * NSEC_PER_SEC));
	while (clock_ns() - since < takes * NSEC_PER_SEC)
		usleep(100000);
	return destroy_queue(queue);
}

/* A kernel hangs, and then it takes so long to take its queue from the GPU. */
static void hangs_slowly(unsigned int s)
{
	configure(HSA_MODE_DISPATCH);
	control("");
	if (!probe())
		return;
	config.gpu.timeout_ms = 200;
	takes = s;
	turns = 0;
	last.create = hsa.queue_create;
	hsa.queue_create = note_queue;
	play_begin(&play, &config, &choice, 1);
	EXPECT(play_await_device(&play), "it is not there");
	hsa.queue_create = last.create;
	destroy_queue = hsa.queue_destroy;
	hsa.queue_destroy = destroy_slowly;
	control("packet#1=hang");
}

/* That takes as long as the kernel's driver waits for a GPU: lanes do not. */
static void lets_go_late(void)
{
	struct worker_stats before;
	struct tally t;

	hangs_slowly(3);
	worker_stats_get(play.worker[0], &before);
	t = play_packets(&play, 600, 300);
	hsa.queue_destroy = destroy_queue;
	EXPECT(t.good + t.retries == 600 && t.retries, "%u good, %u given back", t.good,
	       t.retries);
	EXPECT(turns > 100, "%llu turns meanwhile", (unsigned long long)turns);
	by_lanes -= before.packets - before.device_packets;
	EXPECT(by_lanes > 100, "%llu packets meanwhile", (unsigned long long)by_lanes);
	config.gpu.timeout_ms = 60000;
	EXPECT(play_await_device(&play), "it is not back");
	play_end(&play);
	control("");
}

/* It takes longer than anybody waits for: the channel is given up. */
static void lets_go_too_late(void)
{
	hangs_slowly(14);
	play_in_vain(&play);
	play_end(&play);
	errands_join(PLAY_PATIENCE_NS);
	hsa.queue_destroy = destroy_queue;
	EXPECT(turns > 100, "%llu turns meanwhile", (unsigned long long)turns);
	EXPECT(device_given_up(gpu), "it is tried again");
	control("");
	if (__lsan_ignore_object)
		__lsan_ignore_object(gpu);
	use(GPU_AUTO);
}

/*
 * It hangs, and its queue cannot be taken from it: nobody may have the packets
 * back. The last test, for the runtime is of no use afterwards.
 */
static void hangs_for_good(void)
{
	configure(HSA_MODE_DISPATCH);
	control("");
	if (!probe())
		return;
	config.gpu.timeout_ms = 200;
	control("packet#1+=hang; hsa_queue_destroy#1+=HSA_STATUS_ERROR");
	play_begin(&play, &config, &choice, 1);
	play_in_vain(&play);
	control("");
	play_end(&play);
}

/* Of these, the first depend on which GPU's code it is. */
#define CODE_CASES	2

static struct ktap_case correct[] = {
	{ "dispatch: each algorithm, direction, key size, many lengths",
	  dispatch },
	{ "persistent kernel: the same", persistent },
	{ "keys are replaced", rekeyed },
	{ "lanes and GPU together, the mode chosen by measurement", balanced },
	{ 0 },
};

static const struct ktap_case failures[] = {
	{ "the GPU that is wanted is chosen, or it is said why not", chosen },
	{ "any call fails while it is being opened", failures_at_start },
	{ "any call fails at work: all packets are done", failures_at_work },
	{ "any call fails after a kernel has: the GPU comes back",
	  failures_on_return },
	{ "a kernel touches what it must not: all are answered", faults },
	{ "it does so again and again: that is noticed each time", many_faults },
	{ "a kernel has an unknown instruction: all are answered", illegal },
	{ "a kernel's signal says that it failed: all are answered", negative },
	{ "the GPU is reset: all are answered", resets },
	{ "the GPU vanishes: all are answered", vanishes },
	{ "a kernel hangs: all are answered", hangs },
	{ "it takes long to take its queue from the GPU: lanes go on", lets_go_late },
	{ "a worker sleeps while the GPU works", sleeps },
	{ "the channel goes while the GPU works on its packets",
	  channel_goes },
	{ "a GPU that comes later is used", comes_later },
	{ "one of two GPUs fails: the other goes on, and it comes back", one_of_two },
	{ "one of two GPUs hangs: the other goes on, and it comes back", one_of_two_hangs },
	{ "one of two GPUs vanishes: the other goes on, with the next channel as well",
	  one_of_two_vanishes },
	{ "one of two GPUs is reset: the other goes on, likewise", one_of_two_is_reset },
	{ "one of three GPUs is not there: the others are used", one_of_three_is_missing },
	{ "one of two GPUs comes when there is code for it: both are used", one_of_two_comes },
	{ "memory is that of the CPU which is nearest to the GPU", nearest },
	{ "more workers than there is room for persistent kernels: the others dispatch",
	  more_than_persist },
	{ "one of two modes does not work: the other is used", falls_back },
	{ "one of two GPUs does not let go: the runtime stays up",
	  one_of_two_does_not_let_go },
	{ "a GPU that does not let go is not used", does_not_let_go },
	{ "one that does not let go of a queue is not used any more", does_not_end },
	{ "it takes too long to take a queue from one that hangs: the channel is given up",
	  lets_go_too_late },
	{ "a GPU hangs for good: the channel is given up", hangs_for_good },
	{ 0 },
};

static const struct ktap_case absent[] = {
	{ "the lanes do all", does_without },
	{ 0 },
};

int main(int argc, char **argv)
{
	const char *why = cpu_backend.probe(&cpu_device);

	log_setup("test_hsa", getenv("VERBOSE") ? LOG_DEBUG : LOG_CRIT);
	clock_setup();
	configure(HSA_MODE_DISPATCH);
	use(config.gpu.hsa_device);
	if (why) {
		EXPECT(false, "%s", why);
		return 1;
	}
	if (argc == 2 && !strcmp(argv[1], "failures")) {
		control("");
		return ktap_run(failures);
	}
	if (argc == 2 && !strcmp(argv[1], "absent"))
		return ktap_run(absent);
	if (argc == 2 && !strcmp(argv[1], "code"))
		correct[CODE_CASES].name = NULL;
	return ktap_run(correct);
}
