// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that is shared with a helper. It is the helper's to pay for: charged
 * to its control group, and if there is not enough, attaching fails and nobody
 * is killed for it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "pages.h"

/**
 * wc_pages_alloc - get memory that is all zeroes
 * @pages: where to note it; zeroed
 * @size: how much, in bytes, whole pages
 * @node: where, or NUMA_NO_NODE
 *
 * Return: 0, or -ENOMEM; wc_pages_free() is to be called in either case.
 */
int wc_pages_alloc(struct wc_pages *pages, size_t size, int node)
{
	unsigned int nr = size >> PAGE_SHIFT;

	pages->page = kvcalloc(nr, sizeof(*pages->page), WC_PAGES_GFP);
	if (!pages->page)
		return -ENOMEM;
	for (; pages->nr < nr; pages->nr++) {
		struct page *page = alloc_pages_node(node, WC_PAGES_GFP |
						     __GFP_ZERO, 0);

		if (!page)
			return -ENOMEM;
		pages->page[pages->nr] = page;
		cond_resched();
	}
	pages->mem = vmap(pages->page, nr, VM_MAP, PAGE_KERNEL);
	return pages->mem ? 0 : -ENOMEM;
}

/**
 * wc_pages_wipe - overwrite it with zeroes
 * @pages: the memory
 *
 * Context: process, may sleep.
 */
void wc_pages_wipe(const struct wc_pages *pages)
{
	unsigned int i;

	for (i = 0; i < pages->nr; i++) {
		memzero_explicit(page_address(pages->page[i]), PAGE_SIZE);
		cond_resched();
	}
}

/**
 * wc_pages_free - give it back
 * @pages: the memory. Pages that are still mapped or pinned stay until they
 *	are not.
 *
 * Context: process, may sleep.
 */
void wc_pages_free(struct wc_pages *pages)
{
	vunmap(pages->mem);
	while (pages->nr) {
		__free_page(pages->page[--pages->nr]);
		cond_resched();
	}
	kvfree(pages->page);
}
