/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wavecrypt_test: random requests through the module and through the kernel's
 * generic implementation, and whether there is any difference
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WAVECRYPT_TEST_H
#define _WAVECRYPT_TEST_H

#include <crypto/aead.h>
#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#define TEST_MAX_KEY	256
#define TEST_MAX_IV	16
#define TEST_MAX_SEGS	16

/* Randomness that a seed repeats (splitmix64) */
struct test_rand {
	u64 state;
};

void test_rand_seed(struct test_rand *rand, u64 seed, u64 stream, u64 number);
u64 test_rand_next(struct test_rand *rand);
u32 test_below(struct test_rand *rand, u32 limit);
u32 test_between(struct test_rand *rand, u32 least, u32 most);
bool test_once_in(struct test_rand *rand, u32 times);
void test_rand_bytes(struct test_rand *rand, void *to, size_t len);

/**
 * struct test_alg - what is tested against what
 * @name: what the crypto API calls it
 * @generic: the driver that is the reference
 * @ivsize: bytes of IV
 * @block: lengths that are not multiples of it are refused
 * @authsizes: good lengths of the ICV, 0 at the end
 * @aad: usual lengths of the AAD, 0 at the end
 * @esn: the form of extended sequence numbers
 * @cipher: length of a cipher's key, good or bad
 * @key: make a key, well-formed or nearly so; returns its length
 */
struct test_alg {
	const char *name;
	const char *generic;
	unsigned int ivsize;
	unsigned int block;
	u8 authsizes[8];
	u8 aad[8];
	bool esn;
	unsigned int (*cipher)(struct test_rand *rand, bool good);
	unsigned int (*key)(const struct test_alg *alg, struct test_rand *rand,
			    u8 *key, bool good);
};

#define TEST_ALGS	27

u32 test_algs_find(void);
const struct test_alg *test_alg_of(u32 number);

/**
 * enum test_kind - who submits to an SA, and so what its order is
 * @TEST_TASK: one task, in process context, where it may even sleep
 * @TEST_SOFTIRQ: one CPU, with softirqs disabled, and callbacks there
 * @TEST_SHARED: every worker, under a lock
 */
enum test_kind {
	TEST_TASK,
	TEST_SOFTIRQ,
	TEST_SHARED,
	TEST_KINDS,
};

/* Requests that have to keep their order: one SA's that one CPU submitted */
struct test_turn {
	u32 entered;
	u32 left;
};

/**
 * struct test_sa - a transform, and the reference with the same key
 * @alg: the algorithm
 * @kind: who submits
 * @tfm: under test
 * @ref: the generic one
 * @authsize: bytes of ICV
 * @key_len: bytes of key, for people
 * @submit: held while submitting to a %TEST_SHARED one
 * @lock: for what follows
 * @expected: requests that it will be given
 * @completed: requests that came back
 * @turn: by CPU, how many of those that keep an order it was given, and how many
 *	came back
 * @doomed: @tfm goes with its last request
 */
struct test_sa {
	const struct test_alg *alg;
	enum test_kind kind;
	struct crypto_aead *tfm;
	struct crypto_aead *ref;
	unsigned int authsize;
	unsigned int key_len;
	spinlock_t submit;	/* order of submissions */
	spinlock_t lock;	/* the counts below */
	u32 expected;
	u32 completed;
	struct test_turn *turn;
	bool doomed;
};

int test_sa_init(struct test_sa *sa, const struct test_alg *alg,
		 enum test_kind kind, struct test_rand *rand);
int test_sa_change(struct test_sa *sa, struct test_rand *rand);
int test_sa_rekey(struct test_sa *sa, struct test_rand *rand);
void test_sa_doom(struct test_sa *sa);
void test_sa_expect(struct test_sa *sa);
u32 test_sa_enter(struct test_sa *sa, unsigned int cpu);
u32 test_sa_pending(struct test_sa *sa, unsigned int cpu);
bool test_sa_leave(struct test_sa *sa, unsigned int cpu, bool ordered, u32 number);
void test_sa_exit(struct test_sa *sa);

/**
 * struct test_mem - memory in pieces, anywhere, with guards around each
 * @len: bytes in all
 * @nr: how many pieces
 * @piece: the pieces: @len bytes at @mem + @off, more behind them at @tail
 * @sg: scatterlists that describe them; the first may go over into the second
 */
struct test_mem {
	unsigned int len;
	unsigned int nr;
	struct {
		u8 *mem;
		unsigned int off;
		unsigned int len;
		unsigned int tail;
	} piece[TEST_MAX_SEGS];
	struct scatterlist sg[2][2 * TEST_MAX_SEGS + 1];
};

int test_mem_make(struct test_mem *mem, unsigned int len, struct test_rand *rand);
void test_mem_list(struct test_mem *list, const struct test_mem *mem,
		   struct test_rand *rand);
void test_mem_free(struct test_mem *mem);
void test_mem_write(struct test_mem *mem, const u8 *from);
void test_mem_fill(struct test_mem *mem, u8 byte);
bool test_mem_guarded(const struct test_mem *mem, unsigned int *piece);
int test_mem_differs(const struct test_mem *mem, const u8 *from,
		     unsigned int begin, unsigned int end, u8 *found);

/* Where a request's result goes */
enum test_place {
	TEST_IN_PLACE,
	TEST_TWO_LISTS,
	TEST_ELSEWHERE,
	TEST_PLACES,
};

/* What was done to a good packet */
enum test_harm {
	TEST_UNHARMED,
	TEST_BAD_ICV,
	TEST_BAD_TEXT,
	TEST_BAD_AAD,
	TEST_BAD_IV,
	TEST_CUT,
	TEST_NOTHING_LEFT,
	TEST_HARMS,
};

/**
 * struct test_case - a request, what is to come of it, and what did
 * @worker: who draws and checks it
 * @number: of the case, from which all of it follows
 * @sa: its SA
 * @decrypt: direction
 * @place: where the result goes
 * @harm: what was done to it
 * @authsize: of the SA, then
 * @assoclen: bytes of AAD
 * @cryptlen: as in the request
 * @flags: as in the request
 * @no_simd: the vector registers are somebody else's when it is submitted
 * @iv: the IV, at the end of @iv_mem
 * @iv_mem: memory it is in
 * @src: what goes in
 * @dst: where it comes out, if not in place
 * @in: what @src holds
 * @want: what the destination is to hold
 * @want_err: what the request is to return
 * @req: the request, freed by its callback
 * @cpu: where it was submitted, or 0 if that does not matter
 * @seq: its number in the order of its SA there
 * @state: &enum test_state
 * @err: what it returned
 * @wrong: what is wrong with it, as far as its callback saw, or NULL
 * @chain: submitted by this one's callback
 * @node: in the list of those that are done, or are still to be submitted
 */
struct test_case {
	struct test_worker *worker;
	u32 number;
	struct test_sa *sa;
	bool decrypt;
	enum test_place place;
	enum test_harm harm;
	unsigned int authsize;
	unsigned int assoclen;
	unsigned int cryptlen;
	u32 flags;
	bool no_simd;
	u8 *iv;
	u8 *iv_mem;
	struct test_mem src;
	struct test_mem dst;
	u8 *in;
	u8 *want;
	int want_err;
	struct aead_request *req;
	unsigned int cpu;
	u32 seq;
	atomic_t state;
	int err;
	const char *wrong;
	struct test_case *chain;
	struct llist_node node;
};

enum test_state {
	TEST_IDLE,
	TEST_PREPARED,
	TEST_SUBMITTED,
	TEST_DONE,
};

int test_case_draw(struct test_case *c, struct test_rand *rand);
void test_case_request(struct test_case *c, struct aead_request *req,
		       crypto_completion_t done);
bool test_case_ordered(const struct test_case *c);
const char *test_case_changed(const struct test_case *c,
			      crypto_completion_t done);
bool test_case_check(const struct test_case *c);
void test_case_drop(struct test_case *c);

/**
 * struct test_setup - what is asked for
 * @seed: repeats a run
 * @requests: how many, in all
 * @workers: how many for each CPU
 * @depth: most requests of a worker in flight
 * @algs: no more algorithms than these, the first
 * @bind: workers stay on their CPU
 * @moves: they do not, and what their own SAs have to do is in order nevertheless
 * @strict: order, and keys that are set while SAs are busy
 * @driver: what the tested driver's name has in it
 * @patience: seconds without a completion after which one is lost
 * @pending: no more of a CPU's requests to an SA may be pending; 0: any number
 * @worker: only this one's case
 * @number: of this number; both -1 for all
 */
struct test_setup {
	u64 seed;
	u32 requests;
	u32 workers;
	u32 depth;
	u32 algs;
	bool bind;
	bool moves;
	bool strict;
	char *driver;
	u32 patience;
	u32 pending;
	int worker;
	int number;
};

/**
 * struct test_tally - what happened, for the summary
 * @algs: algorithms that there are to be tested
 * @requests: requests that were checked
 * @waited: of those, how many did not complete in the call that submitted them
 * @chained: submitted from a callback
 * @forged: that ended with -EBADMSG, as they were to
 * @refused: that ended with another error, as they were to
 * @keys: keys and ICV lengths set
 * @bad_keys: of those, how many were refused
 * @rekeyed: keys set while requests were in flight
 * @transforms: freed while requests of theirs were on their way, or right after
 * @no_memory: that ended with -ENOMEM
 * @skipped: not done for want of memory
 * @deepest: most requests in flight
 * @most_pending: of those, most of a CPU's to an SA
 * @failures: whatever should not have been
 */
struct test_tally {
	u32 algs;
	atomic_t requests;
	atomic_t waited;
	atomic_t chained;
	atomic_t forged;
	atomic_t refused;
	atomic_t keys;
	atomic_t bad_keys;
	atomic_t rekeyed;
	atomic_t transforms;
	atomic_t no_memory;
	atomic_t skipped;
	atomic_t in_flight;
	atomic_t deepest;
	atomic_t most_pending;
	atomic_t failures;
};

extern struct test_tally test_tally;
extern struct test_setup test_setup;

u32 test_worker_id(const struct test_worker *worker);

/* A failure is told in full once, the first; the others are counted. */
bool test_fail(void);
void test_describe(const struct test_case *c);

/* True once somebody wants the run to end */
bool test_stopped(void);

int test_run(void);

#endif /* _WAVECRYPT_TEST_H */
