// SPDX-License-Identifier: GPL-2.0-only
/*
 * SAs as netlink tells of them, and who serves them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <ifaddrs.h>
#include <libmnl/libmnl.h>
#include <linux/xfrm.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/filter.h"
#include "ctl/hazards.h"
#include "ctl/proposal.h"
#include "ctl/sas.h"
#include "ctl/verdict.h"
#include "ctl/xfrm.h"
#include "ktap.h"
#include "report/json.h"
#include "report/exposition.h"
#include "report/metrics.h"

#define CBC	"authenc(hmac(sha1),cbc(aes))"
#define GCM	"rfc4106(gcm(aes))"

/* As of 6.10's linux/xfrm.h */
#define ATTR_SA_DIR	33

static const char secret[] = "\xde\xad\xbe\xef the key, never to be seen";

/* Room for a message */
static uint32_t buffer[1024];

static struct nlmsghdr *message_start(uint32_t spi, uint8_t proto)
{
	struct nlmsghdr *message;
	struct xfrm_usersa_info *info;

	memset(buffer, 0, sizeof(buffer));
	message = mnl_nlmsg_put_header(buffer);
	message->nlmsg_type = XFRM_MSG_NEWSA;
	info = mnl_nlmsg_put_extra_header(message, sizeof(*info));
	info->family = AF_INET;
	info->id.spi = htonl(spi);
	info->id.proto = proto;
	info->id.daddr.a4 = htonl(0xc0000202);
	info->saddr.a4 = htonl(0xc0000201);
	info->mode = XFRM_MODE_TUNNEL;
	info->curlft.packets = 7;
	return message;
}

static void put_algorithm(struct nlmsghdr *message, uint16_t type,
			  const char *name, unsigned int bits, size_t head)
{
	/* Name and length are where they are in all of the structures. */
	union {
		struct xfrm_algo algo;
		char raw[200];
	} value = { 0 };

	strcpy(value.algo.alg_name, name);
	value.algo.alg_key_len = bits;
	memcpy(value.raw + head, secret, sizeof(secret));
	mnl_attr_put(message, type, head + bits / 8, &value);
}

static struct nlmsghdr *gcm_message(uint32_t spi)
{
	struct nlmsghdr *message = message_start(spi, IPPROTO_ESP);

	put_algorithm(message, XFRMA_ALG_AEAD, GCM, 160,
		      sizeof(struct xfrm_algo_aead));
	return message;
}

static struct nlmsghdr *cbc_message(uint32_t spi, bool esn)
{
	struct nlmsghdr *message = message_start(spi, IPPROTO_ESP);
	struct xfrm_usersa_info *info = mnl_nlmsg_get_payload(message);

	info->flags = esn ? XFRM_STATE_ESN : 0;
	put_algorithm(message, XFRMA_ALG_AUTH_TRUNC, "hmac(sha1)", 160,
		      sizeof(struct xfrm_algo_auth));
	put_algorithm(message, XFRMA_ALG_CRYPT, "cbc(aes)", 256,
		      sizeof(struct xfrm_algo));
	return message;
}

static json_t *taken(const struct nlmsghdr *message)
{
	json_t *sas = json_array();

	xfrm_take(message, sas);
	return sas;
}

static const char *member(const json_t *sas, const char *key)
{
	return text(json_array_get(sas, 0), key);
}

static void test_gcm(void)
{
	json_t *sas = taken(gcm_message(0x1234));

	EXPECT(!strcmp(member(sas, "spi"), "0x00001234"), "%s",
	       member(sas, "spi"));
	EXPECT(!strcmp(member(sas, "src"), "192.0.2.1"), "%s",
	       member(sas, "src"));
	EXPECT(!strcmp(member(sas, "dst"), "192.0.2.2"), "%s",
	       member(sas, "dst"));
	EXPECT(!strcmp(member(sas, "algorithm"), GCM), "%s",
	       member(sas, "algorithm"));
	EXPECT(number(json_array_get(sas, 0), "key_bits") == 128,
	       "salt counted");
	EXPECT(number(json_array_get(sas, 0), "packets") == 7, "packets");
	json_decref(sas);
}

static void test_cbc(void)
{
	json_t *sas = taken(cbc_message(1, false));

	EXPECT(!strcmp(member(sas, "algorithm"), CBC), "%s",
	       member(sas, "algorithm"));
	json_decref(sas);
	sas = taken(cbc_message(1, true));
	EXPECT(!strcmp(member(sas, "algorithm"),
		       "authencesn(hmac(sha1),cbc(aes))"), "%s",
	       member(sas, "algorithm"));
	json_decref(sas);
}

static void test_proposal(void)
{
	static const struct {
		const char *algorithm;
		unsigned int key_bits;
		unsigned int icv_bits;
		bool esn;
		const char *want;
	} tests[] = {
		{ CBC, 128, 96, false, "aes128-sha1" },
		{ "authencesn(hmac(sha512),cbc(aes))", 256, 256, true,
		  "aes256-sha512-esn" },
		{ "authenc(hmac(sha256),cbc(aes))", 192, 128, false,
		  "aes192-sha256" },
		{ "authenc(hmac(sha256),cbc(aes))", 128, 96, false,
		  "aes128-sha256_96" },
		{ "authenc(hmac(sha384),rfc3686(ctr(aes)))", 256, 192, false,
		  "aes256ctr-sha384" },
		{ "authencesn(hmac(sha1),ecb(cipher_null))", 0, 96, true,
		  "null-sha1-esn" },
		{ "authenc(digest_null,cbc(aes))", 256, 0, false, "aes256" },
		{ GCM, 128, 128, true, "aes128gcm16-esn" },
		{ GCM, 256, 64, false, "aes256gcm8" },
		{ "rfc7539esp(chacha20,poly1305)", 256, 128, false,
		  "chacha20poly1305" },
		{ "authenc(hmac(md5),cbc(aes))", 128, 96, false, "" },
		{ "authenc(hmac(sha1),cbc(des3_ede))", 192, 96, false, "" },
		{ "", 0, 0, true, "" },
	};
	char name[64], small[8];

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		proposal_name(name, sizeof(name), tests[i].algorithm,
			      tests[i].key_bits, tests[i].icv_bits,
			      tests[i].esn);
		EXPECT(!strcmp(name, tests[i].want), "%s is not %s", name,
		       tests[i].want);
		proposal_name(small, sizeof(small), tests[i].algorithm,
			      tests[i].key_bits, tests[i].icv_bits,
			      tests[i].esn);
		EXPECT(!strncmp(small, tests[i].want, sizeof(small) - 1), "%s",
		       small);
	}
}

/* What netlink says is what the name is made of, the nonce's bits not counted. */
static void test_proposal_of_sa(void)
{
	struct nlmsghdr *message = message_start(1, IPPROTO_ESP);
	json_t *sas;

	put_algorithm(message, XFRMA_ALG_AUTH_TRUNC, "hmac(sha256)", 256,
		      sizeof(struct xfrm_algo_auth));
	put_algorithm(message, XFRMA_ALG_CRYPT, "rfc3686(ctr(aes))", 288,
		      sizeof(struct xfrm_algo));
	sas = taken(message);
	EXPECT(!strcmp(member(sas, "proposal"), "aes256ctr-sha256"), "%s",
	       member(sas, "proposal"));
	json_decref(sas);
	sas = taken(cbc_message(1, true));
	EXPECT(!strcmp(member(sas, "proposal"), "aes256-sha1-esn"), "%s",
	       member(sas, "proposal"));
	json_decref(sas);
}

/* Keys are in the messages, and nowhere else. */
static void test_no_keys(void)
{
	json_t *sas = taken(cbc_message(1, false));
	char *all = json_dumps(sas, 0);

	EXPECT(!strstr(all, "the key") && !strstr(all, "beef"), "%s", all);
	free(all);
	json_decref(sas);
}

static void test_not_esp(void)
{
	json_t *sas = taken(message_start(1, IPPROTO_AH));

	EXPECT(!json_array_size(sas), "an AH SA was taken");
	json_decref(sas);
}

/* The kernel has a place for one as soon as it is asked for. */
static void test_larval(void)
{
	json_t *sas = taken(message_start(1, IPPROTO_ESP));

	EXPECT(!json_array_size(sas), "one without an algorithm was taken");
	json_decref(sas);
}

/* Encrypted or not, it has a cipher; and it need not have more. */
static void test_ciphers(void)
{
	static const char *const ciphers[] = { "ecb(cipher_null)", "cbc(aes)" };

	for (size_t i = 0; i < sizeof(ciphers) / sizeof(*ciphers); i++) {
		struct nlmsghdr *message = message_start(1, IPPROTO_ESP);
		json_t *sas;

		put_algorithm(message, XFRMA_ALG_CRYPT, ciphers[i], 0,
			      sizeof(struct xfrm_algo));
		sas = taken(message);
		EXPECT(strstr(member(sas, "algorithm"), ciphers[i]), "%s",
		       ciphers[i]);
		json_decref(sas);
	}
}

/* Cut off anywhere, and with attributes that are too short. */
static void test_malformed(void)
{
	struct nlmsghdr *message = cbc_message(1, false);
	uint32_t whole = message->nlmsg_len;
	json_t *sas = json_array();
	char *cut;

	for (uint32_t n = sizeof(*message); n < whole; n++) {
		/* For the sanitizer to see where it ends */
		cut = malloc(n);
		if (!cut)
			break;
		message->nlmsg_len = n;
		memcpy(cut, buffer, n);
		xfrm_take((struct nlmsghdr *)cut, sas);
		free(cut);
	}
	message = message_start(1, IPPROTO_ESP);
	mnl_attr_put(message, XFRMA_ALG_AEAD, 3, "abc");
	mnl_attr_put(message, XFRMA_OFFLOAD_DEV, 0, "");
	xfrm_take(message, sas);
	EXPECT(json_array_size(sas) > 0, "nothing was taken");
	json_decref(sas);
}

static void test_direction(void)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0xc0000202),
	};
	struct ifaddrs nothing = { 0 };
	struct ifaddrs here = {
		.ifa_next = &nothing,
		.ifa_addr = (struct sockaddr *)&addr,
	};
	struct nlmsghdr *message;
	json_t *sas = taken(gcm_message(1));

	sas_direct(sas, &nothing);
	EXPECT(!member(sas, "direction")[0], "%s", member(sas, "direction"));
	sas_direct(sas, &here);
	EXPECT(!strcmp(member(sas, "direction"), "in"), "%s",
	       member(sas, "direction"));
	json_decref(sas);

	/* What the kernel says counts. */
	message = gcm_message(1);
	mnl_attr_put_u8(message, ATTR_SA_DIR, 2);
	sas = taken(message);
	sas_direct(sas, &here);
	EXPECT(!strcmp(member(sas, "direction"), "out"), "%s",
	       member(sas, "direction"));
	json_decref(sas);
}

static json_t *aeads(void)
{
#define AEAD	"{s:s, s:s, s:s, s:i, s:i}"
	return json_pack("[" AEAD ", " AEAD ", " AEAD ", " AEAD "]",
			 "name", GCM, "driver", "rfc4106-gcm-aes-wavecrypt",
			 "module", "wavecrypt", "priority", 10000, "users", 1,
			 "name", GCM, "driver", "rfc4106-gcm-aesni",
			 "module", "aesni_intel", "priority", 400, "users", 2,
			 "name", GCM, "driver", "rfc4106-unused",
			 "module", "kernel", "priority", 9000, "users", 0,
			 "name", "rfc4543(gcm(aes))", "driver", "rfc4543-gcm-aesni",
			 "module", "aesni_intel", "priority", 400, "users", 1);
#undef AEAD
}

static json_t *row(const char *spi, int encrypted, int decrypted, int key)
{
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s}", "algorithm", GCM,
			 "spi", spi, "offloadable", key,
			 "encrypt_offloaded", encrypted,
			 "decrypt_inline", decrypted,
			 "fallback", "rfc4106-gcm-aesni");
}

/* One inbound SA against these rows; takes them */
static json_t *judged(const struct nlmsghdr *message, json_t *rows)
{
	json_t *sas = taken(message), *all = aeads();

	json_object_set_new(json_array_get(sas, 0), "direction",
			    json_string("in"));
	sas_judge(sas, rows, all);
	json_decref(all);
	json_decref(rows);
	return sas;
}

static bool accelerated(const json_t *sas)
{
	return json_is_true(json_object_get(json_array_get(sas, 0),
					    "accelerated"));
}

static void test_ours(void)
{
	/* The other end of it, in another namespace, and another SA */
	json_t *rows = json_pack("[o, o, o]", row("0x00000005", 9, 0, 1),
				 row("0x00000005", 0, 6, 1),
				 row("0x00000006", 0, 3, 1));
	json_t *sas = judged(gcm_message(5), rows);

	EXPECT(accelerated(sas), "%s", member(sas, "note"));
	EXPECT(!strcmp(member(sas, "driver"), "rfc4106-gcm-aes-wavecrypt"),
	       "%s", member(sas, "driver"));
	EXPECT(!strcmp(member(sas, "evidence"), "counted"), "%s",
	       member(sas, "evidence"));
	EXPECT(number(json_array_get(sas, 0), "packets_inline") == 6,
	       "inline");
	EXPECT(number(json_array_get(sas, 0), "packets_offloaded") == 0,
	       "offloaded");
	EXPECT(!strcmp(member(sas, "inline_driver"), "rfc4106-gcm-aesni"),
	       "%s", member(sas, "inline_driver"));
	json_decref(sas);
}

static void test_no_key(void)
{
	json_t *rows = json_pack("[o]", row("0x00000005", 0, 6, 0));
	json_t *sas = judged(gcm_message(5), rows);

	EXPECT(!accelerated(sas), "it has no key to be offloaded with");
	EXPECT(strstr(member(sas, "note"), "parameter keys"), "%s",
	       member(sas, "note"));
	json_decref(sas);
}

static void test_ambiguous(void)
{
	json_t *rows = json_pack("[o, o]", row("0x00000005", 0, 6, 1),
				 row("0x00000005", 0, 7, 1));
	json_t *sas = judged(gcm_message(5), rows);

	EXPECT(accelerated(sas), "%s", member(sas, "note"));
	EXPECT(!json_object_get(json_array_get(sas, 0), "packets_inline"),
	       "counted for one of two");
	EXPECT(strstr(member(sas, "note"), "several"), "%s",
	       member(sas, "note"));
	json_decref(sas);
}

static void test_theirs(void)
{
	json_t *sas = judged(gcm_message(5), json_array()), *all;

	EXPECT(!accelerated(sas), "nobody has seen its packets");
	EXPECT(!strcmp(member(sas, "driver"), "rfc4106-gcm-aesni"), "%s",
	       member(sas, "driver"));
	EXPECT(!strcmp(member(sas, "evidence"), "deduced"), "%s",
	       member(sas, "evidence"));
	json_decref(sas);

	sas = judged(cbc_message(5, true), json_array());
	EXPECT(strstr(member(sas, "note"), "does not do this algorithm"), "%s",
	       member(sas, "note"));
	json_decref(sas);

	/* Without the module */
	all = aeads();
	json_array_remove(all, 0);
	sas = taken(gcm_message(5));
	sas_judge(sas, NULL, all);
	EXPECT(!strcmp(member(sas, "driver"), "rfc4106-gcm-aesni"), "%s",
	       member(sas, "driver"));
	EXPECT(!member(sas, "note")[0], "%s", member(sas, "note"));
	json_decref(sas);
	json_decref(all);
}

/* Without packets, and without a module that tells, nothing is claimed. */
static void test_unknown(void)
{
	struct nlmsghdr *message = gcm_message(5);
	struct xfrm_usersa_info *info = mnl_nlmsg_get_payload(message);
	json_t *sas;

	info->curlft.packets = 0;
	sas = judged(message, json_pack("[o]", row("0x00000006", 0, 3, 1)));
	EXPECT(!member(sas, "driver")[0], "%s", member(sas, "driver"));
	EXPECT(strstr(member(sas, "note"), "no packet yet"), "%s",
	       member(sas, "note"));
	json_decref(sas);

	sas = judged(gcm_message(5), NULL);
	EXPECT(!member(sas, "driver")[0], "%s", member(sas, "driver"));
	EXPECT(strstr(member(sas, "note"), "/proc/wavecrypt"), "%s",
	       member(sas, "note"));
	json_decref(sas);
}

/* Without packets, but the module has no transform, be it of this one or another */
static void test_idle(void)
{
	struct nlmsghdr *message = gcm_message(5);
	struct xfrm_usersa_info *info = mnl_nlmsg_get_payload(message);
	json_t *sas;

	info->curlft.packets = 0;
	sas = judged(message, json_array());
	EXPECT(!strcmp(member(sas, "driver"), "rfc4106-gcm-aesni"), "%s",
	       member(sas, "driver"));
	EXPECT(strstr(member(sas, "note"), "when it is rekeyed"), "%s",
	       member(sas, "note"));
	json_decref(sas);
}

static void test_hardware(void)
{
	struct xfrm_user_offload device = { .ifindex = 12345 };
	struct nlmsghdr *message = gcm_message(5);
	json_t *sas;

	mnl_attr_put(message, XFRMA_OFFLOAD_DEV, sizeof(device), &device);
	sas = judged(message, json_array());
	EXPECT(!strcmp(member(sas, "device"), "12345"), "%s",
	       member(sas, "device"));
	EXPECT(!member(sas, "driver")[0], "%s", member(sas, "driver"));
	json_decref(sas);
}

/* How often anything was looked up in an object; the linker has that come here. */
static size_t looked;

json_t *__real_json_object_get(const json_t *object, const char *key);
json_t *__wrap_json_object_get(const json_t *object, const char *key);

json_t *__wrap_json_object_get(const json_t *object, const char *key)
{
	looked++;
	return __real_json_object_get(object, key);
}

/* Counted, an SA of that kind is one of these, and carried packets. */
static void expect_kind(const char *name, const struct nlmsghdr *message, json_t *rows,
			size_t offset)
{
	json_t *sas = judged(message, rows), *all = aeads();
	struct sas_count n = sas_count(sas, all);
	const size_t *at = (const size_t *)((const char *)&n + offset);
	bool otherwise = at != &n.accelerated && at != &n.unknown;

	EXPECT(n.all == 1 && *at == 1, "%s: %zu, %zu", name, n.all, *at);
	EXPECT(n.accelerated + n.unknown + n.barred + n.device + n.older + n.foreign == 1,
	       "%s: something else as well", name);
	EXPECT(n.otherwise == otherwise && n.carried == otherwise, "%s: %zu, %zu", name,
	       n.otherwise, n.carried);
	json_decref(sas);
	json_decref(all);
}

#define EXPECT_KIND(kind, message, rows)	\
	expect_kind(#kind, message, rows, offsetof(struct sas_count, kind))

/* Without the module any may be for it. */
static void test_count_alone(void)
{
	json_t *sas = judged(gcm_message(5), json_array()), *all = aeads();
	struct sas_count n;

	json_array_remove(all, 0);
	n = sas_count(sas, all);
	EXPECT(n.older == 1 && !n.foreign, "%zu, %zu", n.older, n.foreign);
	json_decref(sas);
	json_decref(all);
}

/* By what would change that: more room, the interface's settings, a rekeying, or nothing */
static void test_count(void)
{
	struct xfrm_user_offload device = { .ifindex = 12345 };
	struct nlmsghdr *message;

	EXPECT_KIND(accelerated, gcm_message(5), json_pack("[o]", row("0x00000005", 0, 6, 1)));
	EXPECT_KIND(barred, gcm_message(5), json_pack("[o]", row("0x00000005", 0, 6, 0)));
	EXPECT_KIND(older, gcm_message(5), json_array());
	EXPECT_KIND(unknown, gcm_message(5), NULL);
	message = gcm_message(5);
	mnl_attr_put(message, XFRMA_OFFLOAD_DEV, sizeof(device), &device);
	EXPECT_KIND(device, message, json_array());
	message = message_start(5, IPPROTO_ESP);
	put_algorithm(message, XFRMA_ALG_AEAD, "rfc4543(gcm(aes))", 160,
		      sizeof(struct xfrm_algo_aead));
	EXPECT_KIND(foreign, message, json_array());
	test_count_alone();
}

static json_t *many(size_t nr, const char *packets)
{
	json_t *all = json_array();
	char spi[24];

	for (size_t i = 0; i < nr; i++) {
		snprintf(spi, sizeof(spi), "0x%08zx", i + 1);
		json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:i, s:i}",
						     "spi", spi, "algorithm", GCM,
						     "direction", "out",
						     "dst", "192.0.2.2",
						     packets, 1,
						     "offloadable", 1));
	}
	return all;
}

/* What it takes to judge so many SAs, and to see what they did since */
static size_t work_for(size_t nr)
{
	json_t *sas = many(nr, "packets"), *before = many(nr, "packets");
	json_t *rows = many(nr, "encrypt_inline");
	json_t *aeads = json_pack("[{s:s, s:s, s:s, s:i}]", "name", GCM,
				  "driver", "x-wavecrypt", "module", "wavecrypt",
				  "priority", 1);

	looked = 0;
	sas_direct(sas, NULL);
	sas_judge(sas, rows, aeads);
	sas_rates(sas, before, 1);
	EXPECT(!strcmp(text(json_array_get(sas, nr - 1), "evidence"), "counted"),
	       "the last one of %zu", nr);
	json_decref(sas);
	json_decref(before);
	json_decref(rows);
	json_decref(aeads);
	return looked;
}

static void test_many(void)
{
	size_t few = work_for(100), most = work_for(10000);

	EXPECT(few > 100, "%zu, which is hardly all", few);
	EXPECT(most <= 110 * few, "%zu for 100, but %zu for 10000", few, most);
}

static void test_filter(void)
{
	static const struct {
		const char *word;
		bool known, matches;
	} words[] = {
		{ "0x00c0ffee", true, true }, { "0xC0FFEE", true, true },
		{ "spi=c0ffee", true, true }, { "0xc0ffe", true, false },
		{ "192.0.2.1", true, true }, { "peer=192.0.2.2", true, true },
		{ "192.0.2.3", true, false }, { "2001:db8::1", true, false },
		{ "42", true, true }, { "reqid=42", true, true },
		{ "4", true, false }, { "reqid=-42", false, false },
		{ "gcm", true, true }, { "algorithm=rfc4106", true, true },
		{ "cbc", true, false }, { "reqid=", false, false },
		{ "office", true, true }, { "child=office", true, true },
		{ "offi", true, false }, { "child=gcm", true, false },
		{ "algorithm=office", true, false }, { "child=7", true, false },
		{ "colour=red", false, false }, { "=", false, false },
		{ "0xzz", false, false }, { "spi=xyz", false, false },
		{ "peer=1.2.3", false, false }, { "reqid=abc", false, false },
	};
	json_t *sa = json_pack("{s:s, s:s, s:s, s:i, s:s, s:s}",
			       "spi", "0x00c0ffee", "src", "192.0.2.1",
			       "dst", "192.0.2.2", "reqid", 42, "algorithm", GCM,
			       "child", "office");
	struct ctl c = { .args = { "42", "gcm" }, .nr_args = 2 };
	json_t *some = json_array();

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		EXPECT(filter_known(words[i].word) == words[i].known, "\"%s\"",
		       words[i].word);
		EXPECT(filter_matches(words[i].word, sa) == words[i].matches,
		       "\"%s\"", words[i].word);
	}
	/* All of several words */
	json_array_append(some, sa);
	some = filter_sas(&c, some);
	EXPECT(json_array_size(some) == 1, "%zu", json_array_size(some));
	c.args[1] = "cbc";
	some = filter_sas(&c, some);
	EXPECT(!json_array_size(some), "%zu", json_array_size(some));
	json_decref(some);
	json_decref(sa);
}

/* One that carried packets since, one that is new, one that began anew */
static void test_rates(void)
{
	json_t *before = json_pack("[{s:s,s:s,s:i,s:i,s:i},{s:s,s:s,s:i}]",
				   "spi", "0x1", "dst", "a", "packets", 10,
				   "bytes", 1000, "packets_offloaded", 5,
				   "spi", "0x2", "dst", "a", "packets", 100);
	json_t *after = json_pack("[{s:s,s:s,s:i,s:i,s:i},{s:s,s:s,s:i},{s:s,s:s,s:i}]",
				  "spi", "0x1", "dst", "a", "packets", 30,
				  "bytes", 3000, "packets_offloaded", 15,
				  "spi", "0x1", "dst", "b", "packets", 8,
				  "spi", "0x2", "dst", "a", "packets", 4);
	static const double packets[] = { 10, 4, 2 };

	sas_rates(after, before, 2);
	for (size_t i = 0; i < 3; i++) {
		double n = json_real_value(json_object_get(json_array_get(after, i),
							   "packets_per_s"));

		EXPECT(n == packets[i], "%zu: %g", i, n);
	}
	EXPECT(json_real_value(json_object_get(json_array_get(after, 0),
					       "bits_per_s")) == 8000, "bits");
	EXPECT(json_real_value(json_object_get(json_array_get(after, 0),
					       "offloaded_per_s")) == 5, "offloaded");
	json_decref(before);
	json_decref(after);
}

/* One of them has gone, and another has come: neither takes from the third's. */
static void test_rekeyed(void)
{
	json_t *before = json_pack("{s:f, s:b, s:[{s:s,s:s,s:i,s:i},{s:s,s:s,s:i,s:i}]}",
				   "time", 10.0, "filtered", 1, "sas",
				   "spi", "0x1", "dst", "a",
				   "packets_offloaded", 1000, "packets_inline", 7,
				   "spi", "0x2", "dst", "b",
				   "packets_offloaded", 500, "packets_inline", 0);
	json_t *after = json_pack("{s:f, s:b, s:[{s:s,s:s,s:i,s:i},{s:s,s:s,s:i,s:i}]}",
				  "time", 11.0, "filtered", 1, "sas",
				  "spi", "0x2", "dst", "b",
				  "packets_offloaded", 510, "packets_inline", 1,
				  "spi", "0x3", "dst", "a",
				  "packets_offloaded", 4, "packets_inline", 2);
	const json_t *now;

	status_judge(after, before);
	now = json_object_get(after, "now");
	EXPECT(number(now, "offloaded") == 14, "offloaded %lld",
	       (long long)number(now, "offloaded"));
	EXPECT(number(now, "inline") == 3, "inline %lld",
	       (long long)number(now, "inline"));
	json_decref(before);
	json_decref(after);
}

/* What "status" says of one SA, while others have the module busy */
static void expect_named(int offloaded, int here, const char *hazard, bool good,
			 const char *words)
{
	json_t *hazards = json_pack("[{s:s, s:s}]", "state", hazard,
				    "guard", "encrypt");
	json_t *module = json_pack("{s:b, s:s, s:s, s:i}", "loaded", 1,
				   "mode", "auto", "state", "live",
				   "helper_pid", 7);
	json_t *algs = json_pack("[{s:s, s:s, s:i, s:i, s:i}]", "driver", "ours",
				 "preferred", "ours", "users", 4,
				 "requests_offloaded", 1000,
				 "requests_inline", 2000);
	json_t *sas = json_pack("[{s:s, s:s, s:s, s:s, s:i, s:b, s:i, s:i}]",
				"spi", "0x1", "dst", "a", "direction", "out",
				"driver", "ours", "packets", offloaded + here,
				"accelerated", 1, "packets_offloaded", offloaded,
				"packets_inline", here);
	json_t *status, *before;

	hazards_hold_sas(hazards, sas);
	status = json_pack("{s:f, s:b, s:o, s:o, s:o, s:o}", "time", 10.0,
			   "filtered", 1, "hazards", hazards, "module", module,
			   "algorithms", algs, "sas", sas);
	before = json_deep_copy(status);
	json_object_set_new(before, "time", json_real(9.0));
	status_judge(status, before);
	EXPECT(strstr(text(status, "summary"), words), "%s", text(status, "summary"));
	EXPECT(json_is_true(json_object_get(status, "accelerated")) == good,
	       "%s", text(status, "summary"));
	json_decref(before);
	json_decref(status);
}

/* What "status" says if those that were asked for are not there */
static void expect_absent(const char *error, const char *why, bool partial,
			  const char *words)
{
	json_t *status = json_pack("{s:b, s:{s:b, s:s, s:s}, s:[{s:s, s:s}]}",
				   "filtered", 1, "module", "loaded", 1,
				   "mode", "auto", "state", "live",
				   "algorithms", "driver", "ours", "preferred", "ours");

	if (error)
		json_object_set_new(status, error, json_string(why));
	if (partial)
		json_object_set_new(status, "partial", json_true());
	status_judge(status, status);
	EXPECT(strstr(text(status, "summary"), words), "%s", text(status, "summary"));
	EXPECT(json_is_false(json_object_get(status, "accelerated")), "accelerated");
	json_decref(status);
}

static void test_absent(void)
{
	expect_absent(NULL, NULL, false, "there is no such SA");
	expect_absent("sas_error", "why", true, "SAs cannot be seen (why)");
	expect_absent("children_error", "why", true, "names are not known (why)");
	/* None was asked for by its name. */
	expect_absent("children_error", "why", false, "there is no such SA");
}

/* What could not be seen before did not do all of it since. */
static void expect_come(bool filtered, bool partial, int packets)
{
	json_t *before = json_pack("{s:f, s:{}}", "time", 10.0, "module");
	json_t *after = json_pack("{s:f, s:{}, s:[{s:s, s:s, s:i, s:i}]}", "time", 11.0,
				  "module", "sas", "spi", "0x1", "dst", "a",
				  "packets", 1000, "packets_offloaded", 1000);

	if (filtered)
		json_object_set_new(after, "filtered", json_true());
	if (partial)
		json_object_set_new(before, "partial", json_true());
	status_judge(after, before);
	EXPECT(real(json_array_get(json_object_get(after, "sas"), 0), "packets_per_s") == packets,
	       "packets, filtered %d, partial %d", filtered, partial);
	EXPECT(number(json_object_get(after, "now"), "offloaded") == (filtered ? packets : 0),
	       "now, filtered %d, partial %d", filtered, partial);
	json_decref(before);
	json_decref(after);
}

/* What "status" says of SAs: a letter for each, which is small if it has no packets.
 * @which: O: ours; T: another driver's; D: a network interface's; U: nobody can tell
 */
static void expect_served(const char *which, bool good, const char *words)
{
	json_t *status = json_pack("{s:f, s:{s:b, s:s, s:s}, s:[{s:s, s:s}], s:[]}",
				   "time", 10.0, "module", "loaded", 1,
				   "mode", "auto", "state", "live",
				   "algorithms", "driver", "ours", "preferred", "ours",
				   "sas");
	const char *summary;

	for (; *which; which++) {
		json_t *sa = json_pack("{s:b, s:i}", "accelerated", toupper(*which) == 'O',
				       "packets", isupper(*which) ? 900000 : 0);

		if (toupper(*which) != 'U')
			json_object_set_new(sa, toupper(*which) == 'D' ? "device" : "driver",
					    json_string("x"));
		json_array_append_new(json_object_get(status, "sas"), sa);
	}
	status_judge(status, status);
	summary = text(status, "summary");
	EXPECT(strstr(summary, words), "%s", summary);
	EXPECT(json_is_true(json_object_get(status, "accelerated")) == good, "%s", summary);
	json_decref(status);
}

/* One that is idle does not make up for those that are not. */
static void test_served(void)
{
	expect_served("T", false, "of 1 SA wavecrypt can offload none;");
	expect_served("tt", false, "of 2 SAs wavecrypt can offload none;");
	expect_served("Tu", false, "of 2 SAs wavecrypt can offload none that has carried packets;");
	expect_served("TOu", true, "Of 3 SAs wavecrypt cannot offload 1");
	expect_served("tu", true, "Of 2 SAs wavecrypt cannot offload 1");
	expect_served("uu", true, "Ready");
	/* In a container the module's list may be out of reach. */
	expect_served("UU", true, "Ready");
	expect_served("Dd", false, "of 2 SAs wavecrypt can offload none;");
}

static void test_come(void)
{
	expect_come(false, false, 1000);
	expect_come(false, true, 0);
	expect_come(true, false, 1000);
	expect_come(true, true, 0);
}

static void test_named(void)
{
	expect_named(0, 0, "dormant", true, "there was no request so far");
	expect_named(0, 5, "dormant", true, "so far each of 5 requests was light enough");
	expect_named(0, 5, "guarded", false, "so far each of 5 requests was one that is not");
	expect_named(3, 5, "dormant", true, "3 requests went to the helper (process 7), and 5 ");
}

/* What it says of one whose packets all came back, by what the module counted of all */
static void expect_redone(int rechecked, int wrong, bool good, const char *words)
{
	json_t *status = json_pack("{s:f, s:b, s:{s:b, s:s, s:s, s:i}}", "time", 10.0, "filtered",
				   1, "module", "loaded", 1, "mode", "auto", "state", "live",
				   "helper_pid", 7);

	json_object_set_new(status, "algorithms",
			    json_pack("[{s:s, s:s, s:i, s:i, s:i, s:i}]", "driver", "ours",
				      "preferred", "ours", "users", 4, "requests_offloaded", 1000,
				      "rechecked", rechecked, "icv_failures", wrong));
	json_object_set_new(status, "sas",
			    json_pack("[{s:s, s:s, s:s, s:b, s:i, s:i}]", "spi", "0x1", "dst", "a",
				      "driver", "ours", "accelerated", 1, "packets", 5,
				      "packets_redone", 5));
	status_judge(status, status);
	EXPECT(strstr(text(status, "summary"), words), "%s", text(status, "summary"));
	EXPECT(json_is_true(json_object_get(status, "accelerated")) == good, "%s",
	       text(status, "summary"));
	json_decref(status);
}

static void test_redone(void)
{
	expect_redone(0, 9, false, "5 of 5 requests came back from the helper (process 7) for");
	expect_redone(9, 3, false, "2 of 5 requests came back from the helper (process 7) for");
	expect_redone(9, 9, true, "5 of 5 requests came back from the helper (process 7) as");
}

static void add_sa(json_t *sas, const char *spi, int reqid, bool ours,
		   int packets)
{
	json_array_append_new(sas, json_pack("{s:s, s:i, s:s, s:s, s:s, s:b, s:i, s:i}",
					     "spi", spi, "reqid", reqid,
					     "direction", "out",
					     "proposal", "aes128gcm16",
					     "algorithm", GCM,
					     "accelerated", ours,
					     "packets", packets,
					     "packets_offloaded", packets / 2));
}

static void expect_metric(const char *all, const char *name, int reqid,
			  const char *child, int value)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "\n%s{reqid=\"%d\",child=\"%s\",direction=\"out\",proposal=\"aes128gcm16\",algorithm=\"%s\"} %d\n",
		 name, reqid, child, GCM, value);
	EXPECT(strstr(all, line), "%s is not in %s", line, all);
}

/* Of one tunnel in the midst of a rekeying, and another: by reqid, never by SPI */
static void test_metrics(void)
{
	json_t *stats = json_pack("{s:[]}", "sas");
	json_t *sas = json_object_get(stats, "sas");
	char *all;

	add_sa(sas, "0x00000001", 5, true, 10);
	add_sa(sas, "0x00000002", 5, false, 1);
	add_sa(sas, "0x00000003", 6, true, 7);
	json_object_set_new(json_array_get(sas, 2), "child",
			    json_string("office"));
	all = metrics_text(stats);
	expect_metric(all, "wavecrypt_sas", 5, "", 2);
	expect_metric(all, "wavecrypt_sas_accelerated", 5, "", 1);
	expect_metric(all, "wavecrypt_sas_packets", 5, "", 11);
	expect_metric(all, "wavecrypt_sas_offloaded_packets", 5, "", 5);
	expect_metric(all, "wavecrypt_sas_packets", 6, "office", 7);
	EXPECT(!strstr(all, "0x0000"), "an SPI in %s", all);
	free(all);
	json_decref(stats);
}

/* Of a name that leaves no room for other labels; characters of it are not cut */
static void expect_long_name(const char *begin, const char *more)
{
	json_t *stats = json_pack("{s:[]}", "sas");
	json_t *sas = json_object_get(stats, "sas");
	char name[4096] = "", *all, *line;

	strcat(name, begin);
	while (strlen(name) + strlen(more) < sizeof(name))
		strcat(name, more);
	add_sa(sas, "0x00000001", 5, true, 10);
	json_object_set_new(json_array_get(sas, 0), "child", json_string(name));
	all = metrics_text(stats);
	line = strstr(all, "\nwavecrypt_sas_packets{reqid=\"5\",child=\"");
	if (EXPECT(line, "%s%s..., in %s", begin, more, all)) {
		*strchr(line + 1, '\n') = '\0';
		EXPECT(strlen(line) < LABELS + 40, "%zu", strlen(line));
		EXPECT(strstr(line, "\"} 10"), "%s", line);
	}
	free(all);
	json_decref(stats);
}

static void test_long_names(void)
{
	expect_long_name("", "x");
	expect_long_name("", "\"");
	expect_long_name("x", "\"");
	expect_long_name("", "\xc3\xbc");
	expect_long_name("x", "\xc3\xbc");
}

int main(void)
{
	static const struct ktap_case cases[] = {
		{ "an SA of rfc4106", test_gcm },
		{ "an SA of authenc, with and without ESN", test_cbc },
		{ "every proposal by its name", test_proposal },
		{ "the proposal of an SA", test_proposal_of_sa },
		{ "no key is told", test_no_keys },
		{ "others than ESP's are passed over", test_not_esp },
		{ "those without an algorithm as yet", test_larval },
		{ "a cipher alone, and none", test_ciphers },
		{ "malformed messages", test_malformed },
		{ "its direction", test_direction },
		{ "one that wavecrypt serves", test_ours },
		{ "one whose key is not in the table", test_no_key },
		{ "one of two with the same SPI", test_ambiguous },
		{ "one that another driver serves", test_theirs },
		{ "one that nobody can tell of", test_unknown },
		{ "one without packets, and the module serves none", test_idle },
		{ "one that a network interface serves", test_hardware },
		{ "what would have them accelerated", test_count },
		{ "metrics of them", test_metrics },
		{ "metrics of names that are too long", test_long_names },
		{ "ten thousand take a hundred times what a hundred take", test_many },
		{ "named by SPI, end, reqid, algorithm or CHILD_SA", test_filter },
		{ "what they did lately", test_rates },
		{ "the same while one is rekeyed", test_rekeyed },
		{ "the first line of one is about that one", test_named },
		{ "nor is what others were sent held against it", test_redone },
		{ "the first line of those that others serve, and idle ones", test_served },
		{ "the first line of one that is not there", test_absent },
		{ "what they did that could not be seen before", test_come },
		{ 0 },
	};

	return ktap_run(cases);
}
