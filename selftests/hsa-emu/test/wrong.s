/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Kernels with mistakes that compilers do not make. Each finds its argument, a
 * pointer, at s[0:1], the work-group's number in s2 and the work-item's in v0.
 */
.ifdef GFX9
.macro store_v1
	global_store_dword v[2:3], v1, off
.endm
.macro load_v1
	global_load_dword v1, v[2:3], off
.endm
.macro add_u32 d, a, b
	v_add_co_u32_e32 \d, vcc, \a, \b
.endm
.macro addc_u32 d, a, b
	v_addc_co_u32_e32 \d, vcc, \a, \b, vcc
.endm
.else
.macro store_v1
	flat_store_dword v[2:3], v1
.endm
.macro load_v1
	flat_load_dword v1, v[2:3]
.endm
.macro add_u32 d, a, b
	v_add_u32_e32 \d, vcc, \a, \b
.endm
.macro addc_u32 d, a, b
	v_addc_u32_e32 \d, vcc, \a, \b, vcc
.endm
.endif

/* v[2:3] becomes the address of this item's word. */
.macro address
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	v_lshlrev_b32_e32 v2, 2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s5
	add_u32 v2, s4, v2
	v_mov_b32_e32 v4, 0
	addc_u32 v3, v3, v4
.endm

.macro kernel name
	.text
	.globl	\name
	.p2align 8
	.type	\name, @function
\name:
.endm

.macro end_kernel name
	s_endpgm
	describe \name
.endm

.macro describe name
	.rodata
	.p2align 6
	.amdhsa_kernel \name
		.amdhsa_group_segment_fixed_size 256
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
.endm

/* Right */
kernel asm_good
	address
	v_mov_b32_e32 v1, 7
	store_v1
end_kernel asm_good

/* v1 was never written. */
kernel undefined_data
	address
	store_v1
end_kernel undefined_data

/* v5 was never written, and v1 is made from it. */
kernel undefined_sum
	address
	v_xor_b32_e32 v1, v5, v0
	v_lshlrev_b32_e32 v1, 1, v1
	store_v1
end_kernel undefined_sum

kernel undefined_address
	address
	v_mov_b32_e32 v1, 7
	v_or_b32_e32 v2, v2, v5
	store_v1
end_kernel undefined_address

kernel undefined_branch
	s_cmp_eq_u32 s9, 0
	s_cbranch_scc1 1f
	s_nop 0
1:
end_kernel undefined_branch

kernel undefined_exec
	v_cmp_eq_u32_e32 vcc, v5, v0
	s_and_saveexec_b64 s[4:5], vcc
end_kernel undefined_exec

kernel undefined_vcc
	s_cbranch_vccz 1f
	s_nop 0
1:
end_kernel undefined_vcc

kernel undefined_exec_moved
	s_mov_b64 exec, s[8:9]
end_kernel undefined_exec_moved

kernel undefined_exec_compared
	v_cmpx_eq_u32_e32 vcc, v5, v0
end_kernel undefined_exec_compared

kernel undefined_jump
	s_setpc_b64 s[8:9]
end_kernel undefined_jump

kernel undefined_offset
	s_load_dword s6, s[0:1], s8
end_kernel undefined_offset

kernel undefined_lane_read
	v_readlane_b32 s4, v0, s8
end_kernel undefined_lane_read

kernel undefined_lane_written
	v_writelane_b32 v1, 1, s8
end_kernel undefined_lane_written

.ifdef GFX9
kernel undefined_base
	v_mov_b32_e32 v1, 7
	v_mov_b32_e32 v2, 0
	global_store_dword v2, v1, s[8:9]
end_kernel undefined_base

/* A pointer to private memory, of which there is none */
kernel private_pointer
	s_mov_b64 s[4:5], src_private_base
	v_mov_b32_e32 v1, 7
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, s5
	flat_store_dword v[2:3], v1
end_kernel private_pointer
.endif

/* A lane that was not active when v1 was written */
kernel undefined_lane
	address
	s_mov_b64 s[6:7], exec
	v_cmp_gt_u32_e32 vcc, 32, v0
	s_and_b64 exec, exec, vcc
	v_mov_b32_e32 v1, 7
	s_mov_b64 exec, s[6:7]
	store_v1
end_kernel undefined_lane

/* What was loaded is used without a wait. */
kernel no_wait_vector
	address
	load_v1
	v_xor_b32_e32 v1, v0, v1
	store_v1
end_kernel no_wait_vector

kernel no_wait_scalar
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_load_dword s6, s[4:5], 0x0
end_kernel no_wait_scalar

kernel no_wait_lds
	s_mov_b32 m0, -1
	v_lshlrev_b32_e32 v1, 2, v0
	ds_write_b32 v1, v0
	s_barrier
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
end_kernel no_wait_lds

/* A wait for all but one, of two loads that return in order */
kernel wait_counted
	address
	load_v1
	v_mov_b32_e32 v5, v2
	v_mov_b32_e32 v6, v3
	load_v1
	s_waitcnt vmcnt(1)
	store_v1
end_kernel wait_counted

kernel beyond_vgprs
	v_mov_b32_e32 v12, 0
end_kernel beyond_vgprs

kernel unknown
	v_sin_f32_e32 v1, v0
end_kernel unknown

/* Local memory beyond what M0 says, which only gfx8 looks at */
kernel lds_m0
	s_mov_b32 m0, 16
	v_lshlrev_b32_e32 v1, 2, v0
	ds_write_b32 v1, v0
end_kernel lds_m0

kernel no_m0
	v_lshlrev_b32_e32 v1, 2, v0
	ds_write_b32 v1, v0
end_kernel no_m0

kernel lds_unaligned
	s_mov_b32 m0, -1
	v_lshlrev_b32_e32 v1, 2, v0
	ds_write_b32 v1, v0
	v_lshlrev_b32_e32 v1, 1, v0
	ds_add_u32 v1, v0
end_kernel lds_unaligned

kernel lds_unwritten
	s_mov_b32 m0, -1
	v_lshlrev_b32_e32 v1, 2, v0
	ds_add_u32 v1, v0
end_kernel lds_unwritten

kernel scalar_far
	s_mov_b64 s[4:5], 0x1000
	s_load_dword s6, s[4:5], 0x0
end_kernel scalar_far

kernel scalar_unaligned
	s_add_u32 s0, s0, 2
	s_addc_u32 s1, s1, 0
	s_load_dword s6, s[0:1], 0x0
end_kernel scalar_unaligned

kernel branch_away
	s_branch 0x7fff
end_kernel branch_away

kernel jump_away
	s_mov_b32 s4, 0x1000
	s_mov_b32 s5, 0
	s_setpc_b64 s[4:5]
end_kernel jump_away

/* Where the code ends, the kernel does not. */
kernel off_the_end
	s_nop 0
	describe off_the_end
