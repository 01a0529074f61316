/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ROCm runtime's functions, found when they are needed: a machine without
 * ROCm runs the daemon too.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_API_H
#define WAVECRYPT_BACKENDS_HSA_API_H

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

/** HSA_LIBRARY - the runtime */
#define HSA_LIBRARY	"libhsa-runtime64.so.1"

/** struct hsa_api - the functions, by their names less "hsa_" */
struct hsa_api {
	typeof(hsa_init) *init;
	typeof(hsa_shut_down) *shut_down;
	typeof(hsa_status_string) *status_string;
	typeof(hsa_system_get_info) *system_get_info;
	typeof(hsa_iterate_agents) *iterate_agents;
	typeof(hsa_agent_get_info) *agent_get_info;
	typeof(hsa_agent_iterate_isas) *agent_iterate_isas;
	typeof(hsa_isa_get_info_alt) *isa_get_info_alt;
	typeof(hsa_amd_agent_iterate_memory_pools) *amd_agent_iterate_memory_pools;
	typeof(hsa_amd_memory_pool_get_info) *amd_memory_pool_get_info;
	typeof(hsa_amd_memory_pool_allocate) *amd_memory_pool_allocate;
	typeof(hsa_amd_memory_pool_free) *amd_memory_pool_free;
	typeof(hsa_amd_agents_allow_access) *amd_agents_allow_access;
	typeof(hsa_amd_memory_lock_to_pool) *amd_memory_lock_to_pool;
	typeof(hsa_amd_memory_unlock) *amd_memory_unlock;
	hsa_status_t (*amd_register_system_event_handler)(hsa_amd_system_event_callback_t callback,
							  void *data);
	typeof(hsa_queue_create) *queue_create;
	typeof(hsa_queue_inactivate) *queue_inactivate;
	typeof(hsa_queue_destroy) *queue_destroy;
	typeof(hsa_queue_load_read_index_scacquire) *queue_load_read_index_scacquire;
	typeof(hsa_queue_load_write_index_relaxed) *queue_load_write_index_relaxed;
	typeof(hsa_queue_store_write_index_screlease) *queue_store_write_index_screlease;
	typeof(hsa_signal_create) *signal_create;
	typeof(hsa_signal_destroy) *signal_destroy;
	typeof(hsa_signal_load_scacquire) *signal_load_scacquire;
	typeof(hsa_signal_store_relaxed) *signal_store_relaxed;
	typeof(hsa_signal_store_screlease) *signal_store_screlease;
	typeof(hsa_code_object_reader_create_from_memory) *code_object_reader_create_from_memory;
	typeof(hsa_code_object_reader_destroy) *code_object_reader_destroy;
	typeof(hsa_executable_create_alt) *executable_create_alt;
	typeof(hsa_executable_load_agent_code_object) *executable_load_agent_code_object;
	typeof(hsa_executable_freeze) *executable_freeze;
	typeof(hsa_executable_destroy) *executable_destroy;
	typeof(hsa_executable_get_symbol_by_name) *executable_get_symbol_by_name;
	typeof(hsa_executable_symbol_get_info) *executable_symbol_get_info;
};

/** hsa - the functions, once hsa_api_load() has found them */
extern struct hsa_api hsa;

/** hsa_api_load - find them; NULL, or why not */
const char *hsa_api_load(void);

/** hsa_api_path - where the runtime was found; "" before that */
const char *hsa_api_path(void);

/** hsa_api_version - the runtime's, once it is initialised */
const char *hsa_api_version(void);

/** hsa_error - what a status means, in one line */
const char *hsa_error(hsa_status_t status);

#endif
