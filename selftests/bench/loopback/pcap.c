// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcap.h"

#define MAGIC_US	0xa1b2c3d4
#define MAGIC_NS	0xa1b23c4d
#define MAGIC_NG	0x0a0d0d0a

#define LINK_ETHERNET	1
#define LINK_RAW	101
#define LINK_LINUX_SLL	113
#define LINK_LINUX_SLL2	276

#define ETHERTYPE_IP4	0x0800
#define ETHERTYPE_IP6	0x86dd
#define ETHERTYPE_VLAN	0x8100

struct file_header {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t unused[3];
	uint32_t link;
};

struct frame_header {
	uint32_t time[2];
	uint32_t captured;
	uint32_t len;
};

static uint32_t number(uint32_t n, bool swapped)
{
	return swapped ? __builtin_bswap32(n) : n;
}

static uint16_t ethertype(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

/* Offset of the IP packet in a frame, or -1 if there is none. */
static int ip_offset(uint32_t link, const uint8_t *data, uint32_t len)
{
	uint32_t at;
	uint16_t type;

	switch (link) {
	case LINK_RAW:
		return 0;
	case LINK_ETHERNET:
		at = 12;
		break;
	case LINK_LINUX_SLL:
		at = 14;
		break;
	default:
		if (len < 20)
			return -1;
		type = ethertype(data);
		return type == ETHERTYPE_IP4 || type == ETHERTYPE_IP6 ? 20 : -1;
	}
	for (; at + 2 <= len; at += 4) {
		type = ethertype(data + at);
		if (type != ETHERTYPE_VLAN)
			return type == ETHERTYPE_IP4 || type == ETHERTYPE_IP6 ?
			       (int)at + 2 : -1;
	}
	return -1;
}

/* The IP packet in a frame, less what Ethernet padded it with; 0: none. */
static uint32_t ip_len(const uint8_t *ip, uint32_t room)
{
	uint32_t len = 0;

	if (room >= 20 && ip[0] >> 4 == 4)
		len = ip[2] << 8 | ip[3];
	else if (room >= 40 && ip[0] >> 4 == 6)
		len = 40 + (ip[4] << 8 | ip[5]);
	return len <= room && len <= PACKET_LONGEST - 32 ? len : 0;
}

static const char *load(struct pcap *pcap, const char *path, size_t *size)
{
	FILE *f = fopen(path, "re");
	const char *why = NULL;
	long n;

	if (!f)
		return strerror(errno);
	n = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
	if (n < 0) {
		why = strerror(errno);
	} else {
		rewind(f);
		*size = n;
		pcap->file = malloc(*size + 1);
		if (!pcap->file || fread(pcap->file, 1, *size, f) != *size)
			why = "cannot read it";
	}
	fclose(f);
	return why;
}

static const char *parse(struct pcap *pcap, size_t size)
{
	struct file_header head;
	struct frame_header frame;
	bool swapped;
	uint32_t link;
	size_t at = sizeof(head);

	if (size < sizeof(head))
		return "too short";
	memcpy(&head, pcap->file, sizeof(head));
	if (head.magic == MAGIC_NG)
		return "pcapng (convert it: editcap -F pcap)";
	swapped = head.magic != MAGIC_US && head.magic != MAGIC_NS;
	if (number(head.magic, swapped) != MAGIC_US &&
	    number(head.magic, swapped) != MAGIC_NS)
		return "not a pcap file";
	link = number(head.link, swapped) & 0xfffffff;
	if (link != LINK_ETHERNET && link != LINK_RAW &&
	    link != LINK_LINUX_SLL && link != LINK_LINUX_SLL2)
		return "neither Ethernet, raw IP nor Linux cooked";
	pcap->frames = calloc(size / sizeof(frame) + 1, sizeof(*pcap->frames));
	if (!pcap->frames)
		return "no memory";
	for (; at + sizeof(frame) <= size; at += frame.captured) {
		const uint8_t *data;
		uint32_t len;
		int ip;

		memcpy(&frame, pcap->file + at, sizeof(frame));
		at += sizeof(frame);
		frame.captured = number(frame.captured, swapped);
		if (frame.captured > size - at)
			return "its end is missing";
		data = pcap->file + at;
		ip = ip_offset(link, data, frame.captured);
		if (ip < 0)
			continue;
		len = ip_len(data + ip, frame.captured - ip);
		if (!len)
			continue;
		pcap->frames[pcap->nr].data = data + ip;
		pcap->frames[pcap->nr++].len = len;
	}
	return pcap->nr ? NULL : "no whole IP packet in it";
}

const char *pcap_read(struct pcap *pcap, const char *path)
{
	size_t size = 0;
	const char *why;

	memset(pcap, 0, sizeof(*pcap));
	why = load(pcap, path, &size);
	if (!why)
		why = parse(pcap, size);
	if (why)
		pcap_free(pcap);
	return why;
}

void pcap_free(struct pcap *pcap)
{
	free(pcap->frames);
	free(pcap->file);
	memset(pcap, 0, sizeof(*pcap));
}
