/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wavecrypt_bench: what AEAD drivers cost, asked as ESP asks them
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WAVECRYPT_BENCH_H
#define _WAVECRYPT_BENCH_H

#include <crypto/aead.h>
#include <linux/hrtimer.h>
#include <linux/mm_types.h>
#include <linux/scatterlist.h>
#include <linux/types.h>

#define BENCH_DRIVERS		2
#define BENCH_MAX_TFMS		65536
#define BENCH_MAX_CPUS		1024
#define BENCH_MAX_DEPTH		32768
#define BENCH_MAX_LEN		16384
/* what a network driver takes in before it lets other softirqs run */
#define BENCH_NAPI_BUDGET	64
/* enough that no buffer is still in the nearest cache when its turn comes */
#define BENCH_MIN_PACKETS	512u

/**
 * enum bench_what - what is measured
 * @BENCH_AEAD: drivers, at the crypto API
 * @BENCH_STALL: one driver there, while somebody disturbs what it depends on
 * @BENCH_GATEWAY: tunnels, through which packets are forwarded
 * @BENCH_HOST: tunnels, into which a host's own packets go
 */
enum bench_what {
	BENCH_AEAD,
	BENCH_STALL,
	BENCH_GATEWAY,
	BENCH_HOST,
};

/**
 * struct bench_shape - how ESP uses an algorithm
 * @name: what a specification calls it
 * @cra_name: what the crypto API calls it
 * @enc_aad: bytes of AAD when encrypting
 * @dec_aad: and when decrypting
 * @seq_hi: bytes of it that are half an extended sequence number, and not sent
 * @iv_block: bytes of IV that are encrypted in front of the payload
 * @ivsize: bytes of IV
 * @icv: bytes of ICV
 * @align: payloads are multiples of this
 * @auth_key: bytes of HMAC's key, 0 if there is no HMAC
 * @no_cipher: there is no cipher, either
 * @salt: bytes of the nonce that come behind the cipher's key
 * @long_key: the cipher's key is this long, whatever was asked for, if not 0
 */
struct bench_shape {
	const char *name;
	const char *cra_name;
	unsigned int enc_aad;
	unsigned int dec_aad;
	unsigned int seq_hi;
	unsigned int iv_block;
	unsigned int ivsize;
	unsigned int icv;
	unsigned int align;
	unsigned int auth_key;
	bool no_cipher;
	unsigned int salt;
	unsigned int long_key;
};

/**
 * struct bench_spec - one measurement, as it was asked for
 * @what: what is measured
 * @driver: names of the drivers to compare. The first one's results are what
 *	the other's are held against. Where one is disturbed, it is the second, and
 *	the first serves another flow. Of gateways: addresses behind the tunnels.
 * @shape: what they implement
 * @decrypt: direction
 * @len: bytes of payload in a packet; 0: Internet mix
 * @other_len: and in every second one, another flow's; 0: there is no other flow
 * @key_len: bytes of AES key
 * @depth: most requests in flight
 * @burst: most requests submitted before softirqs may run
 * @tfms: SAs that the packets are spread over; of each CPU, unless they share
 * @cpus: CPUs that submit; 0: the one that the specification is written on
 * @base_cpus: and when the first driver is measured; 0: as many
 * @first: the first of them
 * @share: CPUs share all SAs; 0: each has its own
 * @backlog: requests may wait in a backlog, as a disk's may; 0: as ESP's, they may not
 * @samples: samples to take of each driver, in turn
 * @settle_us: how long each driver runs before the first sample
 * @warm_us: how long a driver runs before its sample begins
 * @slice_us: how long a sample takes
 * @interval_ns: time between two arrivals; 0: as fast as it goes
 * @gap_us: a sample during which nothing happened for longer was disturbed
 */
struct bench_spec {
	enum bench_what what;
	const char *driver[BENCH_DRIVERS];
	const struct bench_shape *shape;
	bool decrypt;
	unsigned int len;
	unsigned int other_len;
	unsigned int key_len;
	unsigned int depth;
	unsigned int burst;
	unsigned int tfms;
	unsigned int cpus;
	unsigned int base_cpus;
	unsigned int first;
	unsigned int share;
	unsigned int backlog;
	unsigned int samples;
	unsigned int settle_us;
	unsigned int warm_us;
	unsigned int slice_us;
	unsigned int interval_ns;
	unsigned int gap_us;
};

int bench_spec_parse(struct bench_spec *spec, char *text);

/**
 * struct bench_lane - one SA: a tfm, and the order of its requests
 * @tfm: the transform
 * @submitted: requests it was given
 * @completed: requests that it gave back
 */
struct bench_lane {
	struct crypto_aead *tfm;
	u32 submitted;
	u32 completed;
};

/**
 * struct bench_driver - a driver under test
 * @lane: its SAs; those of all drivers have the same keys
 * @lanes: how many of them there are
 */
struct bench_driver {
	struct bench_lane *lane;
	unsigned int lanes;
};

int bench_driver_open(struct bench_driver *driver, const char *name,
		      const struct bench_spec *spec, unsigned int lanes);
int bench_driver_view(struct bench_driver *view, const struct bench_driver *driver,
		      unsigned int first, unsigned int lanes);
void bench_driver_unview(struct bench_driver *view);
void bench_driver_close(struct bench_driver *driver);
const char *bench_driver_name(const struct bench_driver *driver);

/**
 * struct bench_packet - a packet, and the request that carries it
 * @flow: what it is part of at the moment
 * @lane: the SA it was submitted to
 * @seq: its number among the requests of that SA
 * @other: it belongs to another flow
 * @busy: submitted, and not completed
 * @expect: the result that is right
 * @arrival: when it was due, in cycles
 * @len: bytes of payload
 * @iv: the IV, which a driver may overwrite
 * @sg: describes @data
 * @kept: describes @cipher
 * @data: AAD, payload, ICV
 * @cipher: what @data is after encryption
 * @req: the request
 */
struct bench_packet {
	struct bench_aead_flow *flow;
	struct bench_lane *lane;
	u32 seq;
	bool other;
	bool busy;
	int expect;
	u64 arrival;
	unsigned int len;
	u8 iv[16];
	struct scatterlist sg;
	struct scatterlist kept;
	u8 *data;
	u8 *cipher;
	struct aead_request *req;
};

/**
 * struct bench_packets - the packets that a measurement sends round
 * @packet: the packets
 * @nr: how many of them there are
 * @shape: how ESP shapes them
 */
struct bench_packets {
	struct bench_packet *packet;
	unsigned int nr;
	const struct bench_shape *shape;
};

unsigned int bench_len(const struct bench_spec *spec, unsigned int i);
int bench_packets_make(struct bench_packets *packets, const struct bench_spec *spec,
		       unsigned int reqsize);
void bench_packets_free(struct bench_packets *packets);
void bench_packets_plain(struct bench_packets *packets);
void bench_packets_cipher(struct bench_packets *packets);
void bench_packets_keep_cipher(struct bench_packets *packets);
int bench_packets_check(const struct bench_packets *packets, bool decrypted);
void bench_packets_spoil(struct bench_packets *packets, bool spoilt);
size_t bench_packets_footprint(const struct bench_packets *packets);
unsigned int bench_packet_size(const struct bench_packets *packets,
			       const struct bench_packet *packet);

/**
 * struct bench_flow - things on their way through what is measured, and their cost
 * @ready: whether the next one can be submitted, as far as it is concerned
 * @send: submit it; it was due at @arrival
 * @depth: most of them in flight
 * @burst: most of them submitted before softirqs may run
 * @interval: cycles between two arrivals; 0: as fast as it goes
 * @submitted: how many were submitted
 * @completed: how many of them came back; bench_flow_completed() counts
 * @submit: cycles spent submitting, synchronous work included
 * @complete: cycles spent in steps in which completions came in
 * @wall: cycles in all
 * @gap: longest time, in cycles, in which nothing was done that could have been
 * @over: no more are wanted
 */
struct bench_flow {
	bool (*ready)(struct bench_flow *flow);
	void (*send)(struct bench_flow *flow, u64 arrival);
	unsigned int depth;
	unsigned int burst;
	u64 interval;

	u32 submitted;
	u32 completed;
	u64 submit;
	u64 complete;
	u64 wall;
	u64 gap;
	bool over;
};

void bench_flow_init(struct bench_flow *flow, const struct bench_spec *spec);
int bench_flow_run(struct bench_flow *flow, u32 nr, u64 cycles);

static inline void bench_flow_completed(struct bench_flow *flow)
{
	WRITE_ONCE(flow->completed, flow->completed + 1);
}

/**
 * struct bench_latency - how long each packet of a slice took
 * @took: in cycles, from when it was due; or NULL
 * @nr: how many were noted
 */
struct bench_latency {
	u64 *took;
	u32 nr;
};

int bench_latency_make(struct bench_latency *latency);
void bench_latency_free(struct bench_latency *latency);
void bench_latency_begin(struct bench_latency *latency);
void bench_latency_note(struct bench_latency *latency, u64 arrival);

/**
 * struct bench_aead_flow - requests on their way through a driver
 * @flow: the flow
 * @packets: what is sent
 * @driver: to whom
 * @other: to whom another flow's are sent, while somebody looks on
 * @decrypt: direction
 * @apart: decrypt what was kept, to where the packet lies
 * @flags: of the requests
 * @cpu: the CPU all this happens on
 * @later: requests that the driver did not complete at once
 * @errors: requests whose result was not the one expected
 * @misordered: completions out of their tfm's order
 * @misplaced: completions on another CPU, or with softirqs enabled
 * @latency: where to note how long each request took, or NULL
 * @watch: who looks on, or NULL
 */
struct bench_aead_flow {
	struct bench_flow flow;
	struct bench_packets *packets;
	struct bench_driver *driver;
	struct bench_driver *other;
	bool decrypt;
	bool apart;
	u32 flags;
	int cpu;

	u64 later;
	u32 errors;
	u32 misordered;
	u32 misplaced;

	struct bench_latency *latency;
	struct bench_watch *watch;
};

/* where what a measurement found is written: lines of JSON */
struct bench_output {
	char *text;
	size_t size;
	size_t used;
};

__printf(2, 3) void bench_print(struct bench_output *out, const char *fmt, ...);
void bench_print_time(struct bench_output *out, const char *name, u64 cycles);
void bench_latency_print(struct bench_latency *latency, struct bench_output *out);

/* eight to each power of two */
#define BENCH_BUCKETS		(8 * 64)

/**
 * struct bench_watch - what a flow lives through between two disturbances
 * @out: where to print a line for each such time
 * @mark: number of the disturbance that it begins with
 * @begin: when that was, in cycles
 * @last: when a request completed last
 * @standstill: longest time in which none did
 * @most: longest that a request took, from when it was due
 * @other_most: the same of another flow's
 * @other_due: when one of those is
 * @requests: how many completed
 * @pending: most of them at a time
 * @bucket: how many took how long
 * @bystander: somebody else's timer on the same CPU, in softirq
 * @late_ns: most that it was late
 */
struct bench_watch {
	struct bench_output *out;
	unsigned int mark;
	u64 begin;
	u64 last;
	u64 standstill;
	u64 most;
	u64 other_most;
	u64 other_due;
	u32 requests;
	u32 pending;
	u32 bucket[BENCH_BUCKETS];
	struct hrtimer bystander;
	s64 late_ns;
};

void bench_held_init(void);
void bench_held_exit(void);
s64 bench_held_most(void);

void bench_watch_begin(struct bench_watch *watch, struct bench_output *out);
void bench_watch_submitted(struct bench_watch *watch, u32 pending);
bool bench_watch_over(void);
void bench_watch_completed(struct bench_watch *watch, u64 arrival);
bool bench_watch_other_due(struct bench_watch *watch, u64 *arrival);
void bench_watch_other_completed(struct bench_watch *watch, u64 arrival);
void bench_watch_end(struct bench_watch *watch);

/**
 * struct bench_subject - two things to compare
 * @spec: doing what
 * @flow: the flow of the slice that began last
 * @prepare: see that one side does its work, before it is measured
 * @begin: begin a slice of one side
 * @run: let it run for so many cycles
 * @judge: see whether all was as it has to be; -EBADE if not
 * @name: what a side is called
 * @print: print what else there is to say of a slice; may be NULL
 */
struct bench_subject {
	const struct bench_spec *spec;
	struct bench_flow *flow;
	int (*prepare)(struct bench_subject *subject, unsigned int side);
	void (*begin)(struct bench_subject *subject, unsigned int side);
	int (*run)(struct bench_subject *subject, u64 cycles);
	int (*judge)(struct bench_subject *subject);
	const char *(*name)(struct bench_subject *subject, unsigned int side);
	void (*print)(struct bench_subject *subject, struct bench_output *out);
};

int bench_compare(struct bench_subject *subject, struct bench_output *out);

unsigned int bench_scale_cpus(const struct bench_spec *spec, unsigned int side);
unsigned int bench_scale_most(const struct bench_spec *spec);
int bench_scale(const struct bench_spec *spec, struct bench_subject **subjects,
		struct bench_output *out);

int bench_aead(const struct bench_spec *spec, struct bench_output *out);
int bench_gateway(const struct bench_spec *spec, struct bench_output *out);
int bench_gateway_init(void);
void bench_gateway_exit(void);

int bench_interrupt(struct bench_output *out);

int bench_pingpong(struct bench_output *out);
int bench_pingpong_mmap(struct vm_area_struct *vma);
int bench_pingpong_init(void);
void bench_pingpong_exit(void);

/* The time stamp counter: a clock for steps of tens of nanoseconds. */
static inline u64 bench_cycles(void)
{
	u32 low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return low | (u64)high << 32;
}

u64 bench_cycles_to_ns(u64 cycles);
u64 bench_ns_to_cycles(u64 ns);

#endif
