// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client is sent packets, each with its length before it. It asks for events of
 * the kind "list-sa" and then for the command "list-sas": there is an event for each
 * IKE_SA, and then the command's response. What an event says is made of sections:
 *
 *	NAME {
 *		local-host = 192.0.2.1
 *		remote-host = 192.0.2.2
 *		child-sas {
 *			office-7 {
 *				name = office
 *				protocol = ESP
 *				spi-in = c0ffee01
 *				spi-out = c0ffee02
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl/ctl.h"
#include "ctl/sas.h"
#include "ctl/vici.h"
#include "lib/clock.h"
#include "report/json.h"

/* No packet is longer, says the protocol. */
#define PACKET_SIZE	(512 * 1024)

/* Tens of thousands of SAs say less. */
#define MOST_PACKETS	100000

/* Those that matter are three deep. */
#define MOST_SECTIONS	8

enum packet_type {
	CMD_REQUEST	= 0,
	CMD_RESPONSE	= 1,
	EVENT_REGISTER	= 3,
	EVENT_CONFIRM	= 5,
	EVENT		= 7,
};

enum element_type {
	SECTION_START	= 1,
	SECTION_END	= 2,
	KEY_VALUE	= 3,
	LIST_START	= 4,
	LIST_ITEM	= 5,
	LIST_END	= 6,
};

const char *const vici_absent =
	"charon is not running, or without its plugin vici";
static const char silent[] = "charon does not answer";
static const char garbled[] = "charon's answer is not understood";

/**
 * struct rest - what is left of a message
 * @at: where it begins
 * @size: how long it is
 */
struct rest {
	const uint8_t *at;
	size_t size;
};

/* NULL: there is not so much */
static const uint8_t *take(struct rest *m, size_t size)
{
	const uint8_t *at = m->at;

	if (size > m->size)
		return NULL;
	m->at += size;
	m->size -= size;
	return at;
}

static bool take_name(struct rest *m, char name[UINT8_MAX + 1])
{
	const uint8_t *size = take(m, 1), *at = size ? take(m, *size) : NULL;

	if (!at)
		return false;
	memcpy(name, at, *size);
	name[*size] = '\0';
	return true;
}

static bool take_value(struct rest *m, struct rest *value)
{
	const uint8_t *size = take(m, 2);

	if (!size)
		return false;
	value->size = size[0] << 8 | size[1];
	value->at = take(m, value->size);
	return value->at;
}

static bool take_key(struct rest *m, json_t *section)
{
	char name[UINT8_MAX + 1];
	struct rest value;

	if (!take_name(m, name) || !take_value(m, &value))
		return false;
	/* What is no text, an identity perhaps, is not kept. */
	json_object_set_new(section, name,
			    json_stringn((const char *)value.at, value.size));
	return true;
}

/* Nothing that matters is in a list. */
static bool pass_list(struct rest *m)
{
	char name[UINT8_MAX + 1];
	struct rest value;
	const uint8_t *type;

	if (!take_name(m, name))
		return false;
	while ((type = take(m, 1)) && *type == LIST_ITEM)
		if (!take_value(m, &value))
			return false;
	return type && *type == LIST_END;
}

static bool take_section(struct rest *m, json_t *section, unsigned int depth);

static bool take_subsection(struct rest *m, json_t *section, unsigned int depth)
{
	json_t *inner = json_object();
	char name[UINT8_MAX + 1];
	bool good = depth < MOST_SECTIONS && take_name(m, name) &&
		    take_section(m, inner, depth + 1);

	if (good)
		json_object_set(section, name, inner);
	json_decref(inner);
	return good;
}

/* All up to the section's end; the outermost ends with the message. */
static bool take_section(struct rest *m, json_t *section, unsigned int depth)
{
	const uint8_t *type;
	bool good = true;

	while (good && (type = take(m, 1))) {
		switch (*type) {
		case SECTION_START:
			good = take_subsection(m, section, depth);
			break;
		case SECTION_END:
			return depth;
		case KEY_VALUE:
			good = take_key(m, section);
			break;
		case LIST_START:
			good = pass_list(m);
			break;
		default:
			return false;
		}
	}
	return good && !depth;
}

/* It is shown on terminals. */
static bool printable(const char *name)
{
	while (*name && !control_at(name))
		name++;
	return !*name;
}

static void add_name(json_t *children, const char *spi, const char *host,
		     const char *name)
{
	char key[SAS_KEY], whole[16], *end;
	unsigned long n = strtoul(spi, &end, 16);

	if (!isxdigit((unsigned char)*spi) || *end || n > UINT32_MAX)
		return;
	snprintf(whole, sizeof(whole), "0x%08lx", n);
	json_object_set_new(children, sas_key(key, whole, host),
			    json_string(name));
}

static void add_child(json_t *children, const json_t *ike, const char *section,
		      const json_t *child)
{
	const char *name = text(child, "name");

	/* Old ones have it in the section's name alone. */
	if (!name[0])
		name = section;
	if (!printable(name) || strcmp(text(child, "protocol"), "ESP"))
		return;
	add_name(children, text(child, "spi-in"), text(ike, "local-host"),
		 name);
	add_name(children, text(child, "spi-out"), text(ike, "remote-host"),
		 name);
}

bool vici_take(const void *message, size_t size, json_t *children)
{
	struct rest m = { message, size };
	json_t *all = json_object(), *ike, *child;
	bool good = take_section(&m, all, 0);
	const char *name, *section;

	if (good)
		json_object_foreach(all, name, ike)
			json_object_foreach(json_object_get(ike, "child-sas"),
					    section, child)
				add_child(children, ike, section, child);
	json_decref(all);
	return good;
}

/**
 * struct talk - a connection
 * @fd: the socket
 * @deadline: in nanoseconds of clock_ns()
 * @packet: the last packet
 * @size: its length
 * @why: what went wrong
 */
struct talk {
	int fd;
	uint64_t deadline;
	uint8_t *packet;
	size_t size;
	const char *why;
};

static bool fail(struct talk *t, const char *why)
{
	t->why = why;
	return false;
}

static bool receive(struct talk *t, void *to, size_t size)
{
	while (size) {
		ssize_t n = client_receive(t->fd, to, size, t->deadline);

		if (!n)
			return fail(t, "charon has hung up");
		if (n < 0)
			return fail(t, errno == ETIMEDOUT ? silent :
							    strerror(errno));
		to = (uint8_t *)to + n;
		size -= n;
	}
	return true;
}

static bool receive_packet(struct talk *t)
{
	uint32_t size;

	if (!receive(t, &size, sizeof(size)))
		return false;
	t->size = ntohl(size);
	if (!t->size || t->size > PACKET_SIZE)
		return fail(t, garbled);
	return receive(t, t->packet, t->size);
}

/* A packet of a type and a name, with no message */
static bool say(struct talk *t, enum packet_type type, const char *name)
{
	uint8_t packet[64];
	uint8_t chars = strlen(name);
	uint32_t size = htonl(2 + chars);
	ssize_t all = sizeof(size) + 2 + chars;

	memcpy(packet, &size, sizeof(size));
	packet[sizeof(size)] = type;
	packet[sizeof(size) + 1] = chars;
	memcpy(packet + sizeof(size) + 2, name, chars);
	return send(t->fd, packet, all, MSG_NOSIGNAL) == all ||
	       fail(t, silent);
}

static bool hear(struct talk *t, enum packet_type type)
{
	return receive_packet(t) &&
	       (t->packet[0] == type || fail(t, garbled));
}

/* The message of an event: what follows its name */
static bool take_event(const struct talk *t, json_t *children)
{
	struct rest m = { t->packet + 1, t->size - 1 };
	char name[UINT8_MAX + 1];

	return take_name(&m, name) && !strcmp(name, "list-sa") &&
	       vici_take(m.at, m.size, children);
}

static bool list(struct talk *t, json_t *children)
{
	if (!say(t, EVENT_REGISTER, "list-sa") || !hear(t, EVENT_CONFIRM) ||
	    !say(t, CMD_REQUEST, "list-sas"))
		return false;
	for (unsigned int i = 0; i < MOST_PACKETS; i++) {
		if (!receive_packet(t))
			return false;
		if (t->packet[0] == CMD_RESPONSE)
			return true;
		if (t->packet[0] != EVENT || !take_event(t, children))
			break;
	}
	return fail(t, garbled);
}

static const char *no_call(int err)
{
	switch (err) {
	case ENOENT:
	case ECONNREFUSED:
		return vici_absent;
	case EAGAIN:
		return silent;
	case ENAMETOOLONG:
		return "the socket's path is too long";
	default:
		return strerror(err);
	}
}

static bool call(struct talk *t, const char *path, unsigned int patience_ms)
{
	t->deadline = clock_ns() + patience_ms * NSEC_PER_MSEC;
	t->fd = client_connect(path, patience_ms);
	return t->fd >= 0 || fail(t, no_call(errno));
}

json_t *vici_children(const char *path, unsigned int patience_ms,
		      const char **why)
{
	struct talk t = {
		.fd = -1,
		.packet = malloc(PACKET_SIZE),
	};
	json_t *children = json_object();

	if (!t.packet || !children)
		t.why = strerror(errno);
	else if (call(&t, path, patience_ms))
		list(&t, children);
	if (t.fd >= 0)
		close(t.fd);
	free(t.packet);
	if (!t.why)
		return children;
	json_decref(children);
	*why = t.why;
	return NULL;
}
