// SPDX-License-Identifier: GPL-2.0-only
/*
 * The opencl backend under a worker, on whatever OpenCL device there is (PoCL,
 * on most machines), against libcrypto; and what becomes of packets when any of
 * OpenCL's functions fails.
 *
 * The environment says where compiled kernels are kept: WAVECRYPT_TEST_CACHE.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/measure.h"
#include "backends/opencl/opencl.h"
#include "faults.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "play.h"

/* A function is made to fail at so many of the times that it is called. */
#define TIMES		3

/**
 * struct way - how packets get to the device
 * @name: for messages
 * @memory: setting "opencl-memory"
 * @runs: setting "opencl-runs"
 */
static const struct way {
	const char *name;
	enum opencl_way memory;
	bool runs;
} ways[] = {
	{ "in runs", OPENCL_COPY, true },
	{ "packed", OPENCL_COPY, false },
	{ "shared", OPENCL_SHARED, false },
	{ "persistent", OPENCL_PERSISTENT, false },
};

enum { RUNS, PACKED, SHARED, PERSISTENT };

static struct config config;

static struct device *gpu;
static struct backend_choice choice = {
	.lanes = &cpu_device,
};

static struct play play;

/* Functions that have failed in some test */
static bool tried[FAULTS_CALLS];

static void configure(const struct way *way)
{
	const char *cache = getenv("WAVECRYPT_TEST_CACHE");

	config_init(&config);
	strcpy(config.gpu.opencl_device, "cpu");
	snprintf(config.gpu.opencl_cache, sizeof(config.gpu.opencl_cache), "%s",
		 cache ? cache : "");
	config.gpu.opencl_memory = way->memory;
	config.gpu.opencl_runs = way->runs;
	config.gpu.opencl_groups = 1;
	config.gpu.chunk = 64;
	config.gpu.chunk_kib = 1024;
	config.gpu.chunks = 2;
	config.gpu.retry_ms = 1;
	config.gpu.timeout_ms = 60000;
	config.gpu.balance = false;
	config.spin_us = 1;
}

/* Open the device anew, when those that were left to close it have. */
static bool probe(void)
{
	const char *why;

	errands_join(PLAY_PATIENCE_NS);
	gpu_forget(gpu);
	/* Here it hangs more often than any daemon would bear. */
	gpu->hangs = 0;
	gpu->given_up = false;
	why = opencl_backend.probe(gpu);
	return EXPECT(!why, "%s", why);
}

static void begin(void)
{
	play_begin(&play, &config, &choice, 1);
}

/* With the device: where the machine is busy, opening it may take its time. */
static void begin_with(uint32_t workers)
{
	play_begin(&play, &config, &choice, workers);
	EXPECT(play_await_device(&play), "it is not there");
}

/* Most packets are the device's, but for those whose key is not there yet. */
static void end_to_end(const struct way *way, uint32_t workers)
{
	uint64_t before;
	struct tally t;

	configure(way);
	if (!probe())
		return;
	begin_with(workers);
	play_packets(&play, 200, 200);
	before = play_device_packets(&play);
	t = play_packets(&play, 3000, 1600);
	EXPECT(t.good == 3000, "%u good, %u given back", t.good, t.retries);
	before = play_device_packets(&play) - before;
	EXPECT(before > 2700, "%llu packets on the device", (unsigned long long)before);
	t = play_packets(&play, 40, PRODUCER_SLOT);
	EXPECT(t.good == 40, "%u of 40 long ones good", t.good);
	play_end(&play);
}

static void copy_runs(void)
{
	end_to_end(&ways[RUNS], 1);
}

static void shared(void)
{
	end_to_end(&ways[SHARED], 1);
}

static void persistent(void)
{
	end_to_end(&ways[PERSISTENT], 1);
}

/* Workers that meet in the driver send each other's chunks. */
static void several_workers(void)
{
	end_to_end(&ways[RUNS], PLAY_QUEUES);
	end_to_end(&ways[SHARED], PLAY_QUEUES);
}

/* A device with other compute units than PoCL makes of the machine's processors */
static typeof(clGetDeviceInfo) *asked;
static cl_uint units;

static cl_int has_units(cl_device_id id, cl_device_info what, size_t size, void *to,
			size_t *needed)
{
	if (what != CL_DEVICE_MAX_COMPUTE_UNITS)
		return asked(id, what, size, to, needed);
	*(cl_uint *)to = units;
	return CL_SUCCESS;
}

/* How many persistent kernels there were */
static uint32_t persistent_kernels;
static typeof(clCreateKernel) *create_kernel;

static cl_kernel count_persistent(cl_program program, const char *name, cl_int *err)
{
	if (!strcmp(name, "wavecrypt_persistent"))
		__atomic_add_fetch(&persistent_kernels, 1, __ATOMIC_RELAXED);
	return create_kernel(program, name, err);
}

/* With kernels of so many work-groups: a worker has one, if any, and the device says that. */
static void persist(uint32_t groups, uint32_t kernels, const char *says)
{
	struct device_status st;
	struct tally t;

	configure(&ways[PERSISTENT]);
	config.gpu.opencl_groups = groups;
	if (!probe())
		return;
	EXPECT(strstr(opencl_backend.describe(gpu), says), "%s", opencl_backend.describe(gpu));
	persistent_kernels = 0;
	begin_with(PLAY_WORKERS);
	t = play_packets(&play, 3000, 1600);
	EXPECT(t.good == 3000, "%u good, %u given back", t.good, t.retries);
	EXPECT(persistent_kernels == kernels, "%u kernels that never end, of %u work-groups",
	       persistent_kernels, groups);
	play_end(&play);
	errands_join(PLAY_PATIENCE_NS);
	opencl_backend.status(gpu, &st);
	EXPECT(st.state == DEVICE_READY, "state %d, \"%s\"", st.state, st.why);
}

/* How many workers would have one, if so many are to be had by each */
static void could_persist(cl_uint there, const char *says)
{
	units = there;
	configure(&ways[PERSISTENT]);
	config.gpu.opencl_groups = 0;
	if (probe())
		EXPECT(strstr(opencl_backend.describe(gpu), says), "%s",
		       opencl_backend.describe(gpu));
}

/* There may not be room for a persistent kernel of each: others do without, beside these. */
static void more_than_persist(void)
{
	opencl_api_load();
	asked = cl.GetDeviceInfo;
	create_kernel = cl.CreateKernel;
	cl.GetDeviceInfo = has_units;
	cl.CreateKernel = count_persistent;
	units = 2;
	persist(1, 1, "way: persistent, of up to 1 workers");
	persist(1000, 1, "way: persistent, of up to 1 workers");
	units = 1;
	persist(1, 0, "way: shared");
	could_persist(3, "of up to 2 workers");
	could_persist(4, "of up to 3 workers");
	could_persist(5, "of up to 2 workers");
	cl.GetDeviceInfo = asked;
	cl.CreateKernel = create_kernel;
}

struct commands {
	uint32_t chunks, copies;
};

/* How many commands copy packets back, and of how many chunks? */
static struct commands commands(const struct way *way)
{
	struct tally t;

	configure(way);
	config.gpu.chunk = 256;
	probe();
	begin_with(1);
	play_packets(&play, 400, 200);
	faults_reset();
	t = play_packets(&play, 2000, 1408);
	EXPECT(t.good == 2000, "%u good", t.good);
	play_end(&play);
	return (struct commands) {
		.chunks = faults_count(faults_find("EnqueueNDRangeKernel")),
		.copies = faults_count(faults_find("EnqueueReadBuffer")),
	};
}

/* Packed, each chunk comes back by one command; runs are commands besides. */
static void copy_packed(void)
{
	struct commands packed, runs;

	faults_install();
	packed = commands(&ways[PACKED]);
	runs = commands(&ways[RUNS]);
	faults_remove();
	EXPECT(packed.chunks && packed.copies == packed.chunks,
	       "%u commands for %u chunks", packed.copies, packed.chunks);
	EXPECT(runs.copies > runs.chunks,
	       "%u commands for %u chunks in runs", runs.copies, runs.chunks);
}

/* No packet, and no key, is left in memory that the device gives back. */
static void wiped(void)
{
	uint32_t left, looked;
	struct tally t;

	faults_install();
	faults_watch(true);
	configure(&ways[PACKED]);
	probe();
	begin_with(1);
	t = play_packets(&play, 400, 1408);
	EXPECT(t.good == 400, "%u good", t.good);
	play_end(&play);
	left = faults_left(&looked);
	EXPECT(looked && !left, "%u of %u buffers held something", left, looked);
	faults_watch(false);
	faults_remove();
}

/* Of the copy of zeros over a key that is gone, there is an event. */
static void events_released(void)
{
	unsigned int copy = faults_find("EnqueueWriteBuffer");
	uint64_t until;
	uint32_t before;

	configure(&ways[PACKED]);
	probe();
	faults_install();
	begin_with(1);
	play_packets(&play, 400, 300);
	before = faults_count(copy);
	producer_rekey(&play.producer, 1);
	until = clock_ns() + PLAY_PATIENCE_NS;
	while (faults_count(copy) == before && clock_ns() < until)
		usleep(1000);
	EXPECT(faults_count(copy) > before, "the key is not wiped");
	play_end(&play);
	EXPECT(!faults_events(), "%d events are left", faults_events());
	faults_remove();
}

/* Do so many workers have it before long, whatever they do? */
static bool had_by(unsigned int workers)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct device_status st;

	do {
		usleep(1000);
		opencl_backend.status(gpu, &st);
	} while ((st.state != DEVICE_IN_USE || st.users != workers) && clock_ns() < until);
	return st.state == DEVICE_IN_USE && st.users == workers;
}

static bool all_zero(const uint8_t *data, size_t size)
{
	return !data[0] && !memcmp(data, data + 1, size - 1);
}

/* Keys are being copied to the device, and no packet comes any more. Return: from where */
static const uint8_t *copy_keys(size_t *size)
{
	const uint8_t *key;

	configure(&ways[PACKED]);
	probe();
	faults_install();
	begin();
	EXPECT(had_by(1), "it is not there");
	faults_hang(FAULTS_ALL);
	EXPECT(play_packets(&play, 200, 300).good == 200, "packets are lost");
	key = faults_source(size);
	EXPECT(*size == sizeof(struct wavecrypt_gpu_key) && !all_zero(key, *size),
	       "no key is being copied");
	return key;
}

/* The host's copy goes when it is there. */
static void copied_key_goes(void)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	const uint8_t *key;
	size_t size;

	key = copy_keys(&size);
	faults_hang(FAULTS_NONE);
	while (!all_zero(key, size) && clock_ns() < until)
		usleep(1000);
	EXPECT(all_zero(key, size), "it is still in the host's memory");
	play_end(&play);
	faults_remove();
}

/* One that is removed before it is there is wiped when it is. */
static void removed_key_goes(void)
{
	unsigned int copy = faults_find("EnqueueWriteBuffer");
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	uint32_t before;
	size_t size;

	copy_keys(&size);
	before = faults_count(copy);
	producer_rekey(&play.producer, 1);
	usleep(10000);
	EXPECT(faults_count(copy) == before, "wiped before it is there");
	faults_hang(FAULTS_NONE);
	while (faults_count(copy) == before && clock_ns() < until)
		usleep(1000);
	EXPECT(faults_count(copy) > before, "it is still on the device");
	play_end(&play);
	faults_remove();
}

/* As the module does, @gap_us after something else of the kind has happened */
static void remove_key_after(uint32_t gap_us, uint32_t key)
{
	struct loopback *lb = play.producer.lb;
	uint64_t since;

	loopback_key_gone(lb, key);
	since = clock_ns();
	while (clock_ns() - since < gap_us * NSEC_PER_USEC)
		;
	__atomic_store_n(&loopback_key(lb, key)->gen, 0, __ATOMIC_RELEASE);
	loopback_key_gone(lb, key);
}

/* A copy begins before so long, not counting what this thread is stopped for */
static bool copies_within(uint64_t ns, uint32_t before)
{
	unsigned int copy = faults_find("EnqueueWriteBuffer");
	uint64_t seen = 0, last = clock_ns(), now;

	for (; faults_count(copy) == before && seen < ns; last = now) {
		usleep(100);
		now = clock_ns();
		seen += now - last < 10 * NSEC_PER_MSEC ? now - last : 10 * NSEC_PER_MSEC;
	}
	return faults_count(copy) != before;
}

/*
 * A key is removed right after the worker has looked at keys, and has nothing to do: it
 * goes soon nevertheless. Which gap is the right one depends on how soon a worker wakes.
 * One that sleeps on goes at once when it is woken, and one that has no CPU does not.
 */
static void removed_soon_goes(void)
{
	unsigned int copy = faults_find("EnqueueWriteBuffer");

	configure(&ways[PACKED]);
	probe();
	faults_install();
	begin_with(1);
	for (uint32_t gap_us = 10; gap_us <= 200; gap_us += 5) {
		uint32_t before;

		producer_rekey(&play.producer, 1);
		play_packets(&play, 400, 300);
		/* It has fallen asleep. */
		usleep(10000);
		before = faults_count(copy);
		remove_key_after(gap_us, 1);
		if (copies_within(NSEC_PER_SEC / 4, before))
			continue;
		loopback_key_gone(play.producer.lb, 1);
		EXPECT(!copies_within(NSEC_PER_SEC / 20, before), "%u us after: it sleeps on",
		       gap_us);
		EXPECT(copies_within(PLAY_PATIENCE_NS, before), "%u us after: it does not go",
		       gap_us);
	}
	play_end(&play);
	faults_remove();
}

/* A key that is replaced while packets are under way is never mistaken. */
static void rekeyed(void)
{
	for (int i = 0; i < 2; i++) {
		configure(&ways[i ? SHARED : RUNS]);
		probe();
		begin();
		for (uint32_t round = 0; round < 40; round++) {
			uint64_t before = play_device_packets(&play);
			struct tally t = play_packets(&play, 100, 300);

			EXPECT(t.good == 100, "round %u: %u good", round,
			       t.good);
			if (round % 4 == 3)
				EXPECT(play_device_packets(&play) > before,
				       "round %u: none on the device", round);
			else if (round % 4 == 0)
				producer_rekey(&play.producer,
					       random_below(16));
		}
		play_end(&play);
	}
}

/* Lanes and device together, each with what is cheapest there. */
static void balanced(void)
{
	struct tally t;

	configure(&ways[RUNS]);
	config.gpu.balance = true;
	probe();
	begin();
	t = play_packets(&play, 3000, 1600);
	EXPECT(t.good == 3000, "%u good, %u given back", t.good, t.retries);
	play_end(&play);
}

/* The smallest chunks that can be asked for: what is measured fits, too. */
static void small_chunks(void)
{
	struct tally t;

	configure(&ways[PACKED]);
	config.gpu.balance = true;
	config.gpu.chunk = 256;
	config.gpu.chunk_kib = 128;
	probe();
	begin();
	t = play_packets(&play, 600, 1600);
	EXPECT(t.good == 600, "%u good, %u given back", t.good, t.retries);
	play_end(&play);
}

/*
 * Kernels that do one thing wrong, for a compiler is what may make them so. Which one,
 * they are told.
 */
static void wrong_kernels(void)
{
	static const struct faults_patch patches[] = {
		{ "if (i < len)", "if (i + (len == 13 && get_work_dim() == 1) < len)" },
		{ "there ? desc->aad_len : 0",
		  "there ? desc->aad_len ^ (desc->aad_len == 36 && get_work_dim() == 2) : 0" },
		{ "head(*quad_at(work, p.data, c), p.len - 16 * c)",
		  "head(*quad_at(work, p.data, c), get_work_dim() == 3 ? 16 : p.len - 16 * c)" },
		{ 0 },
	};
	static const char *const what[] = {
		"the last byte of payloads that end in one place",
		"AAD of 36 bytes",
		"Poly1305 of what is behind a payload",
	};

	configure(&ways[SHARED]);
	config.gpu.opencl_cache[0] = '\0';
	opencl_api_load();
	faults_install();
	for (size_t i = 0; i < ARRAY_SIZE(what); i++) {
		const char *why;

		gpu_forget(gpu);
		faults_patch(patches, i);
		why = opencl_backend.probe(gpu);
		EXPECT(why && strstr(why, "something else than the CPU"),
		       "%s: %s", what[i], why ? why : "nobody minds");
	}
	faults_patch(NULL, 0);
	faults_remove();
}

/* Does the compiler get these words among its options, if packets get there like this? */
static bool compiled_with(const struct way *way, const char *words)
{
	const char *why;

	configure(way);
	gpu_forget(gpu);
	faults_refuse(words);
	why = opencl_backend.probe(gpu);
	faults_refuse(NULL);
	EXPECT(!why || strstr(why, "cannot compile"), "%s: %s", way->name, why);
	return why;
}

/* OpenCL's function, and the language that the compiler has; 0: it does not say */
static typeof(clGetDeviceInfo) *ask;
static cl_version language;

static cl_int has_language(cl_device_id id, cl_device_info what, size_t size,
			   void *to, size_t *needed)
{
	if (what != CL_DEVICE_OPENCL_C_ALL_VERSIONS)
		return ask(id, what, size, to, needed);
	*(cl_name_version *)to = (cl_name_version){ .version = language };
	return language ? CL_SUCCESS : CL_INVALID_VALUE;
}

/*
 * The persistent kernel wants more than OpenCL C 1.2: of what the compiler has. It is not
 * compiled for others, who do with one that has nothing of it.
 */
static void languages(void)
{
	static const struct {
		cl_version language;
		const char *option;
	} wanted[] = {
		{ 0, "-cl-std=CL2.0" },
		{ CL_MAKE_VERSION(2, 0, 0), "-cl-std=CL2.0" },
		{ CL_MAKE_VERSION(3, 0, 0), "-cl-std=CL3.0" },
	};

	opencl_api_load();
	faults_install();
	for (int way = RUNS; way <= SHARED; way++) {
		EXPECT(!compiled_with(&ways[way], "-cl-std"), "%s", ways[way].name);
		EXPECT(!compiled_with(&ways[way], "WAVECRYPT_PERSISTENT"), "%s",
		       ways[way].name);
	}
	ask = cl.GetDeviceInfo;
	cl.GetDeviceInfo = has_language;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		language = wanted[i].language;
		EXPECT(compiled_with(&ways[PERSISTENT], wanted[i].option),
		       "not %s, of %x", wanted[i].option, language);
	}
	faults_remove();
}

static typeof(clSetKernelArgSVMPointer) *set_argument;

/* Kernels that are given the host's memory are not launched. */
static cl_int not_launched(cl_kernel kernel, cl_uint i, const void *p)
{
	faults_fail(faults_find("EnqueueNDRangeKernel"), 0);
	return set_argument(kernel, i, p);
}

/* Copies work, and shared memory does not: that is tried once. */
static void falls_back(void)
{
	unsigned int tried_with = faults_find("SetKernelArgSVMPointer");
	struct device *own;
	const char *why;

	configure(&ways[PACKED]);
	config.gpu.opencl_memory = OPENCL_AUTO;
	own = opencl_backend.device(&config.gpu, "0");
	opencl_api_load();
	faults_install();
	set_argument = cl.SetKernelArgSVMPointer;
	cl.SetKernelArgSVMPointer = not_launched;
	why = opencl_backend.probe(own);
	EXPECT(!why && strstr(opencl_backend.describe(own), "way: copy"), "%s",
	       why ? why : opencl_backend.describe(own));
	EXPECT(faults_happened(), "shared memory is not tried");
	faults_reset();
	gpu_forget(own);
	why = opencl_backend.probe(own);
	EXPECT(!why && !faults_count(tried_with), "%s", why ? why : "tried again");
	device_release(own);
	faults_remove();
}

static void cache(void)
{
	const char *dir = getenv("WAVECRYPT_TEST_CACHE");
	unsigned int source = faults_find("CreateProgramWithSource");

	configure(&ways[RUNS]);
	EXPECT(dir && dir[0], "WAVECRYPT_TEST_CACHE is not set");
	faults_install();
	probe();
	EXPECT(!faults_count(source), "compiled again");
	faults_reset();
	chmod(dir, 0777);
	probe();
	EXPECT(faults_count(source) == 1,
	       "a directory that others may write to was believed");
	chmod(dir, 0700);
	faults_remove();
}

static void get_counts(uint32_t *count)
{
	for (unsigned int i = 0; i < FAULTS_CALLS; i++)
		count[i] = faults_count(i);
}

/* How often it is asked whether something is done yet differs every time. */
static bool varies(unsigned int call)
{
	return call == faults_find("GetEventInfo");
}

/* Which of @count calls fails in round @k: the first two, and a late one. */
static uint32_t which_call(unsigned int call, uint32_t k, uint32_t count)
{
	if (k < TIMES - 1)
		return k;
	return varies(call) ? count / 2 : count - 1;
}

static void fail_at_start(const char *way, unsigned int call, uint32_t after)
{
	const char *why;

	gpu_forget(gpu);
	faults_reset();
	faults_fail(call, after);
	why = opencl_backend.probe(gpu);
	EXPECT(!why || strlen(why) > 10, "\"%s\"", why);
	gpu_forget(gpu);
	tried[call] |= faults_happened();
	EXPECT(faults_happened() || varies(call), "%s, %s, call %u: not made",
	       way, faults_name(call), after);
}

/* Each call that is made; one that compiles, which takes long, not again. */
static void fail_each_at_start(const char *way, bool compiles)
{
	uint32_t count[FAULTS_CALLS];
	bool before[FAULTS_CALLS];

	gpu_forget(gpu);
	faults_reset();
	probe();
	gpu_forget(gpu);
	get_counts(count);
	memcpy(before, tried, sizeof(before));
	for (unsigned int i = 0; i < FAULTS_CALLS; i++) {
		if (before[i] && (compiles || strstr(faults_name(i), "Program")))
			continue;
		for (uint32_t k = 0; k < count[i] && k < TIMES; k++)
			fail_at_start(way, i, which_call(i, k, count[i]));
	}
}

/* The compiler fails, and so does asking it why. */
static void fail_to_compile(void)
{
	unsigned int log = faults_find("GetProgramBuildInfo");

	for (int i = 0; i < 2; i++) {
		const char *why;

		faults_reset();
		faults_fail(faults_find("BuildProgram"), 0);
		if (i)
			faults_fail(log, 0);
		why = opencl_backend.probe(gpu);
		EXPECT(why && strstr(why, "cannot compile"), "\"%s\"", why);
		EXPECT(faults_count(log) == 1, "not asked why");
		tried[log] |= i;
	}
}

/* One call fails while the device is being found, and tried. */
static void failures_at_start(void)
{
	opencl_api_load();
	faults_install();
	EXPECT(!faults_all_seen(), "cl%s is not seen", faults_all_seen());
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		/* Which is opened as the one before is. */
		if (i == PACKED)
			continue;
		configure(&ways[i]);
		fail_each_at_start(ways[i].name, false);
	}
	/* Not believed, so that there is always something to be compiled, and to be kept. */
	chmod(config.gpu.opencl_cache, 0777);
	fail_each_at_start("compiled", true);
	fail_to_compile();
	chmod(config.gpu.opencl_cache, 0700);
	faults_remove();
}

/* What a worker does while anything may fail: its start, packets, new keys. */
static struct tally work(void)
{
	struct tally t, u;

	begin();
	t = play_packets(&play, 300, 300);
	producer_rekey(&play.producer, 1);
	u = play_packets(&play, 100, 300);
	t.good += u.good;
	t.retries += u.retries;
	return t;
}

/* One call fails while packets are under way, and all are answered. */
static void fail_at_work(const struct way *way, unsigned int call,
			 uint32_t after)
{
	struct tally t;

	faults_reset();
	if (opencl_backend.probe(gpu))
		probe();
	faults_fail(call, after);
	t = work();
	EXPECT(t.good + t.retries == 400, "%s, %s, call %u: %u of 400 answered",
	       way->name, faults_name(call), after, t.good + t.retries);
	if (way == &ways[PACKED])
		EXPECT(!t.retries,
		       "%s, call %u: %u given back, whose payload is intact",
		       faults_name(call), after, t.retries);
	EXPECT(play_await_device(&play), "%s, %s, call %u: it is not back",
	       way->name, faults_name(call), after);
	play_end(&play);
	/* How many there are depends on what is found together. */
	EXPECT(faults_happened() || after, "%s, %s, call %u: not made",
	       way->name, faults_name(call), after);
	tried[call] |= faults_happened();
}

static void failures_at_work(const struct way *way)
{
	uint32_t count[FAULTS_CALLS];

	configure(way);
	faults_install();
	probe();
	faults_reset();
	work();
	play_end(&play);
	get_counts(count);
	for (unsigned int i = 0; i < FAULTS_CALLS; i++)
		for (uint32_t k = 0; k < count[i] && k < TIMES; k++)
			fail_at_work(way, i, which_call(i, k, count[i]));
	faults_reset();
	gpu_forget(gpu);
	faults_remove();
}

static void failures_runs(void)
{
	failures_at_work(&ways[RUNS]);
}

static void failures_packed(void)
{
	failures_at_work(&ways[PACKED]);
}

static void failures_shared(void)
{
	failures_at_work(&ways[SHARED]);
}

static void failures_persistent(void)
{
	failures_at_work(&ways[PERSISTENT]);
}

static void all_tried(void)
{
	for (unsigned int i = 0; i < FAULTS_CALLS; i++)
		EXPECT(tried[i], "cl%s has never failed", faults_name(i));
}

/* A device that is not there is used as soon as it is. */
static void comes_later(void)
{
	struct tally t;

	configure(&ways[RUNS]);
	gpu_forget(gpu);
	faults_install();
	faults_fail(0, 0);
	EXPECT(opencl_backend.probe(gpu), "there");
	faults_fail(0, 0);
	begin();
	t = play_packets(&play, 300, 300);
	EXPECT(t.good == 300, "%u good without it", t.good);
	EXPECT(play_await_device(&play), "it is not found");
	play_end(&play);
	faults_remove();
}

/*
 * A chunk fails: packets whose payload is intact are done by the lanes. A device is
 * tried again, and works again, beside another if there is one. What fails may be a
 * key that is copied: then it is not a chunk, and the next one is to be.
 */
static void lost_and_back(uint32_t nr)
{
	struct tally t;

	faults_install();
	begin_with(2);
	play_packets(&play, 1000, 300);
	for (int i = 0; i < 20 && !play_stats(&play).device_failed; i++) {
		faults_abort();
		t = play_packets(&play, nr, 300);
		EXPECT(t.good == nr, "%u good, %u given back", t.good, t.retries);
		EXPECT(play_await_device(&play), "it is not back");
	}
	EXPECT(play_stats(&play).device_failed, "no chunk has failed");
	for (unsigned int i = 0; i < choice.nr; i++)
		EXPECT(opencl_backend.there(choice.device[i]), "device %u is not there", i);
	play_end(&play);
	faults_remove();
}

/* Two workers have it: the other one has to let go of it, too. */
static void comes_back(void)
{
	configure(&ways[PACKED]);
	probe();
	lost_and_back(300);
}

/* Of two workers that have it one has no packets: it lets go of it, and has it again. */
static void idle_lets_go(void)
{
	configure(&ways[PACKED]);
	probe();
	faults_install();
	begin_with(2);
	play.busy = 1;
	for (int i = 0; i < 2; i++) {
		faults_abort();
		play_packets(&play, 300, 300);
		EXPECT(play_await_device_of(&play, 0), "loss %d: it is not back", i);
		EXPECT(had_by(2), "loss %d: not for who has nothing to do", i);
	}
	play_end(&play);
	faults_remove();
}

/* A chunk fails that the device may have written to: the module has the original. */
static void given_back(void)
{
	struct worker_stats st;
	struct tally t;

	configure(&ways[SHARED]);
	probe();
	faults_install();
	begin_with(1);
	play_packets(&play, 300, 300);
	faults_abort();
	t = play_packets(&play, 300, 300);
	st = play_stats(&play);
	EXPECT(t.retries && t.good + t.retries == 300, "%u good, %u given back", t.good,
	       t.retries);
	EXPECT(st.device_failed == 1, "%llu chunks have failed",
	       (unsigned long long)st.device_failed);
	play_end(&play);
	faults_remove();
}

/* One of a chunk's commands fails, and the last one does not. */
static void command_fails(const struct way *way, const char *function, uint32_t after)
{
	const uint32_t nr = 1000;
	struct worker_stats st;
	struct tally t;

	configure(way);
	config.gpu.chunk = 256;
	/* It does not come back by itself. */
	config.gpu.retry_ms = 3600000;
	probe();
	faults_install();
	begin_with(1);
	play_packets(&play, nr, 300);
	faults_spoil(faults_find(function), after);
	t = play_packets(&play, nr, 300);
	EXPECT(t.good + t.retries == nr, "%s, %s %u: %u good, %u given back", way->name,
	       function, after, t.good, t.retries);
	EXPECT(!t.retries || way != &ways[PACKED], "%s, %s %u: %u given back", way->name,
	       function, after, t.retries);
	EXPECT(faults_happened(), "%s: no %s %u", way->name, function, after);
	st = play_stats(&play);
	EXPECT(st.device_failed == 1, "%s, %s %u: %llu chunks have failed", way->name, function,
	       after, (unsigned long long)st.device_failed);
	play_end(&play);
	EXPECT(!faults_events(), "%d events are left", faults_events());
	faults_remove();
}

static void commands_fail(void)
{
	for (int way = RUNS; way <= SHARED; way++)
		command_fails(&ways[way], "EnqueueNDRangeKernel", 0);
	for (uint32_t after = 0; after < TIMES; after++) {
		command_fails(&ways[RUNS], "EnqueueReadBuffer", after);
		command_fails(&ways[RUNS], "EnqueueWriteBuffer", after);
	}
}

/* A chunk fails, and whether it is at work still the driver does not say. */
static void fails_and_blocks(void)
{
	unsigned int finish = faults_find("Finish");
	struct tally t;

	configure(&ways[PACKED]);
	probe();
	faults_install();
	begin_with(1);
	play_packets(&play, 300, 300);
	config.gpu.timeout_ms = 200;
	faults_block(finish);
	faults_spoil(faults_find("EnqueueNDRangeKernel"), 0);
	t = play_packets(&play, 2000, 300);
	EXPECT(t.good == 2000, "%u good, %u given back", t.good, t.retries);
	EXPECT(faults_blocked(), "nobody asks");
	config.gpu.timeout_ms = 60000;
	faults_block(FAULTS_NONE);
	EXPECT(play_await_device(&play), "it is not back");
	play_end(&play);
	errands_join(PLAY_PATIENCE_NS);
	faults_remove();
}

/* The device, once it is given up: that it is told by itself */
static struct device_status given_up(void)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct device_status st;

	while (!device_given_up(gpu) && clock_ns() < until)
		usleep(1000);
	do {
		opencl_backend.status(gpu, &st);
	} while (st.state == DEVICE_CHANGING && clock_ns() < until);
	return st;
}

/*
 * A kernel's fault, after which the driver is of no use to the process: all packets are
 * answered, nothing is taken for hung, or kept, and what is to be done is said.
 */
static void driver_dies(void)
{
	for (int way = RUNS; way <= SHARED; way++) {
		const char *name = ways[way].name;
		struct device_status st;
		struct tally t;

		configure(&ways[way]);
		probe();
		faults_install();
		begin_with(1);
		play_packets(&play, 300, 300);
		faults_die(faults_find("EnqueueNDRangeKernel"), 0);
		t = play_packets(&play, 1000, 300);
		EXPECT(t.good + t.retries == 1000, "%s: %u good, %u given back", name, t.good,
		       t.retries);
		st = given_up();
		EXPECT(st.state == DEVICE_LOST && strstr(st.why, "takes no new context") &&
		       strstr(st.why, "has to be restarted"), "%s: state %d, \"%s\"", name,
		       st.state, st.why);
		EXPECT(worker_end(play.worker[0]) == WORKER_RUNNING && !gpu->hangs,
		       "%s: ended with %d, hung %u times", name, worker_end(play.worker[0]),
		       gpu->hangs);
		t = play_packets(&play, 300, 300);
		EXPECT(t.good == 300, "%s: %u good without it", name, t.good);
		play_end(&play);
		EXPECT(!faults_objects(), "%s: %d queues and buffers are left", name,
		       faults_objects());
		faults_remove();
	}
}

/*
 * A chunk fails, and nobody knows what becomes of the persistent kernel: nobody
 * may have packets back that it may still write to.
 */
static void does_not_end(void)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct tally t = { 0 };

	configure(&ways[PERSISTENT]);
	probe();
	faults_install();
	begin();
	play_packets(&play, 300, 300);
	faults_fail(faults_find("Finish"), 0);
	faults_abort();
	faults_hang(FAULTS_ALL);
	while (worker_end(play.worker[0]) == WORKER_RUNNING && clock_ns() < until)
		t = play_packets(&play, 128, 1600);
	EXPECT(!t.retries, "%u given back", t.retries);
	EXPECT(worker_end(play.worker[0]) == WORKER_HUNG, "ended with %d",
	       worker_end(play.worker[0]));
	play_end(&play);
	faults_remove();
}

/* Likewise, when a worker is done with it: it is of no use to others, either. */
static void never_ends(void)
{
	struct device_status st;
	uint8_t *slots;

	configure(&ways[PERSISTENT]);
	config.gpu.retry_ms = 3600000;
	probe();
	faults_install();
	begin_with(1);
	faults_fail(faults_find("Finish"), 0);
	faults_hang(FAULTS_ALL);
	slots = loopback_channel(play.producer.lb)->map[WAVECRYPT_REGION_SLOTS];
	play_end(&play);
	errands_join(PLAY_PATIENCE_NS);
	EXPECT(!msync(slots, 4096, MS_ASYNC), "unmapped, where it may write");
	opencl_backend.status(gpu, &st);
	EXPECT(st.state == DEVICE_LOST, "state %d", st.state);
	faults_remove();
	gpu_forget(gpu);
}

/* It hangs with copies of packets: the lanes do the packets themselves. */
static void hangs_harmlessly(void)
{
	struct tally t;

	configure(&ways[PACKED]);
	probe();
	config.gpu.timeout_ms = 10;
	faults_install();
	begin();
	play_packets(&play, 300, 300);
	faults_hang(FAULTS_ALL);
	t = play_packets(&play, 300, 300);
	EXPECT(t.good == 300, "%u good, %u given back", t.good, t.retries);
	faults_hang(FAULTS_NONE);
	config.gpu.timeout_ms = 60000;
	EXPECT(play_await_device(&play), "it is not back");
	play_end(&play);
	faults_remove();
}

/* A daemon that was stopped, or a machine, comes back to chunks of long ago. */
static void stood_still(void)
{
	const uint64_t sec = clock_ticks_of(NSEC_PER_SEC);
	struct gpu_flight f = { .since = clock_ticks() - 100 * sec };
	struct gpu_watch w = { 0 };

	EXPECT(!gpu_flight_overdue(&f, &w, 10 * NSEC_PER_SEC), "looked at for the first time");
	w.since -= 11 * sec;
	w.last -= 6 * sec;
	EXPECT(!gpu_flight_overdue(&f, &w, 10 * NSEC_PER_SEC), "nobody looked for 6 s");
	w.since -= 11 * sec;
	w.last -= sec;
	EXPECT(gpu_flight_overdue(&f, &w, 10 * NSEC_PER_SEC), "it has 11 s of 10");
}

/* Does a chunk come back, of which it was not to be asked before an hour? */
static void asked_for(struct opencl *o, struct rig *rig)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct measure m;
	struct chunk *c;

	EXPECT(measure_open(&m, &o->be, rig, rig->nr / 2), "no memory");
	m.grain = wavecrypt_gpu_packets(o->session->base.shape, WAVECRYPT_ALG_GCM,
					WAVECRYPT_OP_ENCRYPT);
	EXPECT(measure_key(&m, rig->packet) && measure_do(&m, 0, m.many), "%s", m.why);
	EXPECT(opencl_backend.submit(&o->be, m.chunk[0]), "not taken");
	o->next_poll += clock_ticks_of(3600 * NSEC_PER_SEC);
	do {
		c = opencl_backend.poll(&o->be);
	} while (!c && clock_ns() < until);
	EXPECT(c == m.chunk[0], "it does not come back");
	measure_close(&m);
}

/* The clock is set back by an hour, as it may be while a machine is suspended. */
static void set_back(void)
{
	struct backend *be;
	struct opencl *o;
	struct rig rig;

	configure(&ways[PACKED]);
	if (!probe() || !EXPECT(rig_open(&rig, 16, 300), "no memory"))
		return;
	rig_fill(&rig, alg_kind(WAVECRYPT_ALG_GCM, WAVECRYPT_OP_ENCRYPT, 16), 300);
	be = opencl_backend.open(gpu, loopback_channel(rig.lb));
	if (EXPECT(be, "not opened")) {
		o = (struct opencl *)be;
		asked_for(o, &rig);
		o->next_keys = clock_ticks() + clock_ticks_of(3600 * NSEC_PER_SEC);
		opencl_backend.keys_changed(be);
		EXPECT(!be->keys_pending, "keys are not looked after");
		EXPECT(opencl_backend.close(be), "it hung");
	}
	rig_close(&rig, false);
}

/*
 * A worker is in the driver for longer than a chunk may take. The other one cannot ask
 * for its own, and does not take them for lost.
 */
static void slow_driver(void)
{
	struct tally t;

	configure(&ways[SHARED]);
	probe();
	faults_install();
	begin_with(2);
	config.gpu.timeout_ms = 1000;
	faults_delay(faults_find("EnqueueNDRangeKernel"), 1500);
	t = play_packets(&play, 2000, 300);
	EXPECT(t.good == 2000, "%u good, %u given back", t.good, t.retries);
	for (uint32_t i = 0; i < 2; i++)
		EXPECT(worker_end(play.worker[i]) == WORKER_RUNNING, "worker %u: ended with %d",
		       i, worker_end(play.worker[i]));
	play_end(&play);
	faults_remove();
}

/* It hangs with the packets themselves: nobody may have them back. */
static void hangs(void)
{
	uint8_t *slots;

	configure(&ways[SHARED]);
	probe();
	config.gpu.timeout_ms = 10;
	faults_install();
	begin();
	play_packets(&play, 300, 300);
	faults_hang(FAULTS_ALL);
	play_in_vain(&play);
	slots = loopback_channel(play.producer.lb)->map[WAVECRYPT_REGION_SLOTS];
	play_end(&play);
	EXPECT(!msync(slots, 4096, MS_ASYNC), "unmapped, where it may write");
	faults_remove();
}

/* It hangs with a worker's packets, once it works. Return: when, in ns */
static uint64_t hangs_once(void)
{
	begin_with(1);
	play_packets(&play, 300, 300);
	faults_hang(FAULTS_ALL);
	config.gpu.timeout_ms = 500;
	play_in_vain(&play);
	config.gpu.timeout_ms = 60000;
	play_end(&play);
	faults_hang(FAULTS_NONE);
	return clock_ns();
}

/*
 * It hangs whenever it is used. Each time that costs memory, so it is used less and less,
 * and in the end not at all; packets are done nevertheless.
 */
static void hangs_always(void)
{
	uint64_t least = 0, since = 0;
	struct device_status st;
	struct tally t;

	configure(&ways[SHARED]);
	config.gpu.retry_ms = 20;
	probe();
	faults_install();
	for (int i = 0; i < GPU_HANGS_MOST; i++) {
		uint64_t now = hangs_once();

		EXPECT(now - since > least * NSEC_PER_MSEC, "hang %d: after %llu ms", i,
		       (unsigned long long)((now - since) / NSEC_PER_MSEC));
		least = i ? 8 * least : config.gpu.retry_ms;
		since = now;
	}
	faults_reset();
	begin();
	usleep(2000 * config.gpu.retry_ms);
	t = play_packets(&play, 300, 300);
	EXPECT(t.good == 300, "%u good, %u given back", t.good, t.retries);
	EXPECT(!play_device_packets(&play), "it is used");
	play_end(&play);
	EXPECT(!faults_count(faults_find("GetPlatformIDs")), "it is tried");
	opencl_backend.status(gpu, &st);
	EXPECT(st.state == DEVICE_LOST && strstr(st.why, "has to be restarted"),
	       "state %d, \"%s\"", st.state, st.why);
	faults_remove();
}

/* Its driver does not return: not to a thread that tries, nor to one that opens it. */
static void blocks(const char *function, uint64_t most_ns)
{
	uint64_t since, until;
	struct tally t;

	faults_block(faults_find(function));
	since = clock_ns();
	until = since + PLAY_PATIENCE_NS;
	begin();
	/* Whoever tries it may not have had a CPU yet. */
	while (!faults_blocked() && clock_ns() < until)
		usleep(1000);
	t = play_packets(&play, 300, 300);
	EXPECT(t.good == 300, "%u good without it", t.good);
	loopback_set_state(play.producer.lb, WAVECRYPT_STATE_BROKEN);
	play_end(&play);
	EXPECT(clock_ns() - since < most_ns, "%s held it up for %llu ms", function,
	       (unsigned long long)((clock_ns() - since) / NSEC_PER_MSEC));
	EXPECT(faults_blocked() == 1, "%u in it", faults_blocked());
}

/*
 * It sits in its driver: who is done with the channel does not wait for it, nor does the
 * next one, which has it as soon as the driver returns.
 */
static void does_not_return(void)
{
	static const char *const functions[] = { "CreateContext", "CreateCommandQueue" };

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		configure(&ways[PACKED]);
		probe();
		if (!i)
			gpu_forget(gpu);
		faults_install();
		blocks(functions[i], FAULTS_BLOCK_MS * NSEC_PER_MSEC / 2);
		begin();
		EXPECT(play_packets(&play, 300, 300).good == 300, "not attached anew");
		faults_block(FAULTS_NONE);
		EXPECT(play_await_device(&play), "it is not back");
		play_end(&play);
		EXPECT(errands_join(PLAY_PATIENCE_NS), "%s: it is still tried",
		       functions[i]);
		faults_remove();
	}
}

/*
 * Another device beside the first, as a daemon has it that was told of both. How long a
 * chunk may take is its own.
 */
static struct device *second_device(void)
{
	static struct gpu_settings settings;
	struct device *second;
	const char *why;

	settings = config.gpu;
	second = opencl_backend.device(&settings, "1");
	why = opencl_backend.probe(second);
	EXPECT(!why, "%s", why);
	choice.device[choice.nr++] = second;
	return second;
}

static void drop_second(void)
{
	struct device *second = choice.device[--choice.nr];

	device_release(second);
}

static bool there(const struct device *dev)
{
	return opencl_backend.there(dev);
}

/* Packets until a worker's device has done so many more, however busy the machine */
static void until_done(uint32_t worker, uint64_t nr)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	uint64_t end = play_device_packets_of(&play, worker) + nr;
	struct tally t = { .good = 100 };

	while (t.good == 100 && play_device_packets_of(&play, worker) < end &&
	       clock_ns() < until)
		t = play_packets(&play, 100, 300);
	EXPECT(t.good == 100, "%u good, %u given back", t.good, t.retries);
	EXPECT(play_device_packets_of(&play, worker) >= end, "device %u does not go on",
	       worker);
}

/* Packets until one of the devices is lost. Return: which */
static uint32_t until_lost(const struct device *second)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct tally t = { .good = 100 };

	while (t.good == 100 && there(gpu) && there(second) && clock_ns() < until)
		t = play_packets(&play, 100, 300);
	EXPECT(t.good == 100, "%u good, %u given back", t.good, t.retries);
	EXPECT(there(gpu) != there(second), "%s is there",
	       there(gpu) ? "each" : "none");
	return there(gpu);
}

/* The other one goes on, and it does not. */
static void goes_on(uint32_t lost)
{
	uint64_t before = play_device_packets_of(&play, lost);

	until_done(!lost, 300);
	EXPECT(play_device_packets_of(&play, lost) == before, "the lost one works");
}

/* Two devices, a worker for each; one is lost, which is its share and nothing else. */
static void one_of_two(void)
{
	struct device *second;

	configure(&ways[PACKED]);
	/* It does not come back by itself. */
	config.gpu.retry_ms = 3600000;
	probe();
	second = second_device();
	faults_install();
	begin_with(2);
	for (uint32_t i = 0; i < 2; i++)
		until_done(i, 300);
	EXPECT(there(gpu) && there(second), "not both are there");
	faults_abort();
	goes_on(until_lost(second));
	play_end(&play);
	faults_remove();
	drop_second();
}

/* Likewise, one hangs; it comes back beside the other when it does no longer. */
static void one_of_two_hangs(void)
{
	struct device *second;

	configure(&ways[PACKED]);
	probe();
	second = second_device();
	faults_install();
	begin_with(2);
	config.gpu.timeout_ms = 50;
	faults_hang(0);
	EXPECT(!until_lost(second), "the other one is lost");
	goes_on(0);
	faults_hang(FAULTS_NONE);
	config.gpu.timeout_ms = 60000;
	EXPECT(play_await_device(&play), "it is not back");
	EXPECT(there(gpu) && there(second), "not both are there");
	play_end(&play);
	faults_remove();
	drop_second();
}

/* Each worker has one of its own, of which one is lost. */
static void both_again(void)
{
	configure(&ways[PACKED]);
	probe();
	second_device();
	lost_and_back(600);
	drop_second();
}

/*
 * Packets are made known to a device that is opened, or comes back, while lanes and
 * another device work on them, and new ones come: what was written is there.
 */
static void mapped_beside(uint32_t workers)
{
	struct tally t;

	faults_install();
	faults_map_stale(20);
	begin_with(workers);
	for (int i = 0; i < 5; i++) {
		faults_abort();
		t = play_packets(&play, 300, 300);
		EXPECT(t.good == 300, "%u good, %u given back", t.good, t.retries);
		EXPECT(play_await_device(&play), "it is not back");
	}
	EXPECT(faults_count(faults_find("CreateContext")), "none was opened");
	play_end(&play);
	faults_remove();
}

/* What PoCL does not know, as NVIDIA's driver says it */
static cl_int is_nvidias(cl_device_id id, cl_device_info what, size_t size,
			 void *to, size_t *needed)
{
	if (what != CL_DEVICE_VENDOR_ID)
		return asked(id, what, size, to, needed);
	*(cl_uint *)to = 0x10de;
	return CL_SUCCESS;
}

/* There the memory that the module shares is pinned. */
static void mapped(void)
{
	configure(&ways[PACKED]);
	opencl_api_load();
	asked = cl.GetDeviceInfo;
	cl.GetDeviceInfo = is_nvidias;
	probe();
	mapped_beside(1);
	probe();
	second_device();
	mapped_beside(2);
	drop_second();
	cl.GetDeviceInfo = asked;
}

static typeof(clCreateBuffer) *create_buffer;
static typeof(clEnqueueMapBuffer) *map_buffer;
static unsigned int arenas, mappings;
static bool too_large;

/* Whether or not that is possible, it cannot be mapped. */
static cl_mem no_arena(cl_context context, cl_mem_flags flags, size_t size, void *host,
		       cl_int *err)
{
	if (flags & CL_MEM_USE_HOST_PTR) {
		__atomic_add_fetch(&arenas, 1, __ATOMIC_RELAXED);
		*err = CL_INVALID_BUFFER_SIZE;
		if (too_large)
			return NULL;
	}
	return create_buffer(context, flags, size, host, err);
}

static void *no_mapping(cl_command_queue queue, cl_mem mem, cl_bool blocks,
			cl_map_flags flags, size_t at, size_t size, cl_uint nr,
			const cl_event *events, cl_event *event, cl_int *err)
{
	if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION))
		return map_buffer(queue, mem, blocks, flags, at, size, nr, events, event,
				  err);
	__atomic_add_fetch(&mappings, 1, __ATOMIC_RELAXED);
	*err = CL_OUT_OF_RESOURCES;
	return NULL;
}

static void copied_unpinned(bool large, bool nvidias)
{
	too_large = large;
	arenas = 0;
	mappings = 0;
	cl.GetDeviceInfo = nvidias ? is_nvidias : asked;
	end_to_end(&ways[RUNS], 1);
	EXPECT(!arenas == !nvidias && !mappings == (large || !nvidias),
	       "%u buffers of the host's memory, %u mappings", arenas, mappings);
}

/* Packets cannot be pinned, or gain nothing by it: they are copied all the same. */
static void unpinned(void)
{
	opencl_api_load();
	asked = cl.GetDeviceInfo;
	create_buffer = cl.CreateBuffer;
	map_buffer = cl.EnqueueMapBuffer;
	cl.CreateBuffer = no_arena;
	cl.EnqueueMapBuffer = no_mapping;
	copied_unpinned(true, true);
	copied_unpinned(false, true);
	copied_unpinned(false, false);
	cl.GetDeviceInfo = asked;
	cl.CreateBuffer = create_buffer;
	cl.EnqueueMapBuffer = map_buffer;
}

static typeof(clEnqueueReadBuffer) *read_buffer;
static cl_ulong largest;

/* It shares memory by buffers alone, which are so large at most. */
static cl_int has_buffers(cl_device_id id, cl_device_info what, size_t size,
			  void *to, size_t *needed)
{
	cl_int err = asked(id, what, size, to, needed);

	if (!err && what == CL_DEVICE_SVM_CAPABILITIES)
		*(cl_device_svm_capabilities *)to = 0;
	if (!err && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE)
		*(cl_ulong *)to = largest;
	return err;
}

static cl_int read_slowly(cl_command_queue queue, cl_mem mem, cl_bool blocks, size_t at,
			  size_t size, void *to, cl_uint nr, const cl_event *events,
			  cl_event *event)
{
	usleep(5000);
	return read_buffer(queue, mem, blocks, at, size, to, nr, events, event);
}

/* Sharing them is better, and there are more than can be shared: they are copied. */
static void too_large_to_share(void)
{
	struct device_status st;
	struct tally t;

	configure(&ways[PACKED]);
	config.gpu.opencl_memory = OPENCL_AUTO;
	opencl_api_load();
	asked = cl.GetDeviceInfo;
	read_buffer = cl.EnqueueReadBuffer;
	cl.GetDeviceInfo = has_buffers;
	cl.EnqueueReadBuffer = read_slowly;
	largest = 4 << 20;
	probe();
	cl.EnqueueReadBuffer = read_buffer;
	EXPECT(strstr(opencl_backend.describe(gpu), "way: shared"), "%s",
	       opencl_backend.describe(gpu));
	begin_with(2);
	t = play_packets(&play, 600, 300);
	EXPECT(t.good == 600, "%u good, %u given back", t.good, t.retries);
	EXPECT(strstr(opencl_backend.describe(gpu), "way: copy"), "%s",
	       opencl_backend.describe(gpu));
	opencl_backend.status(gpu, &st);
	EXPECT(st.users == 2 && !st.why[0], "%u have it: %s", st.users, st.why);
	play_end(&play);
	cl.GetDeviceInfo = asked;
}

static cl_int knows_bus(cl_device_id id, cl_device_info what, size_t size,
			void *to, size_t *needed)
{
	static const cl_uint says[] = { 0x3b, 2 << 3 | 1, 1 };
	unsigned int i = what - 0x4008;

	if (i >= ARRAY_SIZE(says))
		return asked(id, what, size, to, needed);
	memcpy(to, &says[i], sizeof(says[i]));
	return CL_SUCCESS;
}

/* It may be about to be opened, or closed. */
static struct device_status status_now(void)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct device_status st;

	do {
		opencl_backend.status(gpu, &st);
	} while (st.state == DEVICE_CHANGING && clock_ns() < until);
	return st;
}

static bool is_waited_for(void)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;

	while (clock_ns() < until)
		if (__atomic_load_n(&gpu->retry_at,
				    __ATOMIC_RELAXED) > clock_ns())
			return true;
	return false;
}

static void status_in_use(void)
{
	struct device_status st;

	config.gpu.retry_ms = 10 * PLAY_PATIENCE_NS / NSEC_PER_MSEC;
	faults_install();
	begin_with(1);
	st = status_now();
	EXPECT(st.state == DEVICE_IN_USE && st.users == 1,
	       "in use: state %d, %u workers", st.state, st.users);
	EXPECT(play_stats(&play).device_chunks ==
	       play_stats(&play).device_returned, "chunks in flight");
	faults_abort();
	play_packets(&play, 300, 300);
	st = status_now();
	/* Or a key that was to be copied before it */
	EXPECT(st.state == DEVICE_LOST &&
	       (strstr(st.why, "a chunk failed: CL_") ||
		strstr(st.why, "copying a key: CL_")),
	       "lost: state %d, \"%s\"", st.state, st.why);
	EXPECT(!strcmp(st.where, "0001:3b:02.1"), "where: \"%s\"", st.where);
	EXPECT(is_waited_for(), "not to be tried again");
	play_end(&play);
	faults_remove();
}

static void status_refused(void)
{
	struct device *none = opencl_backend.device(&config.gpu, "no such");
	struct device_status st;

	EXPECT(opencl_backend.probe(none), "there");
	opencl_backend.status(none, &st);
	EXPECT(st.state == DEVICE_REFUSED && strstr(st.why, "no such"),
	       "refused: state %d, \"%s\"", st.state, st.why);
	device_release(none);
}

/* It works, and a worker cannot have it. */
static void status_not_had(void)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	struct device_status st;

	config.gpu.retry_ms = 10 * PLAY_PATIENCE_NS / NSEC_PER_MSEC;
	faults_install();
	faults_fail(faults_find("CreateCommandQueue"), 0);
	begin();
	do {
		usleep(1000);
		st = status_now();
	} while (!st.why[0] && clock_ns() < until);
	EXPECT(st.state == DEVICE_READY && strstr(st.why, "CL_OUT_OF_RESOURCES"),
	       "not had: state %d, \"%s\"", st.state, st.why);
	play_end(&play);
	faults_remove();
	probe();
	st = status_now();
	EXPECT(!st.why[0], "had: \"%s\"", st.why);
}

/* What was said of a device is so while somebody reads it, whatever is said since. */
static void described(void)
{
	const char *before;

	configure(&ways[PACKED]);
	probe();
	before = opencl_backend.describe(gpu);
	EXPECT(strstr(before, "way: copy"), "%s", before);
	configure(&ways[SHARED]);
	probe();
	EXPECT(strstr(before, "way: copy"), "before: %s", before);
	EXPECT(strstr(opencl_backend.describe(gpu), "way: shared"), "%s",
	       opencl_backend.describe(gpu));
}

static void status(void)
{
	struct device_status st;

	configure(&ways[PACKED]);
	status_refused();
	asked = cl.GetDeviceInfo;
	cl.GetDeviceInfo = knows_bus;
	probe();
	cl.GetDeviceInfo = asked;
	st = status_now();
	EXPECT(st.state == DEVICE_READY && !st.why[0] && !st.users,
	       "ready: state %d, \"%s\"", st.state, st.why);
	status_not_had();
	cl.GetDeviceInfo = knows_bus;
	probe();
	cl.GetDeviceInfo = asked;
	status_in_use();
}

static const struct ktap_case cases[] = {
	{ "copied in runs: each algorithm, direction, key size, many lengths",
	  copy_runs },
	{ "copied packed, and how many commands that saves", copy_packed },
	{ "nothing of packets is left on the device", wiped },
	{ "nor an event of a key's that is gone", events_released },
	{ "nor a key on the host, once it was copied", copied_key_goes },
	{ "nor one that went while it was copied", removed_key_goes },
	{ "nor one that went right after another", removed_soon_goes },
	{ "shared memory: the same", shared },
	{ "persistent kernel: the same", persistent },
	{ "several workers: the same", several_workers },
	{ "more workers than there is room for persistent kernels: the same",
	  more_than_persist },
	{ "keys are replaced", rekeyed },
	{ "lanes and device together", balanced },
	{ "small chunks: the same", small_chunks },
	{ "kernels that are wrong are not used", wrong_kernels },
	{ "what only the persistent kernel wants costs no other way anything", languages },
	{ "one of two ways fails: the other is used", falls_back },
	{ "compiled kernels are kept, where nobody else can put any", cache },
	{ "any call fails while it is being opened", failures_at_start },
	{ "any call fails at work, copied in runs: all are answered",
	  failures_runs },
	{ "any call fails at work, copied packed: all packets are done",
	  failures_packed },
	{ "any call fails at work, in shared memory: all are answered",
	  failures_shared },
	{ "any call fails at work, of a persistent kernel: all are answered",
	  failures_persistent },
	{ "there is no call that has not failed", all_tried },
	{ "status says what the device is, where, and what is wrong with it",
	  status },
	{ "what is said of a device is not written over", described },
	{ "a device that comes later is used", comes_later },
	{ "a device that failed comes back, to all workers", comes_back },
	{ "so it does while one of them has nothing to do", idle_lets_go },
	{ "a chunk that failed and is given back has failed", given_back },
	{ "any of a chunk's commands fails, and not the last: it has failed",
	  commands_fail },
	{ "a chunk fails, and the driver does not return: packets are done",
	  fails_and_blocks },
	{ "a fault costs the process its driver: that is said, and nothing has hung",
	  driver_dies },
	{ "one of two devices is lost: the other goes on", one_of_two },
	{ "it comes back beside the other", both_again },
	{ "packets are as they were written while a device is opened", mapped },
	{ "packets that cannot be pinned are copied all the same", unpinned },
	{ "so are those that are more than can be shared", too_large_to_share },
	{ "one of two devices hangs: the other goes on, and it comes back",
	  one_of_two_hangs },
	{ "a driver does not return: nobody waits for it", does_not_return },
	{ "a chunk is not late for time in which nobody looked", stood_still },
	{ "the clock is set back: chunks come back, and keys are looked after", set_back },
	{ "a driver is slow for one worker: the other's chunks are not lost", slow_driver },
	{ "a device hangs with copies: all packets are done",
	  hangs_harmlessly },
	{ "a persistent kernel does not end: the channel is given up",
	  does_not_end },
	{ "nor when it is closed: it is given up", never_ends },
	{ "a device hangs with packets: the channel is given up", hangs },
	{ "it hangs again and again: less and less often, and then it is given up",
	  hangs_always },
	{ 0 },
};

int main(void)
{
	const char *why = cpu_backend.probe(&cpu_device);

	log_setup("test_opencl", getenv("VERBOSE") ? LOG_DEBUG : LOG_CRIT);
	clock_setup();
	setenv("POCL_DEVICES", "pthread pthread", 0);
	gpu = opencl_backend.device(&config.gpu, "0");
	choice.device[choice.nr++] = gpu;
	if (why) {
		EXPECT(false, "%s", why);
		return 1;
	}
	return ktap_run(cases);
}
