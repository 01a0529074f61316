// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of CHILD_SAs, from made-up charons that answer well, badly, or not at all.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/children.h"
#include "ctl/vici.h"
#include "ktap.h"
#include "report/json.h"

/* Of those that answer, and of those that do not */
#define PATIENCE_MS	20000
#define SHORT_MS	100

/**
 * struct bytes - what a charon says
 */
struct bytes {
	uint8_t data[4096];
	size_t size;
};

static void put(struct bytes *b, const void *data, size_t size)
{
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void put_byte(struct bytes *b, uint8_t byte)
{
	put(b, &byte, 1);
}

static void put_name(struct bytes *b, const char *name)
{
	put_byte(b, strlen(name));
	put(b, name, strlen(name));
}

static void put_value(struct bytes *b, const char *value)
{
	put_byte(b, 0);
	put_name(b, value);
}

static void section(struct bytes *b, const char *name)
{
	put_byte(b, 1);
	put_name(b, name);
}

static void end(struct bytes *b)
{
	put_byte(b, 2);
}

static void key(struct bytes *b, const char *name, const char *value)
{
	put_byte(b, 3);
	put_name(b, name);
	put_value(b, value);
}

static void selectors(struct bytes *b)
{
	put_byte(b, 4);
	put_name(b, "local-ts");
	put_byte(b, 5);
	put_value(b, "10.1.0.0/24");
	put_byte(b, 5);
	put_value(b, "fd00:1::/64");
	put_byte(b, 6);
}

static void child(struct bytes *b, const char *unique, const char *name,
		  const char *protocol, const char *in, const char *out)
{
	section(b, unique);
	if (name)
		key(b, "name", name);
	key(b, "protocol", protocol);
	key(b, "spi-in", in);
	key(b, "spi-out", out);
	selectors(b);
	end(b);
}

static void ike_start(struct bytes *b)
{
	section(b, "site");
	key(b, "local-host", "192.0.2.1");
	key(b, "remote-host", "192.0.2.2");
	key(b, "remote-id", "\xff is no UTF-8");
	section(b, "child-sas");
}

static void ike_end(struct bytes *b)
{
	end(b);
	end(b);
}

/* An IKE_SA with two children */
static struct bytes site(void)
{
	struct bytes b = { .size = 0 };

	ike_start(&b);
	child(&b, "office-1", "office", "ESP", "c0ffee01", "0000ee02");
	child(&b, "servers", NULL, "ESP", "c0ffee03", "c0ffee04");
	ike_end(&b);
	return b;
}

static void packet(struct bytes *to, uint8_t type, const char *name,
		   const struct bytes *message)
{
	uint32_t size = htonl(1 + (name ? 1 + strlen(name) : 0) +
			      (message ? message->size : 0));

	put(to, &size, sizeof(size));
	put_byte(to, type);
	if (name)
		put_name(to, name);
	if (message)
		put(to, message->data, message->size);
}

/* All that a charon with that IKE_SA says */
static struct bytes conversation(void)
{
	struct bytes all = { .size = 0 }, ike = site();

	packet(&all, 5, NULL, NULL);
	packet(&all, 7, "list-sa", &ike);
	packet(&all, 1, NULL, NULL);
	return all;
}

/**
 * struct charon - a made-up one
 * @path: its socket
 * @listener: the same
 * @says: what it says, once it was called
 * @hold: do not hang up before the other does
 * @asked: what it was asked
 */
struct charon {
	char path[64];
	int listener;
	const struct bytes *says;
	bool hold;
	struct bytes asked;
};

static void *charon_run(void *data)
{
	struct charon *c = data;
	int fd = accept(c->listener, NULL, NULL);
	ssize_t n;

	/* In pieces, as a stream may be */
	for (size_t i = 0; i < c->says->size; i += 7)
		send(fd, c->says->data + i, c->says->size - i < 7 ?
		     c->says->size - i : 7, MSG_NOSIGNAL);
	if (!c->hold)
		shutdown(fd, SHUT_WR);
	while ((n = recv(fd, c->asked.data + c->asked.size,
			 sizeof(c->asked.data) - c->asked.size, 0)) > 0)
		c->asked.size += n;
	close(fd);
	return NULL;
}

static json_t *ask(struct charon *c, unsigned int patience_ms, const char **why)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	char dir[] = "/tmp/wavecrypt-vici.XXXXXX";
	json_t *children;
	pthread_t thread;

	if (!mkdtemp(dir))
		abort();
	snprintf(c->path, sizeof(c->path), "%s/vici", dir);
	strcpy(addr.sun_path, c->path);
	c->listener = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(c->listener, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(c->listener, 1) ||
	    pthread_create(&thread, NULL, charon_run, c))
		abort();
	*why = "";
	children = vici_children(c->path, patience_ms, why);
	pthread_join(thread, NULL);
	close(c->listener);
	unlink(c->path);
	rmdir(dir);
	return children;
}

/* What comes of it if a charon says that */
static const char *refused(const struct bytes *says)
{
	struct charon c = { .says = says };
	const char *why;
	json_t *children = ask(&c, PATIENCE_MS, &why);

	EXPECT(!children, "%zu names", json_object_size(children));
	json_decref(children);
	return why;
}

static void test_good(void)
{
	static const char request[] =
		"\0\0\0\x09\x03\x07list-sa\0\0\0\x0a\0\x08list-sas";
	struct bytes says = conversation();
	struct charon c = { .says = &says, .hold = true };
	const char *why;
	json_t *children = ask(&c, PATIENCE_MS, &why);

	if (!EXPECT(children, "%s", why))
		return;
	EXPECT(json_object_size(children) == 4, "%zu",
	       json_object_size(children));
	EXPECT(!strcmp(text(children, "0xc0ffee01 192.0.2.1"), "office"), "in");
	EXPECT(!strcmp(text(children, "0x0000ee02 192.0.2.2"), "office"), "out");
	EXPECT(!strcmp(text(children, "0xc0ffee04 192.0.2.2"), "servers"),
	       "a child that has its name in the section's alone");
	json_decref(children);
	/* Nothing that would change anything */
	EXPECT(c.asked.size == sizeof(request) - 1 &&
	       !memcmp(c.asked.data, request, c.asked.size), "%zu bytes",
	       c.asked.size);
}

static void test_none(void)
{
	struct bytes says = { .size = 0 };
	struct charon c = { .says = &says };
	const char *why;
	json_t *children;

	packet(&says, 5, NULL, NULL);
	packet(&says, 1, NULL, NULL);
	children = ask(&c, PATIENCE_MS, &why);
	EXPECT(children && !json_object_size(children), "%s", why);
	json_decref(children);
}

/* Wherever it ends */
static void test_truncated(void)
{
	struct bytes whole = conversation(), ike = site();
	json_t *children = json_object();

	for (size_t i = 0; i < whole.size; i += 17) {
		struct bytes part = whole;
		const char *why;

		part.size = i;
		why = refused(&part);
		EXPECT(!strcmp(why, "charon has hung up"), "%zu: %s", i, why);
	}
	for (size_t i = 1; i < ike.size; i++) {
		/* Of its own size, so that reading on is seen */
		void *part = malloc(i);

		memcpy(part, ike.data, i);
		EXPECT(!vici_take(part, i, children), "%zu", i);
		free(part);
	}
	EXPECT(vici_take(ike.data, ike.size, children), "whole");
	json_decref(children);
}

static void test_silent(void)
{
	struct bytes whole = conversation();
	static const size_t sizes[] = { 0, 3, 40 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct charon c = { .says = &whole, .hold = true };
		const char *why;

		whole.size = sizes[i];
		EXPECT(!ask(&c, SHORT_MS, &why), "%zu", sizes[i]);
		EXPECT(!strcmp(why, "charon does not answer"), "%s", why);
	}
}

/* Longer than the protocol allows, of no length, of another type */
static void test_senseless(void)
{
	static const char senseless[][5] = {
		"\x00\x08\x00\x01\x05", "\xff\xff\xff\xff\x05",
		"\x00\x00\x00\x00\x05", "\x00\x00\x00\x01\x06",
	};
	struct bytes ike = site(), says;

	for (size_t i = 0; i < sizeof(senseless) / sizeof(*senseless); i++) {
		says.size = 0;
		put(&says, senseless[i], sizeof(senseless[i]));
		EXPECT(!strcmp(refused(&says),
			       "charon's answer is not understood"), "%zu", i);
	}
	/* An event that nobody asked for, one without a name, a garbled one */
	for (size_t i = 0; i < 3; i++) {
		says.size = 0;
		packet(&says, 5, NULL, NULL);
		if (i == 2)
			ike.data[ike.size - 1] = 7;
		packet(&says, 7, i == 0 ? "log" : i == 1 ? NULL : "list-sa",
		       i == 1 ? NULL : &ike);
		EXPECT(!strcmp(refused(&says),
			       "charon's answer is not understood"), "%zu", i);
	}
}

/* Sections in sections in sections, and one that ends and has not begun */
static void test_nested(void)
{
	json_t *children = json_object();
	struct bytes b = { .size = 0 };

	for (int i = 0; i < 1000; i++)
		section(&b, "a");
	for (int i = 0; i < 1000; i++)
		end(&b);
	EXPECT(!vici_take(b.data, b.size, children), "deep");
	b.size = 0;
	end(&b);
	EXPECT(!vici_take(b.data, b.size, children), "end");
	json_decref(children);
}

/* SPIs that are none, names for no terminal, and what is not ESP */
static void test_odd(void)
{
	static const char *const spis[] = { "", "x", "-1", " 1", "1ffffffff" };
	json_t *children = json_object();
	struct bytes b = { .size = 0 };

	ike_start(&b);
	for (size_t i = 0; i < sizeof(spis) / sizeof(*spis); i++)
		child(&b, spis[i], "odd", "ESP", spis[i], spis[i]);
	child(&b, "esc", "\033[2J", "ESP", "1", "2");
	child(&b, "csi", "\302\2332J", "ESP", "5", "6");
	child(&b, "ah", "ah", "AH", "3", "4");
	ike_end(&b);
	EXPECT(vici_take(b.data, b.size, children), "it is whole");
	EXPECT(!json_object_size(children), "%zu", json_object_size(children));
	/* Sections that are none, keys that are sections */
	b.size = 0;
	key(&b, "child-sas", "none");
	section(&b, "site");
	key(&b, "child-sas", "none");
	end(&b);
	EXPECT(vici_take(b.data, b.size, children), "it is whole, too");
	EXPECT(!json_object_size(children), "%zu", json_object_size(children));
	json_decref(children);
}

static void test_absent(void)
{
	const char *why = "";

	EXPECT(!vici_children("/nonexistent", SHORT_MS, &why), "somebody");
	EXPECT(why == vici_absent, "%s", why);
}

/* It is asked for names once, and then again when an SA has come. */
static void test_named(void)
{
	json_t *sas = json_pack("[{s:s, s:s}]", "spi", "0xc0ffee01",
				"dst", "192.0.2.1");
	json_t *to = json_object();
	struct children names = {
		.path = "/nonexistent",
		.names = json_pack("{s:s}", "0xc0ffee01 192.0.2.1", "office"),
	};
	struct ctl c = { .children = &names };

	children_name(&names, sas);
	EXPECT(!strcmp(text(json_array_get(sas, 0), "child"), "office"), "name");
	EXPECT(!names.error, "%s", names.error);
	json_array_append_new(sas, json_pack("{s:s, s:s}", "spi", "0xc0ffee01",
					     "dst", "192.0.2.2"));
	children_name(&names, sas);
	EXPECT(names.error == vici_absent, "%s", names.error);
	EXPECT(!json_object_get(json_array_get(sas, 1), "child"), "no name");
	json_array_remove(sas, 1);
	children_name(&names, sas);
	EXPECT(!names.error, "all have theirs again: %s", names.error);
	json_array_append_new(sas, json_pack("{s:s, s:s}", "spi", "0xc0ffee03",
					     "dst", "192.0.2.2"));
	children_name(&names, sas);

	/* It is no news, unless a name is looked for in vain. */
	children_say(&c, sas, to);
	EXPECT(!text(to, "children_error")[0], "%s", text(to, "children_error"));
	c.args[c.nr_args++] = "office";
	json_array_clear(sas);
	children_say(&c, sas, to);
	EXPECT(text(to, "children_error")[0], "nothing is said");
	json_decref(names.names);
	json_decref(sas);
	json_decref(to);
}

/* The kernel's SAs, and the module's transforms; the linker has those who ask come here. */
json_t *__wrap_xfrm_sas(const char **why);
json_t *__wrap_transforms(const struct ctl *c);

static const char *kernel_fails;

json_t *__wrap_xfrm_sas(const char **why)
{
	if (!kernel_fails)
		return json_pack("[{s:s, s:s, s:i}]", "spi", "0x00000001",
				 "dst", "192.0.2.2", "packets", 5);
	*why = kernel_fails;
	return NULL;
}

json_t *__wrap_transforms(const struct ctl *c)
{
	EXPECT(!c->children->error, "charon was asked meanwhile");
	return json_array();
}

/* Metrics of SAs that a charon at this path would have named */
static char *metrics(const char *path, bool json)
{
	char file[] = "/tmp/wavecrypt-metrics.XXXXXX", *all = NULL;
	struct children names = { .path = path };
	struct ctl c = {
		.root = "", .socket = "/nonexistent", .json = json,
		.output = file, .sas = true, .children = &names,
	};
	FILE *f = fdopen(mkstemp(file), "r");
	size_t size = 0;

	EXPECT(!metrics_run(&c), "not written");
	f = freopen(file, "r", f);
	if (getdelim(&all, &size, '\0', f) < 0)
		abort();
	fclose(f);
	unlink(file);
	json_decref(names.names);
	return all;
}

static void expect_metrics(const char *path, bool json, const char *words, bool there)
{
	char *all = metrics(path, json);

	EXPECT(!strstr(all, words) == !there, "\"%s\" in %s", words, all);
	free(all);
}

/* What is not known by its name, and should be, is not called otherwise. */
static void test_metrics(void)
{
	char deaf[200] = "";

	memset(deaf, 'x', sizeof(deaf) - 1);
	expect_metrics("/nonexistent", false, "\nwavecrypt_sas{reqid=\"0\",child=\"\"", true);
	expect_metrics("/nonexistent", true, "children_error", false);
	expect_metrics(deaf, false, "wavecrypt_sas", false);
	expect_metrics(deaf, true, "\"children_error\": \"the socket's path is too long\"", true);
	expect_metrics(deaf, true, "\"sas\"", false);
	kernel_fails = "why";
	expect_metrics(deaf, false, "wavecrypt_sas", false);
	expect_metrics(deaf, true, "\"sas_error\": \"why\"", true);
	kernel_fails = NULL;
}

int main(void)
{
	static const struct ktap_case cases[] = {
		{ "names of CHILD_SAs", test_good },
		{ "a charon without any", test_none },
		{ "a charon that hangs up", test_truncated },
		{ "a charon that falls silent", test_silent },
		{ "a charon that says what makes no sense", test_senseless },
		{ "sections in sections", test_nested },
		{ "what is no name, and no SPI", test_odd },
		{ "no charon", test_absent },
		{ "SAs get the names", test_named },
		{ "metrics by name, or not at all", test_metrics },
		{ 0 },
	};

	return ktap_run(cases);
}
