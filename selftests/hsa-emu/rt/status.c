// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <hsa/hsa_ext_amd.h>
#include <stdlib.h>
#include <string.h>

#include "inject.h"
#include "runtime.h"
#include "status.h"

#define STATUS(name) { HSA_STATUS_ ## name, "HSA_STATUS_" #name }

static const struct { int status; const char *name; } statuses[] = {
	STATUS(SUCCESS),
	STATUS(INFO_BREAK),
	STATUS(ERROR),
	STATUS(ERROR_INVALID_ARGUMENT),
	STATUS(ERROR_INVALID_QUEUE_CREATION),
	STATUS(ERROR_INVALID_ALLOCATION),
	STATUS(ERROR_INVALID_AGENT),
	STATUS(ERROR_INVALID_REGION),
	STATUS(ERROR_INVALID_SIGNAL),
	STATUS(ERROR_INVALID_QUEUE),
	STATUS(ERROR_OUT_OF_RESOURCES),
	STATUS(ERROR_INVALID_PACKET_FORMAT),
	STATUS(ERROR_RESOURCE_FREE),
	STATUS(ERROR_NOT_INITIALIZED),
	STATUS(ERROR_REFCOUNT_OVERFLOW),
	STATUS(ERROR_INCOMPATIBLE_ARGUMENTS),
	STATUS(ERROR_INVALID_INDEX),
	STATUS(ERROR_INVALID_ISA),
	STATUS(ERROR_INVALID_ISA_NAME),
	STATUS(ERROR_INVALID_CODE_OBJECT),
	STATUS(ERROR_INVALID_EXECUTABLE),
	STATUS(ERROR_FROZEN_EXECUTABLE),
	STATUS(ERROR_INVALID_SYMBOL_NAME),
	STATUS(ERROR_VARIABLE_ALREADY_DEFINED),
	STATUS(ERROR_VARIABLE_UNDEFINED),
	STATUS(ERROR_EXCEPTION),
	STATUS(ERROR_INVALID_CODE_SYMBOL),
	STATUS(ERROR_INVALID_EXECUTABLE_SYMBOL),
	STATUS(ERROR_INVALID_FILE),
	STATUS(ERROR_INVALID_CODE_OBJECT_READER),
	STATUS(ERROR_INVALID_CACHE),
	STATUS(ERROR_INVALID_WAVEFRONT),
	STATUS(ERROR_INVALID_SIGNAL_GROUP),
	STATUS(ERROR_INVALID_RUNTIME_STATE),
	STATUS(ERROR_FATAL),
	STATUS(ERROR_INVALID_MEMORY_POOL),
	STATUS(ERROR_MEMORY_APERTURE_VIOLATION),
	STATUS(ERROR_ILLEGAL_INSTRUCTION),
	STATUS(ERROR_MEMORY_FAULT),
	STATUS(CU_MASK_REDUCED),
};

const char *status_name(hsa_status_t status)
{
	for (unsigned int k = 0; k < ARRAY_SIZE(statuses); k++)
		if (statuses[k].status == (int)status)
			return statuses[k].name;
	return NULL;
}

bool status_parse(const char *text, hsa_status_t *status)
{
	char *end;

	for (unsigned int k = 0; k < ARRAY_SIZE(statuses); k++)
		if (!strcmp(statuses[k].name, text)) {
			*status = (hsa_status_t)statuses[k].status;
			return true;
		}
	*status = (hsa_status_t)strtoul(text, &end, 0);
	return *text && !*end;
}

hsa_status_t hsa_status_string(hsa_status_t status, const char **string)
{
	const char *name = status_name(status);
	hsa_status_t injected = inject_call(__func__);

	if (injected)
		return injected;
	if (!name || !string)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*string = name;
	return HSA_STATUS_SUCCESS;
}
