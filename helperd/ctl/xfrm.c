// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's SAs, by netlink: all that "ip xfrm state" shows but the keys.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/xfrm.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctl/proposal.h"
#include "ctl/xfrm.h"
#include "lib/array.h"
#include "report/json.h"

/* From 6.10's linux/xfrm.h, in case that here is older. */
#define ATTR_SA_DIR	33
#define SA_DIR_IN	1
#define SA_DIR_OUT	2

#define NAME_SIZE	64

#define ATTEMPTS	5

/* What RFCs 4106, 3686 and 7634 have behind a key */
#define SALT_BITS	32

/**
 * struct attributes - those that matter; NULL: not there
 */
struct attributes {
	const struct nlattr *aead;
	const struct nlattr *crypt;
	const struct nlattr *auth;
	const struct nlattr *auth_trunc;
	const struct nlattr *device;
	const struct nlattr *dir;
};

/* Take an attribute if it is as long as its structure. */
static void take(const struct nlattr **to, const struct nlattr *attr,
		 size_t size)
{
	if (mnl_attr_get_payload_len(attr) >= size)
		*to = attr;
}

static int take_attribute(const struct nlattr *attr, void *context)
{
	struct attributes *a = context;

	switch (mnl_attr_get_type(attr)) {
	case XFRMA_ALG_AEAD:
		take(&a->aead, attr, sizeof(struct xfrm_algo_aead));
		break;
	case XFRMA_ALG_CRYPT:
		take(&a->crypt, attr, sizeof(struct xfrm_algo));
		break;
	case XFRMA_ALG_AUTH:
		take(&a->auth, attr, sizeof(struct xfrm_algo));
		break;
	case XFRMA_ALG_AUTH_TRUNC:
		take(&a->auth_trunc, attr, sizeof(struct xfrm_algo_auth));
		break;
	case XFRMA_OFFLOAD_DEV:
		take(&a->device, attr, sizeof(struct xfrm_user_offload));
		break;
	case ATTR_SA_DIR:
		take(&a->dir, attr, sizeof(uint8_t));
		break;
	}
	return MNL_CB_OK;
}

/* The AEAD that ESP asks the crypto API for (esp4.c's esp_init_authenc()). */
static void name_authenc(json_t *sa, const struct attributes *a, bool esn)
{
	const struct xfrm_algo *crypt = mnl_attr_get_payload(a->crypt);
	int bits = crypt->alg_key_len;
	const char *auth = "digest_null";
	char name[3 * NAME_SIZE];

	/* Both structures begin with the name. */
	if (a->auth_trunc) {
		const struct xfrm_algo_auth *trunc =
			mnl_attr_get_payload(a->auth_trunc);

		auth = trunc->alg_name;
		json_object_set_new(sa, "icv_bits",
				    json_integer(trunc->alg_trunc_len));
	} else if (a->auth) {
		auth = mnl_attr_get_payload(a->auth);
	}
	if (!strncmp(crypt->alg_name, "rfc3686(", 8) && bits > SALT_BITS)
		bits -= SALT_BITS;
	snprintf(name, sizeof(name), "%s(%.63s,%.63s)",
		 esn ? "authencesn" : "authenc", auth, crypt->alg_name);
	json_object_set_new(sa, "algorithm", json_string(name));
	json_object_set_new(sa, "key_bits", json_integer(bits));
}

static void name_aead(json_t *sa, const struct attributes *a)
{
	const struct xfrm_algo_aead *aead = mnl_attr_get_payload(a->aead);
	size_t n = strnlen(aead->alg_name, NAME_SIZE);
	int bits = aead->alg_key_len;

	if ((!strncmp(aead->alg_name, "rfc4106(", 8) ||
	     !strncmp(aead->alg_name, "rfc7539esp(", 11)) && bits > SALT_BITS)
		bits -= SALT_BITS;
	json_object_set_new(sa, "icv_bits", json_integer(aead->alg_icv_len));
	json_object_set_new(sa, "algorithm", json_stringn(aead->alg_name, n));
	json_object_set_new(sa, "key_bits", json_integer(bits));
}

static void name_proposal(json_t *sa)
{
	char name[64];

	proposal_name(name, sizeof(name), text(sa, "algorithm"),
		      number(sa, "key_bits"), number(sa, "icv_bits"),
		      json_is_true(json_object_get(sa, "esn")));
	if (name[0])
		json_object_set_new(sa, "proposal", json_string(name));
}

static void name_device(json_t *sa, const struct nlattr *attr)
{
	const struct xfrm_user_offload *device = mnl_attr_get_payload(attr);
	char name[IF_NAMESIZE];

	if (!if_indextoname(device->ifindex, name))
		snprintf(name, sizeof(name), "%d", device->ifindex);
	json_object_set_new(sa, "device", json_string(name));
}

static const char *mode_name(uint8_t mode)
{
	static const char *const names[] = {
		[XFRM_MODE_TRANSPORT] = "transport",
		[XFRM_MODE_TUNNEL] = "tunnel",
		[XFRM_MODE_ROUTEOPTIMIZATION] = "route optimization",
		[XFRM_MODE_IN_TRIGGER] = "in trigger",
		[XFRM_MODE_BEET] = "beet",
	};

	return mode < ARRAY_SIZE(names) ? names[mode] : "another mode";
}

static json_t *sa_json(const struct xfrm_usersa_info *info,
		       const struct attributes *a)
{
	char src[INET6_ADDRSTRLEN] = "?", dst[INET6_ADDRSTRLEN] = "?";
	char spi[16];
	json_t *sa;

	inet_ntop(info->family, &info->saddr, src, sizeof(src));
	inet_ntop(info->family, &info->id.daddr, dst, sizeof(dst));
	snprintf(spi, sizeof(spi), "0x%08x", ntohl(info->id.spi));
	sa = json_pack("{s:s, s:s, s:s, s:s, s:I, s:b, s:I, s:I, s:I}",
		       "spi", spi, "src", src, "dst", dst,
		       "mode", mode_name(info->mode),
		       "reqid", (json_int_t)info->reqid,
		       "esn", !!(info->flags & XFRM_STATE_ESN),
		       "packets", (json_int_t)info->curlft.packets,
		       "bytes", (json_int_t)info->curlft.bytes,
		       "added", (json_int_t)info->curlft.add_time);
	if (!sa)
		return NULL;
	if (a->aead)
		name_aead(sa, a);
	else
		name_authenc(sa, a, info->flags & XFRM_STATE_ESN);
	name_proposal(sa);
	if (a->device)
		name_device(sa, a->device);
	if (a->dir) {
		uint8_t dir = mnl_attr_get_u8(a->dir);

		if (dir == SA_DIR_IN || dir == SA_DIR_OUT)
			json_object_set_new(sa, "direction",
					    json_string(dir == SA_DIR_IN ?
							"in" : "out"));
	}
	return sa;
}

int xfrm_take(const struct nlmsghdr *message, void *sas)
{
	struct attributes a = { 0 };
	const struct xfrm_usersa_info *info;

	if (message->nlmsg_type != XFRM_MSG_NEWSA ||
	    mnl_nlmsg_get_payload_len(message) < sizeof(*info))
		return MNL_CB_OK;
	info = mnl_nlmsg_get_payload(message);
	if (info->id.proto != IPPROTO_ESP)
		return MNL_CB_OK;
	mnl_attr_parse(message, sizeof(*info), take_attribute, &a);
	/* One that is still being negotiated; ESP always has either. */
	if (!a.aead && !a.crypt)
		return MNL_CB_OK;
	json_array_append_new(sas, sa_json(info, &a));
	return MNL_CB_OK;
}

static bool ask(struct mnl_socket *socket)
{
	struct nlmsghdr message = {
		.nlmsg_len = sizeof(message),
		.nlmsg_type = XFRM_MSG_GETSA,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
	};

	return mnl_socket_sendto(socket, &message, sizeof(message)) >= 0;
}

static bool receive(struct mnl_socket *socket, json_t *sas)
{
	/* Words, for alignment */
	uint32_t buffer[8192];
	int more = MNL_CB_OK;

	while (more > MNL_CB_STOP) {
		ssize_t n = mnl_socket_recvfrom(socket, buffer,
						sizeof(buffer));

		if (n < 0)
			more = MNL_CB_ERROR;
		else
			more = mnl_cb_run(buffer, n, 0,
					  mnl_socket_get_portid(socket),
					  xfrm_take, sas);
	}
	/* Keys were in it. */
	explicit_bzero(buffer, sizeof(buffer));
	return more == MNL_CB_STOP;
}

/* NULL, with errno set, if something is wrong */
static json_t *dump(void)
{
	struct mnl_socket *socket = mnl_socket_open2(NETLINK_XFRM,
						     SOCK_CLOEXEC);
	json_t *sas = json_array();
	int err = 0;

	if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) ||
	    !ask(socket) || !receive(socket, sas)) {
		err = errno;
		json_decref(sas);
		sas = NULL;
	}
	if (socket)
		mnl_socket_close(socket);
	if (!sas)
		errno = err;
	return sas;
}

json_t *xfrm_sas(const char **why)
{
	json_t *sas;

	/* SAs that come and go meanwhile may interrupt it. */
	for (int i = 0; i < ATTEMPTS; i++) {
		sas = dump();
		if (sas || errno != EINTR)
			break;
	}
	if (!sas)
		*why = errno == EPERM ? "only root may see them" :
		       errno == EPROTONOSUPPORT ?
		       "this kernel has no IPsec (modprobe xfrm_user)" :
		       strerror(errno);
	return sas;
}
