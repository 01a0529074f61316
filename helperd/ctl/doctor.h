/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "doctor": what is wrong with this machine, and what to do about it.
 *
 * A file of checks has one function, which doctor.c calls. It says what it
 * finds with doctor_say(), one finding for each thing looked at, good ones as
 * well, so that what was looked at is seen.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_DOCTOR_H
#define WAVECRYPT_CTL_DOCTOR_H

#include "ctl/ctl.h"

/**
 * enum doctor_grade - how a finding is
 * @DOCTOR_GOOD: as it should be
 * @DOCTOR_NOTE: worth knowing
 * @DOCTOR_WARNING: works, but not as well as it could
 * @DOCTOR_BAD: keeps traffic from being accelerated
 */
enum doctor_grade {
	DOCTOR_GOOD,
	DOCTOR_NOTE,
	DOCTOR_WARNING,
	DOCTOR_BAD,
};

/**
 * struct doctor - what checks are given
 * @ctl: where to look
 * @module: what sysfs_module() said, or NULL
 * @helper: what the daemon said, or NULL
 * @helper_why: why it said nothing
 * @aeads: what proc_crypto_aeads() said
 * @findings: what was found
 */
struct doctor {
	const struct ctl *ctl;
	json_t *module;
	json_t *helper;
	const char *helper_why;
	json_t *aeads;
	json_t *findings;
};

/**
 * doctor_say - add a finding
 * @d: whose
 * @check: what was looked at, in a word or two
 * @grade: how it is
 * @advice: what to do about it, or NULL
 * @fmt: how it is found to be, in plain words
 */
void doctor_say(struct doctor *d, const char *check, enum doctor_grade grade,
		const char *advice, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/**
 * doctor_read - a file's first line
 * @d: where
 * @path: below the root
 * @line: where to put it, without its end
 * @size: room there
 *
 * Return: false, with errno set, if it cannot be read.
 */
bool doctor_read(const struct doctor *d, const char *path, char *line,
		 size_t size);

/** doctor_module - the module, its device, its algorithms */
void doctor_module(struct doctor *d);

/** doctor_hazards - bugs of this kernel that asynchronous crypto wakes */
void doctor_hazards(struct doctor *d);

/** doctor_helper - the daemon, its configuration, its memory */
void doctor_helper(struct doctor *d);

/** doctor_machine - privileges, kernel, processor */
void doctor_machine(struct doctor *d);

/** doctor_hsa - AMD's GPU, if there is one or the daemon is to use it */
void doctor_hsa(struct doctor *d);

/** doctor_opencl - NVIDIA's and Intel's, and OpenCL if the daemon is to use it */
void doctor_opencl(struct doctor *d);

/** doctor_traffic - SAs, and what became of packets */
void doctor_traffic(struct doctor *d);

/** doctor_gain - what batches gain for the proposals of SAs */
void doctor_gain(struct doctor *d, const json_t *sas);

/** doctor_collect - all findings, and whether any is bad: "healthy" */
json_t *doctor_collect(const struct ctl *c);

/** doctor_print - as text */
void doctor_print(const json_t *findings);

#endif
