// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "backends/opencl/device.h"
#include "lib/array.h"

#define MAX_PLATFORMS	16

/* NVIDIA's drivers tell it like this, too, and older ones not otherwise. */
#define NV_PCI_BUS_ID		0x4008
#define NV_PCI_SLOT_ID		0x4009
#define NV_PCI_DOMAIN_ID	0x400a

static __thread char why[768];

static bool info(cl_device_id id, cl_device_info what, void *to, size_t size)
{
	memset(to, 0, size);
	return !cl.GetDeviceInfo(id, what, size, to, NULL);
}

/* What not all devices have; false: something is wrong. */
static bool optional(cl_device_id id, cl_device_info what, void *to, size_t size,
		     bool *there)
{
	cl_int err = cl.GetDeviceInfo(id, what, size, to, NULL);

	*there = !err;
	return !err || err == CL_INVALID_VALUE;
}

static bool examine_place(cl_device_id id, struct gpu_found *f)
{
	cl_uint domain = 0, bus, slot;
	cl_device_pci_bus_info_khr pci;
	bool there;

	if (!optional(id, CL_DEVICE_PCI_BUS_INFO_KHR, &pci, sizeof(pci), &there))
		return false;
	if (there) {
		gpu_put_address(f, pci.pci_domain, pci.pci_bus, pci.pci_device,
				pci.pci_function);
		return true;
	}
	if (!optional(id, NV_PCI_BUS_ID, &bus, sizeof(bus), &there) || !there ||
	    !optional(id, NV_PCI_SLOT_ID, &slot, sizeof(slot), &there) || !there)
		return !there;
	if (!optional(id, NV_PCI_DOMAIN_ID, &domain, sizeof(domain), &there))
		return false;
	/* What it calls a slot is device and function. */
	gpu_put_address(f, domain, bus, slot >> 3, slot & 7);
	return true;
}

static bool examine_uuid(cl_device_id id, struct gpu_found *f)
{
	cl_uchar u[CL_UUID_SIZE_KHR];
	bool there;

	if (!optional(id, CL_DEVICE_UUID_KHR, u, sizeof(u), &there))
		return false;
	if (there)
		snprintf(f->uuid, sizeof(f->uuid),
			 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
			 u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8],
			 u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
	return true;
}

static void put_kind(struct gpu_found *f, cl_device_type type)
{
	const char *kind = type & CL_DEVICE_TYPE_GPU ? "gpu" :
			   type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" :
			   type & CL_DEVICE_TYPE_CPU ? "cpu" : "other";

	strcpy(f->kind, kind);
	f->rating = type & CL_DEVICE_TYPE_GPU ? 2 :
		    type & CL_DEVICE_TYPE_ACCELERATOR ? 1 : 0;
}

/* The languages that its compiler has, which older devices do not list */
static bool examine_compiler(cl_device_id id, struct opencl_device *dev)
{
	cl_name_version c[16] = { 0 };
	bool there;

	if (!optional(id, CL_DEVICE_OPENCL_C_ALL_VERSIONS, c, sizeof(c), &there))
		return false;
	for (size_t i = 0; there && i < ARRAY_SIZE(c); i++)
		dev->c3 |= c[i].version == CL_MAKE_VERSION(3, 0, 0);
	return true;
}

/* Fill in what is to be known about a device; false: it does not say. */
static bool examine(struct opencl_device *dev, cl_platform_id platform,
		    struct gpu_found *f)
{
	cl_bool unified, available, compiler;
	cl_device_id id = dev->id;
	bool there;

	/* A string that does not fit is an error. */
	if (!info(id, CL_DEVICE_NAME, dev->name, sizeof(dev->name)) ||
	    !info(id, CL_DRIVER_VERSION, dev->driver, sizeof(dev->driver)) ||
	    cl.GetPlatformInfo(platform, CL_PLATFORM_NAME,
			       sizeof(dev->platform), dev->platform, NULL) ||
	    !info(id, CL_DEVICE_TYPE, &dev->type, sizeof(dev->type)) ||
	    !info(id, CL_DEVICE_VENDOR_ID, &dev->vendor, sizeof(dev->vendor)) ||
	    !info(id, CL_DEVICE_MAX_COMPUTE_UNITS, &dev->units,
		  sizeof(dev->units)) ||
	    !info(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &dev->max_alloc,
		  sizeof(dev->max_alloc)) ||
	    !info(id, CL_DEVICE_HOST_UNIFIED_MEMORY, &unified,
		  sizeof(unified)) ||
	    !info(id, CL_DEVICE_AVAILABLE, &available, sizeof(available)) ||
	    !info(id, CL_DEVICE_COMPILER_AVAILABLE, &compiler,
		  sizeof(compiler)))
		return false;
	/* Newer than OpenCL 1.2 */
	if (!optional(id, CL_DEVICE_SVM_CAPABILITIES, &dev->svm, sizeof(dev->svm),
		      &there) || !examine_compiler(id, dev))
		return false;
	dev->unified = unified;
	put_kind(f, dev->type);
	if (!available)
		strcpy(f->refused, "it is not available");
	else if (!compiler)
		strcpy(f->refused, "its driver has no compiler");
	return examine_place(id, f) && examine_uuid(id, f);
}

static void look_at(struct opencl_devices *all, cl_platform_id platform)
{
	struct opencl_device *first = &all->device[all->list.nr];
	cl_device_id ids[GPU_FOUND_MAX];
	cl_uint nr = 0;

	if (cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, GPU_FOUND_MAX, ids, &nr))
		return;
	for (cl_uint i = 0; i < nr && all->list.nr < GPU_FOUND_MAX; i++) {
		struct gpu_found *f = &all->list.device[all->list.nr++];

		first[i].id = ids[i];
		if (!examine(&first[i], platform, f))
			strcpy(f->refused, "it does not say what it can do");
		strcpy(f->name, first[i].name);
	}
}

static const char *look(struct opencl_devices *all)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint nr = 0;
	cl_int err = cl.GetPlatformIDs(MAX_PLATFORMS, platforms, &nr);

	memset(all, 0, sizeof(*all));
	if (err || !nr) {
		snprintf(why, sizeof(why),
			 "no OpenCL platform: %s (is a driver's file in /etc/OpenCL/vendors?)",
			 err ? opencl_error(err) : "none is installed");
		return why;
	}
	for (cl_uint i = 0; i < nr && i < MAX_PLATFORMS; i++)
		look_at(all, platforms[i]);
	return NULL;
}

/* Drivers that are being asked for the first time may tell somebody else that there is none. */
const char *opencl_devices_look(struct opencl_devices *all)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const char *unknown;

	pthread_mutex_lock(&lock);
	unknown = look(all);
	pthread_mutex_unlock(&lock);
	return unknown;
}
