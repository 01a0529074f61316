// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "backends/gpu/library.h"
#include "backends/hsa/api.h"
#include "lib/array.h"

struct hsa_api hsa;

#define FUNCTION(name)	{ "hsa_" #name, offsetof(struct hsa_api, name) }

static const struct gpu_function functions[] = {
	FUNCTION(init),
	FUNCTION(shut_down),
	FUNCTION(status_string),
	FUNCTION(system_get_info),
	FUNCTION(iterate_agents),
	FUNCTION(agent_get_info),
	FUNCTION(agent_iterate_isas),
	FUNCTION(isa_get_info_alt),
	FUNCTION(amd_agent_iterate_memory_pools),
	FUNCTION(amd_memory_pool_get_info),
	FUNCTION(amd_memory_pool_allocate),
	FUNCTION(amd_memory_pool_free),
	FUNCTION(amd_agents_allow_access),
	FUNCTION(amd_memory_lock_to_pool),
	FUNCTION(amd_memory_unlock),
	FUNCTION(amd_register_system_event_handler),
	FUNCTION(queue_create),
	FUNCTION(queue_inactivate),
	FUNCTION(queue_destroy),
	FUNCTION(queue_load_read_index_scacquire),
	FUNCTION(queue_load_write_index_relaxed),
	FUNCTION(queue_store_write_index_screlease),
	FUNCTION(signal_create),
	FUNCTION(signal_destroy),
	FUNCTION(signal_load_scacquire),
	FUNCTION(signal_store_relaxed),
	FUNCTION(signal_store_screlease),
	FUNCTION(code_object_reader_create_from_memory),
	FUNCTION(code_object_reader_destroy),
	FUNCTION(executable_create_alt),
	FUNCTION(executable_load_agent_code_object),
	FUNCTION(executable_freeze),
	FUNCTION(executable_destroy),
	FUNCTION(executable_get_symbol_by_name),
	FUNCTION(executable_symbol_get_info),
};

#undef FUNCTION

static const struct gpu_library library = {
	.file = HSA_LIBRARY,
	.what = "ROCm runtime",
	.api = &hsa,
	.functions = functions,
	.nr = ARRAY_SIZE(functions),
};

const char *hsa_api_load(void)
{
	return gpu_library_load(&library);
}

const char *hsa_api_path(void)
{
	Dl_info info;

	if (hsa.init && dladdr((void *)hsa.init, &info) && info.dli_fname)
		return info.dli_fname;
	return "";
}

const char *hsa_api_version(void)
{
	static __thread char text[96];
	const char *build = "?";
	uint16_t major = 0, minor = 0;

	hsa.system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major);
	hsa.system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor);
	hsa.system_get_info(HSA_AMD_SYSTEM_INFO_BUILD_VERSION, &build);
	snprintf(text, sizeof(text), "%u.%u (%s)", major, minor, build);
	return text;
}

const char *hsa_error(hsa_status_t status)
{
	static __thread char text[96];
	const char *string;
	size_t len;

	if (hsa.status_string(status, &string) == HSA_STATUS_SUCCESS) {
		/* Names, and what they mean behind that: the first sentence will do. */
		len = strcspn(string, ".\n");
		snprintf(text, sizeof(text), "%.*s", (int)len, string);
	} else {
		snprintf(text, sizeof(text), "HSA status %#x", status);
	}
	return text;
}
