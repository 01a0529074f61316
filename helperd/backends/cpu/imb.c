// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cpu/imb.h"
#include "lib/log.h"

#ifndef MFD_EXEC
#define MFD_EXEC	0x0010U
#endif

/* Sanitizers' runtimes must be asked before anybody else's malloc(). */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED	1
#elif defined(__has_feature)
#define SANITIZED	(__has_feature(address_sanitizer) || \
			 __has_feature(thread_sanitizer))
#else
#define SANITIZED	0
#endif

struct imb imb_linked = {
	.alloc = alloc_mb_mgr,
	.free = free_mb_mgr,
	.init_sse = init_mb_mgr_sse,
	.init_avx2 = init_mb_mgr_avx2,
	.init_avx512 = init_mb_mgr_avx512,
};

static uint32_t nr_loaded = 1;

/* Guards how many have which: devices are compared with the lanes by any thread. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int open_library(void)
{
	Dl_info info;

	if (!dladdr((void *)imb_linked.alloc, &info) || !info.dli_fname)
		return -1;
	return open(info.dli_fname, O_RDONLY | O_CLOEXEC);
}

/*
 * The dynamic linker takes a file for loaded whose inode is: so, another file.
 * Older kernels do not know of memory files that are not executable.
 */
static int copy_file(int from)
{
	int fd = memfd_create("libipsec-mb", MFD_CLOEXEC | MFD_EXEC);
	struct stat st = { 0 };
	off_t at = 0;

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("libipsec-mb", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	if (!fstat(from, &st))
		while (at < st.st_size &&
		       sendfile(fd, from, &at, st.st_size - at) > 0)
			;
	if (at && at == st.st_size)
		return fd;
	close(fd);
	return -1;
}

/*
 * Code and constants are the same in all copies: map those of the original, and
 * give the copy's memory back. What is written to, and what the dynamic linker
 * wrote to, is a private mapping's by now.
 */
static bool share_pages(const struct link_map *map, int original, int copy)
{
	const uint8_t *base = (const uint8_t *)map->l_addr;
	const Elf64_Ehdr *elf = (const void *)base;
	const Elf64_Phdr *ph = (const void *)(base + elf->e_phoff);
	uint64_t mask = sysconf(_SC_PAGESIZE) - 1;

	for (unsigned int i = 0; i < elf->e_phnum; i++) {
		uint64_t off = ph[i].p_vaddr & mask;
		int prot = PROT_READ | (ph[i].p_flags & PF_X ? PROT_EXEC : 0);

		if (ph[i].p_type != PT_LOAD || ph[i].p_flags & PF_W)
			continue;
		if (mmap((void *)(base + ph[i].p_vaddr - off), ph[i].p_filesz + off,
			 prot, MAP_PRIVATE | MAP_FIXED, original,
			 ph[i].p_offset - off) == MAP_FAILED)
			return false;
		fallocate(copy, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  ph[i].p_offset - off, ph[i].p_filesz + off);
	}
	return true;
}

static bool find_all(struct imb *imb, void *handle)
{
	imb->alloc = (struct IMB_MGR *(*)(uint64_t))dlsym(handle, "alloc_mb_mgr");
	imb->free = (init_mb_mgr_t)dlsym(handle, "free_mb_mgr");
	imb->init_sse = (init_mb_mgr_t)dlsym(handle, "init_mb_mgr_sse");
	imb->init_avx2 = (init_mb_mgr_t)dlsym(handle, "init_mb_mgr_avx2");
	imb->init_avx512 = (init_mb_mgr_t)dlsym(handle, "init_mb_mgr_avx512");
	return imb->alloc && imb->free && imb->init_sse && imb->init_avx2 &&
	       imb->init_avx512;
}

/*
 * Its own symbols come before those of the library that was linked. The file
 * stays open, for the dynamic linker knows libraries by their paths as well.
 */
static bool load(struct imb *imb, int original)
{
	int fd = copy_file(original);
	void *handle = NULL;
	struct link_map *map;
	char path[32];

	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	if (handle && (dlinfo(handle, RTLD_DI_LINKMAP, &map) ||
		       !share_pages(map, original, fd)))
		handle = NULL;
	return handle && find_all(imb, handle) && imb->alloc != imb_linked.alloc;
}

static bool add(int original)
{
	struct imb *imb = calloc(1, sizeof(*imb));

	if (!imb || !load(imb, original)) {
		free(imb);
		return false;
	}
	imb->next = imb_linked.next;
	imb_linked.next = imb;
	nr_loaded++;
	return true;
}

void imb_prepare(uint32_t nr)
{
	int fd;

	if (SANITIZED || nr <= nr_loaded)
		return;
	fd = open_library();
	while (fd >= 0 && nr_loaded < nr && add(fd))
		;
	if (nr_loaded < nr)
		log_warn("%u copies of libipsec-mb, of %u: more workers share some, and slow each other down: %s",
			 nr_loaded, nr, dlerror() ?: strerror(errno));
	if (fd >= 0)
		close(fd);
}

static struct imb *fewest_users(void)
{
	struct imb *best = &imb_linked;

	for (struct imb *imb = best->next; imb; imb = imb->next)
		if (imb->users < best->users)
			best = imb;
	return best;
}

struct imb *imb_take(void)
{
	struct imb *imb;
	uint32_t others;

	pthread_mutex_lock(&lock);
	imb = fewest_users();
	others = imb->users++;
	pthread_mutex_unlock(&lock);
	if (others && !SANITIZED)
		log_warn("%u workers share one copy of libipsec-mb, and slow each other down: there are %u, and no more can be loaded before the daemon is restarted",
			 others + 1, nr_loaded);
	return imb;
}

void imb_put(struct imb *imb)
{
	pthread_mutex_lock(&lock);
	imb->users--;
	pthread_mutex_unlock(&lock);
}
