/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Failures on demand
 *
 * Rules, separated by semicolons or newlines, come from HSA_EMU_FAIL, or from
 * the file that HSA_EMU_CONTROL names, which is looked at again whenever it
 * changes: then counting starts anew.
 *
 *	FUNCTION#N=STATUS	the Nth call of an HSA function returns STATUS, a
 *				name (HSA_STATUS_ERROR) or a number
 *	FUNCTION#N+=STATUS	so does every later one
 *	packet#N=FAILURE	the Nth kernel dispatch, with N+ all from it, fails; as
 *				packet@1#N, the Nth of the first GPU, and so on:
 *		hang		it never ends
 *		fault		it touches memory that is not there
 *		illegal		it comes across an unknown instruction
 *		reset		the agent is reset, and is no use until hsa_shut_down()
 *		vanish		the agent is gone, without a word
 *		negative	its completion signal is negative, and that is all
 *		slow:US		it begins only US microseconds later
 */
#ifndef RT_INJECT_H
#define RT_INJECT_H

#include <hsa/hsa.h>

enum injection {
	INJECT_NONE,
	INJECT_HANG,
	INJECT_FAULT,
	INJECT_ILLEGAL,
	INJECT_RESET,
	INJECT_VANISH,
	INJECT_NEGATIVE,
	INJECT_SLOW,
};

/**
 * inject_call() - whether a call is to fail
 * @function: its name
 *
 * Return: what it is to return, or HSA_STATUS_SUCCESS to do what it does
 */
hsa_status_t inject_call(const char *function);

/**
 * inject_packet() - whether a kernel dispatch is to fail
 * @node: of the agent that it is for
 * @microseconds: by how much INJECT_SLOW is late
 *
 * Return: how
 */
enum injection inject_packet(unsigned int node, unsigned int *microseconds);

#endif
