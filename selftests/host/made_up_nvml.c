// SPDX-License-Identifier: GPL-2.0-only
/*
 * As much of NVIDIA's management library as wavecryptctl asks for, with one made-up GPU,
 * 0000:3b:00.0, that does not say how busy it is. For selftests/host/ctl.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#define NOT_SUPPORTED	3
#define NOT_FOUND	6

static int initialised, gpu;

int nvmlInit_v2(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **to);
int nvmlDeviceGetTemperature(void *from, int sensor, unsigned int *celsius);
int nvmlDeviceGetPowerUsage(void *from, unsigned int *milliwatts);
int nvmlDeviceGetUtilizationRates(void *from, unsigned int *percent);

int nvmlInit_v2(void)
{
	initialised = 1;
	return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **to)
{
	*to = &gpu;
	return initialised && !strcmp(address, "0000:3b:00.0") ? 0 : NOT_FOUND;
}

int nvmlDeviceGetTemperature(void *from, int sensor, unsigned int *celsius)
{
	*celsius = 61;
	return from == &gpu && !sensor ? 0 : NOT_SUPPORTED;
}

int nvmlDeviceGetPowerUsage(void *from, unsigned int *milliwatts)
{
	*milliwatts = 210500;
	return from == &gpu ? 0 : NOT_SUPPORTED;
}

int nvmlDeviceGetUtilizationRates(void *from, unsigned int *percent)
{
	(void)from;
	percent[0] = 99;
	percent[1] = 99;
	return NOT_SUPPORTED;
}
