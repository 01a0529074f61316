// SPDX-License-Identifier: GPL-2.0-only
/*
 * "retire": the module's algorithms become the last choice, so that the next
 * rekeying moves every SA off it, and it can be unloaded with tunnels up.
 *
 * The kernel does that itself (crypto/crypto_user.c, CRYPTO_MSG_UPDATEALG): it
 * sets the priority, and forgets what was built on top of the algorithm, such
 * as echainiv(), which new SAs would take otherwise.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/cryptouser.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctl/ctl.h"
#include "report/json.h"

/* The daemon has the module's device open, whether SAs use it or not. */
#define UNLOAD	"systemctl stop wavecryptd; rmmod wavecrypt"

static const char *no_use(int error)
{
	return error == EPERM ? "only root may do that" :
	       error == EPROTONOSUPPORT ?
	       "this kernel cannot change priorities (modprobe crypto_user)" :
	       strerror(error);
}

/* Set an implementation's priority. Return: 0 or a positive error number. */
static int set_priority(struct mnl_socket *socket, const char *driver,
			uint32_t priority)
{
	/* Words, for alignment; the question fits twice. */
	uint32_t buffer[256];
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct crypto_user_alg *alg;
	ssize_t n;

	message->nlmsg_type = CRYPTO_MSG_UPDATEALG;
	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	alg = mnl_nlmsg_put_extra_header(message, sizeof(*alg));
	snprintf(alg->cru_driver_name, sizeof(alg->cru_driver_name), "%s",
		 driver);
	mnl_attr_put_u32(message, CRYPTOCFGA_PRIORITY_VAL, priority);
	if (mnl_socket_sendto(socket, message, message->nlmsg_len) < 0)
		return errno;
	n = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
	if (n < 0 ||
	    mnl_cb_run(buffer, n, 0, mnl_socket_get_portid(socket), NULL,
		       NULL) == MNL_CB_ERROR)
		return errno;
	return 0;
}

static json_t *our_drivers(const json_t *aeads)
{
	json_t *drivers = json_array();
	const json_t *alg;
	size_t i;

	json_array_foreach(aeads, i, alg)
		if (!strcmp(text(alg, "module"), "wavecrypt"))
			json_array_append(drivers,
					  json_object_get(alg, "driver"));
	return drivers;
}

/* Return: why not, or NULL */
static const char *retire(const json_t *drivers)
{
	struct mnl_socket *socket;
	const json_t *driver;
	int error = 0;
	size_t i;

	if (!json_array_size(drivers))
		return "the module is not loaded";
	socket = mnl_socket_open2(NETLINK_CRYPTO, SOCK_CLOEXEC);
	if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID))
		error = errno;
	json_array_foreach(drivers, i, driver)
		if (!error)
			error = set_priority(socket,
					     json_string_value(driver), 0);
	if (socket)
		mnl_socket_close(socket);
	return error ? no_use(error) : NULL;
}

json_t *retire_collect(const struct ctl *c)
{
	json_t *aeads = proc_crypto_aeads(c);
	json_t *drivers = our_drivers(aeads);
	const char *why = retire(drivers);
	json_t *users = transforms(c);
	json_t *answer;

	answer = json_pack("{s:b, s:o, s:i}", "retired", !why,
			   "drivers", drivers,
			   "transforms", (int)json_array_size(users));
	if (answer && why)
		json_object_set_new(answer, "why", json_string(why));
	json_decref(aeads);
	json_decref(users);
	return answer;
}

void retire_print(const json_t *answer)
{
	json_int_t users = number(answer, "transforms");

	if (!json_is_true(json_object_get(answer, "retired"))) {
		printf("Nothing has changed: %s.\n", text(answer, "why"));
		return;
	}
	printf("New SAs use the kernel's own implementations from now on.\n");
	if (users)
		printf("Transforms of the module that are still in use: %" JSON_INTEGER_FORMAT ".\n"
		       "Rekey their SAs, or delete them; then: " UNLOAD "\n",
		       users);
	else
		printf("No SA uses the module any more: " UNLOAD "\n");
}
