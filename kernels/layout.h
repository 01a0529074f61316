/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What host and GPU hand each other: keys, packets, groups, the ring of the
 * persistent kernel. Read by a C compiler and by OpenCL compilers.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_KERNELS_LAYOUT_H
#define WAVECRYPT_KERNELS_LAYOUT_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
typedef uchar __u8;
typedef ushort __u16;
typedef uint __u32;
#else
#include <linux/types.h>
#endif

/**
 * WAVECRYPT_GPU_LAYOUT - which layout this is: another number whenever anything
 * that host and GPU hand each other changes, for code objects are files
 */
#define WAVECRYPT_GPU_LAYOUT	2

/* How a payload is encrypted */
#define WAVECRYPT_GPU_PLAIN	0
#define WAVECRYPT_GPU_CBC	1
#define WAVECRYPT_GPU_CTR	2
#define WAVECRYPT_GPU_GCM	3
#define WAVECRYPT_GPU_CHACHA20	4
#define WAVECRYPT_GPU_CIPHERS	5

/* How it is authenticated: not at all, by HMAC, or as its cipher has it */
#define WAVECRYPT_GPU_NO_AUTH	0
#define WAVECRYPT_GPU_SHA1	1
#define WAVECRYPT_GPU_SHA256	2
#define WAVECRYPT_GPU_SHA384	3
#define WAVECRYPT_GPU_SHA512	4
#define WAVECRYPT_GPU_GHASH	5
#define WAVECRYPT_GPU_POLY1305	6

/* As in driver/uapi/wavecrypt.h, which OpenCL compilers cannot read */
#define WAVECRYPT_GPU_ENCRYPT	0
#define WAVECRYPT_GPU_DECRYPT	1

/** WAVECRYPT_GPU_ROUND_KEYS - round keys of the longest AES key */
#define WAVECRYPT_GPU_ROUND_KEYS	15

/** WAVECRYPT_GPU_MAX_LEN - longest payload in bytes */
#define WAVECRYPT_GPU_MAX_LEN		10112

/** WAVECRYPT_GPU_MAX_AAD - longest AAD in bytes */
#define WAVECRYPT_GPU_MAX_AAD		64

/*
 * The shapes of work-groups, narrow and wide: work-items; packets where teams of these
 * share the work; packets that are hashed at a time; and, of chains of CBC that are
 * encrypted, how many pairs. Groups are as large as the host knows them to be: of
 * another size, they are of another layout.
 */
#define WAVECRYPT_GPU_NARROW_LANES	64
#define WAVECRYPT_GPU_NARROW_TEAMS	32
#define WAVECRYPT_GPU_NARROW_HASHED	60
#define WAVECRYPT_GPU_NARROW_PAIRS	60
#define WAVECRYPT_GPU_WIDE_LANES	160
#define WAVECRYPT_GPU_WIDE_TEAMS	32

/**
 * struct wavecrypt_gpu_key - one SA's key as the GPU wants it
 * @sliced: round keys for fixsliced AES, in either direction: see key.c. The
 *	last one is always at the last place, whatever the key's length.
 * @plain: round keys in FIPS-197's order, likewise the last one last. For
 *	AES by lane shuffles. ChaCha20: the key, from the first one on.
 * @hash: HMAC: the states after its inner and outer key block, from words 0 and
 *	16 on, of 64-bit words the upper half first. GCM: H, H^2, H^3, H^4 as
 *	big-endian numbers, most significant word first.
 *
 * Secret. 16-byte aligned.
 */
struct wavecrypt_gpu_key {
	__u32 sliced[WAVECRYPT_GPU_ROUND_KEYS][4];
	__u32 plain[WAVECRYPT_GPU_ROUND_KEYS][4];
	__u32 hash[32];
};

/**
 * struct wavecrypt_gpu_packet - what to do with one packet
 * @data: offset of the payload in the data buffer, in bytes, a multiple of 16.
 *	The AAD ends right before it. The GPU reads whole 16-byte units of
 *	AAD and payload, and writes nothing but payload and, right behind that,
 *	the whole ICV.
 * @key: index into the key table
 * @seq_hi: as in struct wavecrypt_desc, if @seq_hi_len says so
 * @len: bytes of payload, at most %WAVECRYPT_GPU_MAX_LEN. CBC: a multiple of 16.
 * @aad_len: bytes of AAD, at most %WAVECRYPT_GPU_MAX_AAD
 * @seq_hi_len: HMAC: bytes of @seq_hi that it authenticates behind the payload:
 *	4 or 0
 * @iv: as in struct wavecrypt_desc
 *
 * In shared memory the data buffer is the arena itself. For a GPU with memory of
 * its own it is a staging buffer and can be packed.
 */
struct wavecrypt_gpu_packet {
	__u32 data;
	__u32 key;
	__u32 seq_hi;
	__u16 len;
	__u8  aad_len;
	__u8  seq_hi_len;
	__u32 iv[4];
};

/**
 * struct wavecrypt_gpu_group - what one work-group does: packets of one bin
 * @first: its first packet, an index into the packets
 * @count: number of packets, from 1 to what the shape allows for @cipher and @op
 * @longest: @len of the longest of them
 * @cipher: how they are encrypted
 * @auth: how they are authenticated
 * @op: WAVECRYPT_GPU_ENCRYPT or _DECRYPT
 * @rounds: of AES: 10, 12 or 14
 * @done: written by the persistent kernel alone, see struct wavecrypt_gpu_ring
 *
 * Packets of one group take as long as the longest of them: hence bins by
 * length. They may belong to different SAs.
 */
struct wavecrypt_gpu_group {
	__u32 first;
	__u16 count;
	__u16 longest;
	__u8  cipher;
	__u8  auth;
	__u8  op;
	__u8  rounds;
	__u32 done;
};

/**
 * struct wavecrypt_gpu_ring - between the host and the persistent kernel
 * @tail: groups submitted since the start, modulo 2^32. Store-release by the
 *	host, after groups, packets, payload and keys.
 * @stop: nonzero: leave when everything up to @tail is done. Store-release.
 * @mask: number of places in the array of groups, a power of two, less one
 * @pad0: to the end of the line
 * @taken: groups that work-groups have claimed. The GPU's own, zero at start.
 * @pad1: to the end of the line
 *
 * Group i is at groups[i & @mask]. When it is done, with results in memory, its
 * @done becomes i + 1 by a store-release. Which the host sees by a load-acquire,
 * and until which it leaves the place as it is.
 */
struct wavecrypt_gpu_ring {
	__u32 tail;
	__u32 stop;
	__u32 mask;
	__u8  pad0[116];
	__u32 taken;
	__u8  pad1[124];
};

#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__)
_Static_assert(sizeof(struct wavecrypt_gpu_key) == 608, "wavecrypt_gpu_key");
_Static_assert(sizeof(struct wavecrypt_gpu_packet) == 32, "wavecrypt_gpu_packet");
_Static_assert(sizeof(struct wavecrypt_gpu_group) == 16, "wavecrypt_gpu_group");
_Static_assert(sizeof(struct wavecrypt_gpu_ring) == 256, "wavecrypt_gpu_ring");
#endif

#endif /* WAVECRYPT_KERNELS_LAYOUT_H */
