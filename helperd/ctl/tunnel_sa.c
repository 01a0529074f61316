// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <linux/xfrm.h>
#include <stdio.h>
#include <string.h>

#include "ctl/tunnel_sa.h"

/* As long as a replay window without extended sequence numbers can be */
#define WINDOW	32

/**
 * union algorithm - the longest attribute
 */
union algorithm {
	struct xfrm_algo crypt;
	struct xfrm_algo_auth auth;
	struct xfrm_algo_aead aead;
	uint8_t room[256];
};

static const struct xfrm_lifetime_cfg for_ever = {
	.soft_byte_limit = XFRM_INF,
	.hard_byte_limit = XFRM_INF,
	.soft_packet_limit = XFRM_INF,
	.hard_packet_limit = XFRM_INF,
};

static int ask(struct mnl_socket *netlink, struct nlmsghdr *message)
{
	uint32_t answer[1024];
	ssize_t n;

	message->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE |
				NLM_F_EXCL;
	if (mnl_socket_sendto(netlink, message, message->nlmsg_len) < 0)
		return -1;
	n = mnl_socket_recvfrom(netlink, answer, sizeof(answer));
	if (n < 0)
		return -1;
	return mnl_cb_run(answer, n, 0, mnl_socket_get_portid(netlink), NULL,
			  NULL) < 0 ? -1 : 0;
}

static void put_aead(struct nlmsghdr *message, const struct esp_sa *sa)
{
	unsigned int len = sa->key_len + ESP_SALT;
	union algorithm a = { 0 };

	snprintf(a.aead.alg_name, sizeof(a.aead.alg_name), "%s",
		 algs[sa->alg].name);
	a.aead.alg_key_len = 8 * len;
	a.aead.alg_icv_len = 8 * esp_icv_len(sa->alg);
	memcpy(a.aead.alg_key, sa->key, len);
	mnl_attr_put(message, XFRMA_ALG_AEAD, sizeof(a.aead) + len, &a);
}

static const char *cipher_name(const struct esp_sa *sa)
{
	switch (algs[sa->alg].cipher) {
	case CIPHER_CBC:
		return "cbc(aes)";
	case CIPHER_CTR:
		return "rfc3686(ctr(aes))";
	default:
		return "ecb(cipher_null)";
	}
}

static void put_pair(struct nlmsghdr *message, const struct esp_sa *sa)
{
	unsigned int len = sa->key_len + esp_salt_len(sa->alg);
	unsigned int hash_len = algs[sa->alg].icv_len;
	union algorithm crypt = { 0 }, auth = { 0 };

	snprintf(crypt.crypt.alg_name, sizeof(crypt.crypt.alg_name), "%s",
		 cipher_name(sa));
	crypt.crypt.alg_key_len = 8 * len;
	memcpy(crypt.crypt.alg_key, sa->key, len);
	mnl_attr_put(message, XFRMA_ALG_CRYPT, sizeof(crypt.crypt) + len,
		     &crypt);
	if (algs[sa->alg].auth == AUTH_NONE)
		return;
	snprintf(auth.auth.alg_name, sizeof(auth.auth.alg_name), "hmac(%s)",
		 algs[sa->alg].hash);
	auth.auth.alg_key_len = 8 * hash_len;
	auth.auth.alg_trunc_len = 8 * esp_icv_len(sa->alg);
	memcpy(auth.auth.alg_key, sa->hmac, hash_len);
	mnl_attr_put(message, XFRMA_ALG_AUTH_TRUNC,
		     sizeof(auth.auth) + hash_len, &auth);
}

static void put_esn(struct nlmsghdr *message, const struct esp_sa *sa)
{
	union {
		struct xfrm_replay_state_esn esn;
		uint32_t room[sizeof(struct xfrm_replay_state_esn) / 4 + 1];
	} replay = {
		.esn = {
			.bmp_len = 1,
			.replay_window = WINDOW,
			.seq = sa->seq,
			.seq_hi = sa->seq >> 32,
			.oseq = sa->seq,
			.oseq_hi = sa->seq >> 32,
		},
	};

	mnl_attr_put(message, XFRMA_REPLAY_ESN_VAL, sizeof(replay), &replay);
}

int tunnel_sa_add(struct mnl_socket *netlink, const struct esp_sa *sa,
		  const struct flow *flow)
{
	uint32_t buffer[1024] = { 0 };
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct xfrm_usersa_info *info;

	message->nlmsg_type = XFRM_MSG_NEWSA;
	info = mnl_nlmsg_put_extra_header(message, sizeof(*info));
	info->family = AF_INET;
	info->sel.family = AF_INET;
	info->id.daddr.a4 = flow->dst.s_addr;
	info->id.spi = htonl(sa->spi);
	info->id.proto = IPPROTO_ESP;
	info->saddr.a4 = flow->src.s_addr;
	info->lft = for_ever;
	info->reqid = flow->reqid;
	info->mode = XFRM_MODE_TRANSPORT;
	if (esp_is_aead(sa->alg))
		put_aead(message, sa);
	else
		put_pair(message, sa);
	if (sa->esn) {
		info->flags = XFRM_STATE_ESN;
		put_esn(message, sa);
	}
	return ask(netlink, message);
}

int tunnel_policy_add(struct mnl_socket *netlink, const struct flow *flow)
{
	uint32_t buffer[1024] = { 0 };
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct xfrm_userpolicy_info *info;
	struct xfrm_user_tmpl tmpl = {
		.id = {
			.daddr.a4 = flow->dst.s_addr,
			.proto = IPPROTO_ESP,
		},
		.family = AF_INET,
		.saddr.a4 = flow->src.s_addr,
		.reqid = flow->reqid,
		.mode = XFRM_MODE_TRANSPORT,
		.aalgos = UINT32_MAX,
		.ealgos = UINT32_MAX,
		.calgos = UINT32_MAX,
	};

	message->nlmsg_type = XFRM_MSG_NEWPOLICY;
	info = mnl_nlmsg_put_extra_header(message, sizeof(*info));
	info->sel = (struct xfrm_selector) {
		.daddr.a4 = flow->dst.s_addr,
		.saddr.a4 = flow->src.s_addr,
		.dport = htons(flow->port),
		.dport_mask = UINT16_MAX,
		.family = AF_INET,
		.prefixlen_d = 32,
		.prefixlen_s = 32,
		.proto = IPPROTO_UDP,
	};
	info->lft = for_ever;
	info->dir = XFRM_POLICY_OUT;
	info->action = XFRM_POLICY_ALLOW;
	mnl_attr_put(message, XFRMA_TMPL, sizeof(tmpl), &tmpl);
	return ask(netlink, message);
}
