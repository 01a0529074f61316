/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The persistent kernel: work-groups that stay, take groups off a ring in shared
 * memory as the host puts them there, and report each one done. For memory in
 * which host and GPU see each other's atomics while a kernel runs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
INLINE uint load_acquire(__global uint *p)
{
	return __opencl_atomic_load((volatile __global atomic_uint *)p, __ATOMIC_ACQUIRE,
				    __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
}

INLINE void store_release(__global uint *p, uint value)
{
	__opencl_atomic_store((volatile __global atomic_uint *)p, value, __ATOMIC_RELEASE,
			      __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
}

/* The next group that no work-group has taken, which may not be there yet */
INLINE uint take_ticket(__global struct wavecrypt_gpu_ring *ring)
{
	return __opencl_atomic_fetch_add((volatile __global atomic_uint *)&ring->taken, 1u,
					 __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
}

/* Waits until group @ticket is there; false if it will never be */
INLINE bool wait_for(__global struct wavecrypt_gpu_ring *ring, uint ticket)
{
	for (;;) {
		/* Once stop is seen, the tail read after it is the last one. */
		const bool stop = load_acquire(&ring->stop) != 0;

		if ((int)(load_acquire(&ring->tail) - ticket) > 0)
			return true;
		if (stop)
			return false;
		nap();
	}
}

/* One lane looks, and tells the others through the pool. */
INLINE bool take_group(__global struct wavecrypt_gpu_ring *ring, __private uint *ticket,
		       __local uint4 *pool)
{
	bool there;

	if (afresh(lane_id()) == 0) {
		/* Afresh: its words' addresses would take up registers meanwhile. */
		ring += afresh(0);
		*ticket = take_ticket(ring);
		pool[0] = (uint4)(*ticket, wait_for(ring, *ticket), 0, 0);
	}
	group_barrier();
	*ticket = pool[0].x;
	there = uniform(pool[0].y);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	group_barrier();
	return there;
}

/* Computed each time: nobody has registers to keep it while a group is done. */
INLINE __global struct wavecrypt_gpu_group *
place_of(__global struct wavecrypt_gpu_ring *ring,
	 __global struct wavecrypt_gpu_group *groups, uint ticket)
{
	return groups + uniform(afresh(ticket) & ring[afresh(0)].mask);
}

KERNEL void wavecrypt_persistent(__global struct wavecrypt_gpu_ring *ring,
				 __global struct wavecrypt_gpu_group *groups,
				 __global const struct wavecrypt_gpu_packet *packets,
				 __global const struct wavecrypt_gpu_key *keys,
				 __global uchar *data)
{
	__local uint4 pool[POOL];
	uint ticket;
	/* Not "while (take_group())": PoCL 3 wants no barrier before a loop's exit. */
	bool there = take_group(ring, &ticket, pool);

	while (there) {
		/* Afresh: else registers keep what depends on the lane alone, for all kinds. */
		do_group(place_of(ring, groups, ticket), packets, keys, data,
			 afresh(lane_id()), pool);
		/* Each lane its own writes to all the world, then one the word. */
		__atomic_thread_fence(__ATOMIC_RELEASE);
		group_barrier();
		if (afresh(lane_id()) == 0)
			store_release(&place_of(ring, groups, ticket)->done, ticket + 1);
		there = take_group(ring, &ticket, pool);
	}
}
