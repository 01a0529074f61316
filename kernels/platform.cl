/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What compilers and devices do differently, and how a work-group is cut out.
 *
 * Two shapes of work-group. WAVECRYPT_WIDE is for GPUs with thousands of lanes
 * to spare, where the length of the CBC chain is what one waits for: four lanes
 * encrypt one packet's chain together, exchanging words by shuffles, and other
 * lanes hash what they have done. It wants warps of 32 lanes. The narrow shape
 * wants nothing but OpenCL C 1.2 and wastes no lane: each carries two packets'
 * chains, and packets are hashed before or afterwards, for what a cipher and a
 * hash keep in registers is too much for both at once. How many lanes and packets
 * either has is in layout.h.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#ifdef WAVECRYPT_WIDE
#define LANES		WAVECRYPT_GPU_WIDE_LANES	/* of a work-group */
#define TEAM		4	/* of these work on one packet where they can */
#define TEAMS		WAVECRYPT_GPU_WIDE_TEAMS	/* packets, where teams share the work */
#define HASHED		TEAMS	/* packets that are hashed at a time, by a lane each */
#define HASH_FIRST	128	/* first hash lane, where others encrypt */
#else
#define LANES		WAVECRYPT_GPU_NARROW_LANES
#define TEAM		2
#define TEAMS		WAVECRYPT_GPU_NARROW_TEAMS
#define HASHED		WAVECRYPT_GPU_NARROW_HASHED
#define PAIRS		WAVECRYPT_GPU_NARROW_PAIRS	/* whose chains one lane each carries */
#endif

/* Quads of words, 16 bytes: a team moves and ciphers two for each lane in one go. */
#define TILE		(2 * TEAM)

/* Quads of a packet that hashing moves in one go: as many as SHA-512's block has */
#define HASH_TILE	8

/* Quads that a lane moves in one go, where lanes move what they do not cipher */
#define MOVES		4

/*
 * Local memory of a work-group, in quads. A GCN compute unit has 64 KB for the
 * four waves that the registers of its four SIMDs have room for.
 */
#ifdef WAVECRYPT_WIDE
#define POOL		1712
#else
#define POOL		1024
#endif

#define KERNEL		__kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))

/* A call would want a stack, and a stack is memory: packets' and keys' secrets. */
#define INLINE		static inline __attribute__((always_inline))

#ifdef __AMDGCN__

/* Needs no device library, so that plain clang links it. */
INLINE int lane_id(void)
{
	return __builtin_amdgcn_workitem_id_x();
}

INLINE uint group_id(void)
{
	return __builtin_amdgcn_workgroup_id_x();
}

INLINE void group_barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* Likewise, and lanes see what others have written to global memory */
INLINE void group_barrier_global(void)
{
	group_barrier();
}

/* Lets others have the memory while one waits for it to change */
INLINE void nap(void)
{
	__builtin_amdgcn_s_sleep(4);
}

/* Says that @x is the same in all lanes, to keep what follows from it scalar */
INLINE uint uniform(uint x)
{
	return __builtin_amdgcn_readfirstlane(x);
}

/* The same @x, but nothing computed from it can be moved ahead of this */
INLINE uint afresh(uint x)
{
	__asm__ volatile("" : "+v"(x));
	return x;
}

#else

INLINE int lane_id(void)
{
	return get_local_id(0);
}

INLINE uint group_id(void)
{
	return get_group_id(0);
}

INLINE void group_barrier(void)
{
	barrier(CLK_LOCAL_MEM_FENCE);
}

INLINE void group_barrier_global(void)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

INLINE void nap(void)
{
}

INLINE uint uniform(uint x)
{
	return x;
}

INLINE uint afresh(uint x)
{
	return x;
}

#endif

#ifdef WAVECRYPT_WIDE
#ifdef __NV_CL_C_VERSION

/* @v of lane @lane (modulo 32) of this warp, in which every lane must ask */
INLINE uint shuffle_word(uint v, uint lane)
{
	uint r;

	__asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;"
		     : "=r"(r) : "r"(v), "r"(lane));
	return r;
}

/* Four bytes of the eight of @lo and @hi, named by @pick's four low nibbles */
INLINE uint permute_bytes(uint lo, uint hi, uint pick)
{
	uint r;

	__asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(pick));
	return r;
}

#else

uint shuffle_word(uint v, uint lane);	/* by whoever links this */

INLINE uint permute_bytes(uint lo, uint hi, uint pick)
{
	const ulong bytes = (ulong)hi << 32 | lo;
	uint r = 0;

	for (int i = 0; i < 4; i++)
		r |= (uint)(bytes >> (8 * (pick >> (4 * i) & 7)) & 0xff) << (8 * i);
	return r;
}

#endif
#endif

/* Bits of @a where @mask has ones, of @b where it has zeros */
#define BLEND(a, b, mask)	(((a) & (mask)) | ((b) & ~(mask)))

#define ROTATE_LEFT(x, n)	(((x) << (n)) | ((x) >> (32 - (n))))
#define ROTATE_RIGHT(x, n)	(((x) >> (n)) | ((x) << (32 - (n))))

/* Between memory, which is little-endian, and big-endian numbers */
INLINE uint swap_bytes(uint x)
{
	return BLEND(ROTATE_LEFT(x, 8), ROTATE_LEFT(x, 24), 0x00ff00ffu);
}

INLINE uint4 swap_words(uint4 x)
{
	return BLEND(ROTATE_LEFT(x, 8), ROTATE_LEFT(x, 24), 0x00ff00ffu);
}
