/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NUMA nodes: of CPUs, and of devices.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_NUMA_H
#define WAVECRYPT_LIB_NUMA_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/** NUMA_NONE - no node, or several */
#define NUMA_NONE	(-1)

/**
 * numa_of_cpus - the node that CPUs are all of
 * @sysfs: usually "/sys"
 * @cpus: the CPUs
 */
int numa_of_cpus(const char *sysfs, const cpu_set_t *cpus);

/**
 * numa_neighbours - the CPUs of a CPU's node
 * @sysfs: usually "/sys"
 * @cpu: the CPU
 * @set: where to put them
 *
 * Return: false if there are no nodes, or none that it is of, such as where it is offline;
 * @set is then as it was.
 */
bool numa_neighbours(const char *sysfs, uint32_t cpu, cpu_set_t *set);

/**
 * numa_of_pci - the node that a device is near to
 * @sysfs: usually "/sys"
 * @address: where it is on the PCI bus, such as "0000:04:00.0", or ""
 */
int numa_of_pci(const char *sysfs, const char *address);

#endif
