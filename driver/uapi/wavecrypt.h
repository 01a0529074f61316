/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * wavecrypt: the interface between wavecrypt.ko and its helper.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * A helper opens /dev/wavecrypt, attaches, and maps the channel that it is
 * given: four regions, made of pages that the module owns.
 *
 *   SUBMIT    the header, and per queue a submission ring and descriptors;
 *             the module writes, the helper may only read
 *   COMPLETE  per queue a completion ring; the helper writes
 *   KEYS      the key table; the module writes, the helper may only read
 *   SLOTS     the packets; both write, each in its turn
 *
 * There is one queue per CPU. A request is named by (queue, index, generation)
 * from its submission to its completion; the index selects its descriptor and
 * its slot, which belong to the helper for exactly that time.
 *
 * What the module believes. Nothing. Whatever the helper can write is read
 * once and checked against what the module keeps privately: a completion
 * counts only for an index that is in flight under that very generation, and
 * @wavecrypt_cq.tail may run ahead of what was reaped by at most as many as there
 * are requests that the helper has not completed yet. Anything else breaks the
 * channel (&wavecrypt_header.state becomes %WAVECRYPT_STATE_BROKEN, one message
 * names the lie) and the module does the outstanding work itself. So do sixteen
 * authentic packets in a row on one queue whose ICVs the helper gets wrong, one less for
 * each in between that is forged: of fewer, it may be that who owns a packet's memory has
 * written to it meanwhile.
 *
 * Byte order and word size are the machine's own; the only 32-bit-only helper
 * would be one built for another ABI, and attach refuses it.
 */
#ifndef _UAPI_WAVECRYPT_H
#define _UAPI_WAVECRYPT_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * WAVECRYPT_ABI_VERSION - version of everything in this file
 *
 * Attach fails with -EPROTO unless both sides were built with the same one,
 * and reports the module's in &wavecrypt_attach.abi, whatever else of that
 * structure has changed. What can be added without breaking an older helper is a
 * feature bit instead, or an algorithm's in &wavecrypt_attach.algs.
 */
#define WAVECRYPT_ABI_VERSION	2

#define WAVECRYPT_DEVICE	"/dev/wavecrypt"

/** WAVECRYPT_LINE - what two CPUs must not share, in bytes */
#define WAVECRYPT_LINE		64

/** WAVECRYPT_MAX_ENTRIES - most requests in flight on one queue */
#define WAVECRYPT_MAX_ENTRIES	4096

/** WAVECRYPT_HEADROOM - bytes before the payload that hold the AAD's end */
#define WAVECRYPT_HEADROOM	64

/** WAVECRYPT_MAX_LEN - most bytes of payload that a request can have */
#define WAVECRYPT_MAX_LEN	10112

/** WAVECRYPT_TAILROOM - bytes after the payload that hold the ICV */
#define WAVECRYPT_TAILROOM	64

/** WAVECRYPT_ALG_WORDS - of 64 bits, in a set of algorithms */
#define WAVECRYPT_ALG_WORDS	4

/**
 * enum wavecrypt_alg - what a key, and so a request, is for
 * @WAVECRYPT_ALG_NONE: no algorithm; a free key
 * @WAVECRYPT_ALG_CBC_SHA1: authenc(hmac(sha1),cbc(aes)): AES-CBC (RFC 3602)
 *	over the payload, HMAC-SHA-1 (RFC 2404) over AAD and ciphertext.
 *	The payload is a multiple of 16 bytes. The full ICV is 20 bytes.
 * @WAVECRYPT_ALG_GCM: rfc4106(gcm(aes)): AES-GCM as ESP uses it (RFC 4106).
 *	The full ICV is 16 bytes.
 * @WAVECRYPT_ALG_CBC_SHA256: AES-CBC, and HMAC-SHA-256 (RFC 4868). The full ICV
 *	is 32 bytes.
 * @WAVECRYPT_ALG_CBC_SHA384: the same with HMAC-SHA-384: 48 bytes
 * @WAVECRYPT_ALG_CBC_SHA512: the same with HMAC-SHA-512: 64 bytes
 * @WAVECRYPT_ALG_CTR_SHA1: authenc(hmac(sha1),rfc3686(ctr(aes))): AES-CTR (RFC
 *	3686) over the payload, HMAC as with CBC
 * @WAVECRYPT_ALG_CTR_SHA256: the same with HMAC-SHA-256
 * @WAVECRYPT_ALG_CTR_SHA384: the same with HMAC-SHA-384
 * @WAVECRYPT_ALG_CTR_SHA512: the same with HMAC-SHA-512
 * @WAVECRYPT_ALG_NULL_SHA1: authenc(hmac(sha1),ecb(cipher_null)): HMAC alone (RFC
 *	2410). The payload stays what it is.
 * @WAVECRYPT_ALG_NULL_SHA256: the same with HMAC-SHA-256
 * @WAVECRYPT_ALG_NULL_SHA384: the same with HMAC-SHA-384
 * @WAVECRYPT_ALG_NULL_SHA512: the same with HMAC-SHA-512
 * @WAVECRYPT_ALG_CBC: authenc(digest_null,cbc(aes)): AES-CBC alone, with no ICV
 * @WAVECRYPT_ALG_CHACHA20_POLY1305: rfc7539esp(chacha20,poly1305): as ESP uses it
 *	(RFC 7634). The full ICV is 16 bytes.
 *
 * Extended sequence numbers make no other algorithm: see &wavecrypt_desc.seq_hi.
 *
 * New ones are added at the end. Neither side offers or uses one that the other
 * does not know: see &wavecrypt_attach.algs.
 */
enum wavecrypt_alg {
	WAVECRYPT_ALG_NONE		= 0,
	WAVECRYPT_ALG_CBC_SHA1		= 1,
	WAVECRYPT_ALG_GCM		= 2,
	WAVECRYPT_ALG_CBC_SHA256	= 3,
	WAVECRYPT_ALG_CBC_SHA384	= 4,
	WAVECRYPT_ALG_CBC_SHA512	= 5,
	WAVECRYPT_ALG_CTR_SHA1		= 6,
	WAVECRYPT_ALG_CTR_SHA256	= 7,
	WAVECRYPT_ALG_CTR_SHA384	= 8,
	WAVECRYPT_ALG_CTR_SHA512	= 9,
	WAVECRYPT_ALG_NULL_SHA1		= 10,
	WAVECRYPT_ALG_NULL_SHA256	= 11,
	WAVECRYPT_ALG_NULL_SHA384	= 12,
	WAVECRYPT_ALG_NULL_SHA512	= 13,
	WAVECRYPT_ALG_CBC		= 14,
	WAVECRYPT_ALG_CHACHA20_POLY1305	= 15,
	WAVECRYPT_ALGS,
};

/** enum wavecrypt_op - direction of a request */
enum wavecrypt_op {
	WAVECRYPT_OP_ENCRYPT	= 0,
	WAVECRYPT_OP_DECRYPT	= 1,
	WAVECRYPT_OPS,
};

/**
 * struct wavecrypt_key - one SA's key, prepared once by the module
 * @gen: the key's generation, never 0 while it is live. A descriptor names a
 *	key by index and generation; where the two differ, the key is gone and
 *	the request is answered with %WAVECRYPT_STATUS_RETRY.
 * @alg: &enum wavecrypt_alg
 * @key_len: the cipher's key length in bytes. AES: 16, 24 or 32; ChaCha20: 32;
 *	0 if there is no cipher
 * @reserved: zero
 * @enc: the cipher's part. AES: round keys in the order that encryption uses
 *	them, the @key_len / 4 + 7 of them 16 bytes each (FIPS-197, 5.2).
 *	ChaCha20: the key itself.
 * @dec: round keys of the equivalent inverse cipher (FIPS-197, 5.3.5) in the
 *	order that decryption uses them, as AESDEC wants them. CBC only.
 * @hash_key: GHASH key H = AES(key, 0), in GCM's own byte order. GCM only.
 * @inner: the authenticator's part, HMAC: state of the hash after the key's inner
 *	block, in the hash's own words (of 32 bits, SHA-384 and SHA-512: of 64),
 *	first word first. SHA-384's state is eight words, too.
 * @outer: the same after the outer block
 *
 * Written by the module alone. A helper that derives more from a key (powers
 * of H, sliced round keys) wipes that when the key has been removed: see
 * &wavecrypt_header.key_epoch.
 */
struct wavecrypt_key {
	__u32 gen;
	__u16 alg;
	__u16 key_len;
	__u8  reserved[8];
	__u8  enc[240];
	__u8  dec[240];
	__u8  hash_key[16];
	__u8  inner[64] __attribute__((aligned(8)));
	__u8  outer[64] __attribute__((aligned(8)));
};

/**
 * struct wavecrypt_desc - what to do with one slot
 * @gen: the request's generation, to be returned in its completion
 * @data: offset of the payload's first byte in the SLOTS region. 64-byte
 *	aligned; the AAD ends right before it, so AAD and payload are one run.
 *	Each index has its own, filled in at attach for all of them, ascending,
 *	and the same ever after; the next index's, less %WAVECRYPT_HEADROOM, is
 *	where its slot ends. So a helper can know beforehand what lies together.
 * @len: bytes of payload, without ICV: plaintext to encrypt or ciphertext to
 *	decrypt, in place. At least 1, at most the slot's capacity.
 * @key: index into the KEYS region
 * @key_gen: generation of that key
 * @aad_len: bytes of authenticated AAD, at most %WAVECRYPT_HEADROOM
 * @alg: &enum wavecrypt_alg, as in the key
 * @op: &enum wavecrypt_op
 * @key_len: the cipher's key length in bytes, as in the key, so that a helper
 *	can bin the request without touching the key
 * @reserved: zero
 * @auth_len: bytes that are authenticated: @aad_len + @len, and 4 more if
 *	@seq_hi comes behind them; 0 if nothing is
 * @reserved2: zero
 * @seq_hi: the high half of an extended sequence number (RFC 4303, 2.2.1) as it
 *	is authenticated, big-endian, if @auth_len has room for it. A helper that
 *	hashes in place writes it behind the payload, where the ICV comes later.
 * @iv: CBC: the IV. CTR, GCM: the first counter block, that is the nonce that
 *	came with the key, the 8-byte explicit IV, and a big-endian 1. ChaCha20:
 *	the same but for a 0.
 *
 * Written by the module before the index is submitted, constant until the
 * completion was reaped. The helper transforms the payload in place and writes
 * the full, untruncated ICV right behind its last byte, in both directions:
 * the module compares.
 */
struct wavecrypt_desc {
	__u32 gen;
	__u32 data;
	__u32 len;
	__u32 key;
	__u32 key_gen;
	__u16 aad_len;
	__u8  alg;
	__u8  op;
	__u8  key_len;
	__u8  reserved[3];
	__u32 auth_len;
	__u8  reserved2[12];
	__u32 seq_hi;
	__u8  iv[16];
};

/**
 * struct wavecrypt_sq - the head of one queue's part of the SUBMIT region
 * @tail: count of indices submitted since attach, modulo 2^32. Store-release
 *	by the module after index and descriptor, load-acquire by the helper.
 * @cpu: number of the CPU that this queue belongs to
 * @looks: changes when that CPU is going to take completions by itself, as soon as its
 *	softirqs may run, which a bell would hardly hasten
 * @reaped: count of completions that the module has taken, modulo 2^32. A
 *	helper that sees it stand still behind its own @wavecrypt_cq.tail rings
 *	the bell; one that sees it follow need not. Changed when what was there, or
 *	as much as may be at a time, has been taken; then the module looks at
 *	@wavecrypt_cq.tail once more.
 * @looked: is made the same as @looks when it has done that. While they differ a helper
 *	need not ring, but has to look again: there is no barrier.
 * @pad0: to the end of the line
 * @pad1: to the end of the line
 *
 * Followed by __u32 ring[entries], index i of which is found at
 * ring[i & (entries - 1)], and, at the next line, by
 * struct wavecrypt_desc desc[entries], selected by what the ring holds.
 * There are never more requests in flight than positions, so none is reused
 * before a helper that reads in sequence has read what it found there, and the
 * helper need not tell how far it has read.
 */
struct wavecrypt_sq {
	__u32 tail;
	__u32 cpu;
	__u32 looks;
	__u8  pad0[WAVECRYPT_LINE - 12];
	__u32 reaped;
	__u32 looked;
	__u8  pad1[WAVECRYPT_LINE - 8];
};

/**
 * enum wavecrypt_status - how a request ended
 * @WAVECRYPT_STATUS_OK: payload transformed, full ICV behind it
 * @WAVECRYPT_STATUS_RETRY: the helper could not (stale key, backend lost):
 *	the module does it itself. What the slot holds does not matter.
 */
enum wavecrypt_status {
	WAVECRYPT_STATUS_OK	= 0,
	WAVECRYPT_STATUS_RETRY	= 1,
};

/**
 * struct wavecrypt_cqe - one completion, written by the helper
 * @gen: the descriptor's @gen
 * @index: the request's index in its queue
 * @status: &enum wavecrypt_status
 */
struct wavecrypt_cqe {
	__u32 gen;
	__u16 index;
	__u16 status;
};

/**
 * struct wavecrypt_cq - the head of one queue's part of the COMPLETE region
 * @tail: count of completions since attach, modulo 2^32. Store-release by the
 *	helper after the entries, slots included; load-acquire by the module.
 * @pass_on: not 0: the helper is what everybody waits for, and has a processor that can
 *	pass lines of its cache on (CLDEMOTE). The module does that with what it puts
 *	into slots; a hint, and no harm where it is wrong. Written with @tail.
 * @wanted: up to which submission, counted as &wavecrypt_sq.tail is, the helper has a use
 *	for more at present: those beyond would only wait. With mode=auto and
 *	prefer=throughput the module does them itself, about; a hint, and no harm where it
 *	is wrong. A queue's entries more than @tail, or beyond that: all there is. Written
 *	when the helper takes submissions. Who does not say leaves it 0, which means nothing
 *	as soon as there are completions.
 * @pad: to the end of the line
 *
 * Followed by struct wavecrypt_cqe ring[entries]. The order of completions is
 * free. There are never more requests in flight than entries, so an honest
 * helper always finds room.
 */
struct wavecrypt_cq {
	__u32 tail;
	__u32 pass_on;
	__u32 wanted;
	__u8  pad[WAVECRYPT_LINE - 12];
};

/**
 * enum wavecrypt_state - what became of the channel
 * @WAVECRYPT_STATE_LIVE: requests may arrive
 * @WAVECRYPT_STATE_STALLED: on at least one queue a request was not completed
 *	within the deadline; what was pending there was done in the kernel. That
 *	queue gets no new requests until the helper has completed (uselessly) the
 *	old ones, and a pause since the stall began is over as well: 10 ms, twice as
 *	long with each stall that follows soon, up to 1.3 s. The others go on.
 * @WAVECRYPT_STATE_BROKEN: the helper broke a rule. Detach and attach anew.
 * @WAVECRYPT_STATE_DETACHED: another helper took over, or this one has detached
 */
enum wavecrypt_state {
	WAVECRYPT_STATE_LIVE	 = 1,
	WAVECRYPT_STATE_STALLED	 = 2,
	WAVECRYPT_STATE_BROKEN	 = 3,
	WAVECRYPT_STATE_DETACHED = 4,
};

/**
 * struct wavecrypt_header - the first line of the SUBMIT region
 * @magic: %WAVECRYPT_MAGIC
 * @abi: %WAVECRYPT_ABI_VERSION
 * @state: &enum wavecrypt_state. Changes while mapped.
 * @key_epoch: count of keys that were removed or replaced since attach, modulo
 *	2^32. Removal i is in &wavecrypt_attach.removed_first's ring, at i modulo
 *	its length; a helper that is behind by that length or more has to look at
 *	every key that it knows, of which there are no more.
 * @pad: to the end of the line
 */
struct wavecrypt_header {
	__u32 magic;
	__u32 abi;
	__u32 state;
	__u32 key_epoch;
	__u8  pad[WAVECRYPT_LINE - 16];
};

#define WAVECRYPT_MAGIC		0x31435657	/* "WVC1" */

/** enum wavecrypt_region_id - the regions of a channel */
enum wavecrypt_region_id {
	WAVECRYPT_REGION_SUBMIT,
	WAVECRYPT_REGION_COMPLETE,
	WAVECRYPT_REGION_KEYS,
	WAVECRYPT_REGION_SLOTS,
	WAVECRYPT_REGIONS,
};

/**
 * struct wavecrypt_region - where to map a region
 * @offset: offset for mmap(), in bytes, page-aligned
 * @size: length for mmap(), in bytes, whole pages. A shorter mapping is
 *	allowed, a longer one is refused with -EINVAL.
 *
 * SUBMIT and KEYS can be mapped PROT_READ only, and none PROT_EXEC; anything else
 * fails with -EACCES, as does a later mprotect(). All need MAP_SHARED (-EINVAL).
 * A file that nothing is attached to has no regions (-ENOTCONN), and those of a
 * channel that has ended can no longer be mapped (-ESHUTDOWN).
 */
struct wavecrypt_region {
	__u64 offset;
	__u64 size;
};

/* &wavecrypt_attach.flags */

/** WAVECRYPT_ATTACH_REPLACE - take over from the helper attached now, if any */
#define WAVECRYPT_ATTACH_REPLACE	(1u << 0)

/**
 * struct wavecrypt_attach - argument of %WAVECRYPT_IOC_ATTACH
 * @abi: in: %WAVECRYPT_ABI_VERSION. Out: the module's, even where that is another.
 * @flags: in: WAVECRYPT_ATTACH_*; an unknown one fails with -EINVAL
 * @features: in: feature bits that the helper understands. Out: those of them
 *	that the module will use. None are defined in this version.
 * @entries: in: wished size of each queue's rings, a power of two from 16 to
 *	%WAVECRYPT_MAX_ENTRIES, or 0 for the module's setting. Out: what it is.
 * @queues: out: number of queues
 * @keys: out: size of the key table, in keys
 * @removed: out: length of the ring of removed keys, a power of two, not less
 *	than @keys
 * @sq_first: out: offset of queue 0 in SUBMIT, in bytes
 * @sq_stride: out: distance from one queue to the next in SUBMIT
 * @desc_first: out: offset of desc[0] from its queue's &struct wavecrypt_sq
 * @cq_stride: out: distance from one queue to the next in COMPLETE
 * @slot_stride: out: distance from one queue's slots to the next's in SLOTS
 * @removed_first: out: offset of the ring of removed keys in KEYS: __u32
 *	indices, the last @removed of them. The module writes one before it counts
 *	it in &wavecrypt_header.key_epoch (store-release).
 * @algs: in: the algorithms that the helper can do, bit i for number i of &enum
 *	wavecrypt_alg. Out: those of them that the module may send it. It does
 *	the others itself, which is no error.
 * @reserved: zero, or -EINVAL
 * @region: out: the regions, by &enum wavecrypt_region_id
 */
struct wavecrypt_attach {
	__u32 abi;
	__u32 flags;
	__u64 features;
	__u32 entries;
	__u32 queues;
	__u32 keys;
	__u32 removed;
	__u64 sq_first;
	__u64 sq_stride;
	__u64 desc_first;
	__u64 cq_stride;
	__u64 slot_stride;
	__u64 removed_first;
	__u64 algs[WAVECRYPT_ALG_WORDS];
	__u64 reserved[4];
	struct wavecrypt_region region[WAVECRYPT_REGIONS];
};

/**
 * struct wavecrypt_seen - how far a helper has read one queue
 * @queue: the queue
 * @tail: the @wavecrypt_sq.tail up to which it has consumed
 */
struct wavecrypt_seen {
	__u32 queue;
	__u32 tail;
};

/**
 * struct wavecrypt_wait - argument of %WAVECRYPT_IOC_WAIT
 * @seen: address of an array of &struct wavecrypt_seen, one for each queue
 *	that the caller serves
 * @nr: its length, at most the number of queues
 * @key_epoch: the @wavecrypt_header.key_epoch that the caller knows
 * @timeout_ns: longest sleep, in nanoseconds; 0 looks, and does not sleep
 */
struct wavecrypt_wait {
	__u64 seen;
	__u32 nr;
	__u32 key_epoch;
	__u64 timeout_ns;
};

/**
 * WAVECRYPT_IOC_ATTACH - become the helper
 *
 * -EPROTO: another ABI version; whatever its structure's size, it begins with
 * @wavecrypt_attach.abi. (A module of version 1 answers -ENOTCONN to a helper of
 * a later one.) -EPERM: the kernel is locked down for confidentiality, and shows
 * nobody the keys of SAs, unless this file has been attached before. -EBUSY: there is
 * a helper already, and no %WAVECRYPT_ATTACH_REPLACE; or this file is attached, be it
 * to a channel that has ended: detach first. -EINVAL: a field out of its limits; for
 * @entries the kernel's log says which they are. -EINTR: killed. -ENOMEM. In all of
 * these cases a helper that there is goes on.
 */
#define WAVECRYPT_IOC_ATTACH	_IOWR('w', 1, struct wavecrypt_attach)

/**
 * WAVECRYPT_IOC_DETACH - stop being it
 *
 * What is in flight is done by the module. Closing the file, with nothing of it
 * mapped any more, exiting and being killed do the same. Also for a channel that has
 * ended: afterwards the file can attach anew. What is mapped stays, and is no part of
 * a later channel.
 * -ENOTCONN: not attached.
 */
#define WAVECRYPT_IOC_DETACH	_IO('w', 2)

/**
 * WAVECRYPT_IOC_BELL - have the module look at one queue's completions
 *
 * The argument is the queue's number itself. Where all have been taken nothing
 * happens, and no CPU is disturbed. -EINVAL: no such queue.
 * -ENOTCONN: not attached. -ESHUTDOWN: the channel is broken or detached.
 */
#define WAVECRYPT_IOC_BELL	_IO('w', 3)

/**
 * WAVECRYPT_IOC_WAIT - sleep until there is something to do
 *
 * Returns 0 as soon as a named queue's tail or the key epoch differs from what
 * the caller has seen, which may be at once; now and then, without reason.
 * -ETIME: it did not within the time. -EINTR: a signal. -ESHUTDOWN: the
 * channel is broken or detached. -ENOTCONN, -EINVAL, -EFAULT. One caller at a
 * time may sleep on a queue; a second gets -EBUSY. Who names no queue sleeps until
 * the time is over, or a signal comes.
 */
#define WAVECRYPT_IOC_WAIT	_IOW('w', 4, struct wavecrypt_wait)

_Static_assert(WAVECRYPT_ALGS <= 64 * WAVECRYPT_ALG_WORDS, "wavecrypt_alg");
_Static_assert(sizeof(struct wavecrypt_key) == 640, "wavecrypt_key");
_Static_assert(sizeof(struct wavecrypt_desc) == WAVECRYPT_LINE, "wavecrypt_desc");
_Static_assert(sizeof(struct wavecrypt_sq) == 2 * WAVECRYPT_LINE, "wavecrypt_sq");
_Static_assert(sizeof(struct wavecrypt_cqe) == 8, "wavecrypt_cqe");
_Static_assert(sizeof(struct wavecrypt_cq) == WAVECRYPT_LINE, "wavecrypt_cq");
_Static_assert(sizeof(struct wavecrypt_header) == WAVECRYPT_LINE, "wavecrypt_header");
_Static_assert(sizeof(struct wavecrypt_attach) == 208, "wavecrypt_attach");
_Static_assert(sizeof(struct wavecrypt_wait) == 24, "wavecrypt_wait");
_Static_assert(__builtin_offsetof(struct wavecrypt_key, enc) == 16, "wavecrypt_key.enc");
_Static_assert(__builtin_offsetof(struct wavecrypt_key, inner) == 512, "wavecrypt_key.inner");
_Static_assert(__builtin_offsetof(struct wavecrypt_key, outer) == 576, "wavecrypt_key.outer");
_Static_assert(__builtin_offsetof(struct wavecrypt_desc, auth_len) == 28, "desc.auth_len");
_Static_assert(__builtin_offsetof(struct wavecrypt_desc, seq_hi) == 44, "wavecrypt_desc.seq_hi");
_Static_assert(__builtin_offsetof(struct wavecrypt_desc, iv) == 48, "wavecrypt_desc.iv");

#endif /* _UAPI_WAVECRYPT_H */
