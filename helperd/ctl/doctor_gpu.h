/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What "doctor" asks of any GPU.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_DOCTOR_GPU_H
#define WAVECRYPT_CTL_DOCTOR_GPU_H

#include <glob.h>
#include <sys/stat.h>

#include "backends/backend.h"
#include "ctl/doctor.h"
#include "ctl/vendor.h"
#include "daemon/config.h"

/**
 * struct doctor_gpu - what there is to look at
 * @d: whom to tell
 * @check: what findings are called
 * @vendor: whose GPU
 * @config: the daemon's, as far as it can be read
 * @here: there is such a GPU
 * @wanted: the daemon is told to use the backend for it
 * @worst: how bad it is if the GPU cannot be used
 * @unit: what systemd was told of the daemon, or NULL
 */
struct doctor_gpu {
	struct doctor *d;
	const char *check;
	const struct vendor *vendor;
	struct config config;
	bool here;
	bool wanted;
	enum doctor_grade worst;
	json_t *unit;
};

/** doctor_gpu_init - begin to look at a maker's */
void doctor_gpu_init(struct doctor_gpu *g, struct doctor *d, const char *check,
		     const struct vendor *vendor);

/** doctor_gpu_exit - the end of it */
void doctor_gpu_exit(struct doctor_gpu *g);

/** doctor_gpu_choice - is the daemon told to use it? */
void doctor_gpu_choice(const struct doctor_gpu *g);

/**
 * doctor_gpu_traffic - how the daemon's are, and what it did there
 *
 * Return: it has done packets.
 */
bool doctor_gpu_traffic(const struct doctor_gpu *g);

/** doctor_gpu_node - may the daemon open that device, such as "dev/kfd"? */
void doctor_gpu_node(const struct doctor_gpu *g, const char *path);

/** doctor_gpu_render - the same of the GPU's render nodes. Return: how many there are */
unsigned int doctor_gpu_render(const struct doctor_gpu *g);

/** doctor_gpu_unit - does the daemon's unit allow what the GPU needs? */
void doctor_gpu_unit(const struct doctor_gpu *g);

/**
 * doctor_gpu_try - have each that settings name register memory like the module's, and
 * compute packets of every kind
 */
void doctor_gpu_try(const struct doctor_gpu *g, const struct backend_ops *backend);

/** doctor_exists - is there such a file, below the root? */
bool doctor_exists(const struct doctor *d, const char *path, struct stat *st);

/** doctor_glob - files of that pattern; to be freed with globfree(). Return: how many */
size_t doctor_glob(const struct doctor *d, const char *pattern, glob_t *g);

#endif
