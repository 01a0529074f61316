// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: packets through two gateways
 *
 * Four network devices, two a gateway: what is received by plain0 is to leave
 * encrypted by wire0, what is received by wire1 to leave decrypted by plain1.
 * Between a gateway's two devices lies the kernel's own way: routing, policies,
 * XFRM, ESP. The devices are moved to network namespaces and configured from
 * user space. Packets are received in bursts, as from a network driver's poll;
 * one that leaves has been processed.
 *
 * What wire1 receives is what has left wire0 before, kept. What leaves wire0 may
 * also come from the first gateway itself, as from a socket that keeps its route;
 * forwarding looks up policy and bundle for every packet.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/if_arp.h>
#include <linux/inet.h>
#include <linux/ip.h>
#include <linux/kernel.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <net/dst.h>
#include <net/ip.h>
#include <net/route.h>

#include "bench.h"

/* what is left around a packet by a network driver */
#define HEADROOM	NET_SKB_PAD
#define TAILROOM	128

/* packets that are kept to be received again */
#define KEPT		512

#define GATEWAY		0x0a000001	/* 10.0.0.1 */
#define SOURCE		0x0a000002	/* 10.0.0.2 */
#define PORT		4242

enum port {
	PLAIN0,
	WIRE0,
	WIRE1,
	PLAIN1,
	PORTS,
};

static const char * const names[] = { "plain0", "wire0", "wire1", "plain1" };

static struct net_device *devices[PORTS];

/* what is in the clear; its number shows the order */
struct plain_packet {
	struct iphdr ip;
	struct udphdr udp;
	__be32 number;
} __packed;

/**
 * struct kept - a packet that left, to be received again
 * @len: bytes of it
 * @data: IPv4 and what follows
 */
struct kept {
	unsigned int len;
	u8 *data;
};

/**
 * struct gateway_subject - two tunnels to compare
 * @subject: what is compared
 * @flow: packets on their way
 * @in: device that receives
 * @out: device that they are to leave by
 * @side: the tunnel that is used at the moment
 * @dst: the route into that, if packets come from the gateway itself
 * @address: for each side, an address behind its tunnel
 * @kept: for each side, packets that left its tunnel's beginning
 * @nr_kept: how many of them
 * @keeping: keep what leaves
 * @next: number that the packet has to have that leaves next
 * @misordered: packets that had another one
 * @arrival: when those were due that are on their way, in cycles, or NULL
 * @latency: how long they took
 */
struct gateway_subject {
	struct bench_subject subject;
	struct bench_flow flow;
	struct net_device *in;
	struct net_device *out;
	unsigned int side;
	struct dst_entry *dst;
	__be32 address[BENCH_DRIVERS];
	struct kept kept[BENCH_DRIVERS][KEPT];
	unsigned int nr_kept[BENCH_DRIVERS];
	bool keeping;
	u32 next;
	u32 misordered;
	u64 *arrival;
	struct bench_latency latency;
};

/* What is running, by the CPU that packets leave on. That is the one that they arrive on
 * if many CPUs have theirs, and any if there is but one (RPS).
 */
static DEFINE_PER_CPU(struct gateway_subject *, running);

/* Is it one of ours? Others send, too. */
static bool is_ours(const struct sk_buff *skb)
{
	const struct iphdr *ip = (void *)skb->data;

	return skb->protocol == htons(ETH_P_IP) &&
	       (ip->protocol == IPPROTO_ESP || ip->protocol == IPPROTO_UDP);
}

/* The number of a packet among those of its flow: ESP's own, or the payload. */
static u32 number_of(const struct sk_buff *skb)
{
	const struct iphdr *ip = (void *)skb->data;

	if (ip->protocol == IPPROTO_ESP)
		return ntohl(((struct ip_esp_hdr *)(ip + 1))->seq_no);
	return ntohl(((struct plain_packet *)skb->data)->number);
}

/* See that packets leave in the order in which they came. */
static void check_order(struct gateway_subject *s, u32 number)
{
	/* other CPUs number theirs from the same sequence */
	if (s->subject.spec->share && (s32)(number - s->next) > 0)
		s->next = number;
	if (s->flow.completed && number != s->next)
		s->misordered++;
	s->next = number + 1;
	/* what was kept is received again from its beginning */
	if (s->out == devices[PLAIN1])
		s->next %= KEPT;
}

static void keep(struct gateway_subject *s, const struct sk_buff *skb)
{
	struct kept *kept = &s->kept[s->side][s->nr_kept[s->side]];

	kept->data = kmalloc(skb->len, GFP_ATOMIC);
	if (!kept->data || s->nr_kept[s->side] == KEPT)
		return;
	kept->len = skb->len;
	skb_copy_bits(skb, 0, kept->data, skb->len);
	s->nr_kept[s->side]++;
}

static netdev_tx_t leave(struct sk_buff *skb, struct net_device *dev)
{
	struct gateway_subject *s = this_cpu_read(running);

	if (s && dev == s->out && is_ours(skb)) {
		check_order(s, number_of(skb));
		if (s->keeping)
			keep(s, skb);
		/* as they leave in order */
		if (s->arrival)
			bench_latency_note(&s->latency,
					   s->arrival[s->flow.completed % s->flow.depth]);
		bench_flow_completed(&s->flow);
	}
	consume_skb(skb);
	return NETDEV_TX_OK;
}

/* As a card has it that has a queue for each CPU: none waits for another's. */
static u16 queue_of(struct net_device *dev, struct sk_buff *skb, struct net_device *sb_dev)
{
	return raw_smp_processor_id() % dev->real_num_tx_queues;
}

static struct sk_buff *arrival_skb(struct gateway_subject *s, unsigned int len)
{
	struct sk_buff *skb = alloc_skb(HEADROOM + len + TAILROOM, GFP_ATOMIC);

	if (!skb)
		return NULL;
	skb_reserve(skb, HEADROOM);
	skb_put(skb, len);
	skb_reset_mac_header(skb);
	skb_reset_network_header(skb);
	skb->dev = s->in;
	skb->protocol = htons(ETH_P_IP);
	skb->pkt_type = PACKET_HOST;
	return skb;
}

/* The payload is whatever lies there: who encrypts it does not mind. */
static struct sk_buff *plain_skb(struct gateway_subject *s)
{
	const struct bench_spec *spec = s->subject.spec;
	unsigned int len = bench_len(spec, s->flow.submitted);
	struct plain_packet *packet;
	struct sk_buff *skb;

	/* with what ESP adds to it, @len is what is encrypted */
	len = max_t(unsigned int, len - 2, sizeof(*packet));
	skb = arrival_skb(s, len);
	if (!skb)
		return NULL;
	packet = (void *)skb->data;
	memset(packet, 0, sizeof(*packet));
	packet->ip.version = 4;
	packet->ip.ihl = sizeof(packet->ip) / 4;
	packet->ip.ttl = 64;
	packet->ip.protocol = IPPROTO_UDP;
	packet->ip.tot_len = htons(len);
	packet->ip.saddr = htonl(s->dst ? GATEWAY : SOURCE);
	packet->ip.daddr = s->address[s->side];
	ip_send_check(&packet->ip);
	packet->udp.source = htons(PORT + (spec->other_len && s->flow.submitted % 2));
	packet->udp.dest = htons(PORT);
	packet->udp.len = htons(len - sizeof(packet->ip));
	packet->number = htonl(s->flow.submitted);
	return skb;
}

static struct sk_buff *wire_skb(struct gateway_subject *s)
{
	const struct kept *kept =
		&s->kept[s->side][s->flow.submitted % s->nr_kept[s->side]];
	struct sk_buff *skb = arrival_skb(s, kept->len);

	if (skb)
		memcpy(skb->data, kept->data, kept->len);
	return skb;
}

static bool ready(struct bench_flow *flow)
{
	return true;
}

static void send(struct bench_flow *flow, u64 arrival)
{
	struct gateway_subject *s = container_of(flow, struct gateway_subject, flow);
	struct sk_buff *skb = s->in == devices[PLAIN0] ? plain_skb(s) : wire_skb(s);

	if (!skb)
		return;
	if (s->arrival)
		s->arrival[flow->submitted % flow->depth] = arrival;
	if (!s->dst) {
		netif_receive_skb(skb);
		return;
	}
	dst_hold(s->dst);
	skb_dst_set(skb, s->dst);
	ip_local_out(dev_net(s->in), NULL, skb);
}

/* A route of the gateway's own into a tunnel, by way of XFRM */
static struct dst_entry *find_route(struct gateway_subject *s)
{
	struct flowi4 fl4 = {
		.flowi4_proto = IPPROTO_UDP,
		.saddr = htonl(GATEWAY),
		.daddr = s->address[s->side],
		.fl4_sport = htons(PORT),
		.fl4_dport = htons(PORT),
	};
	struct rtable *rt = ip_route_output_flow(dev_net(s->in), &fl4, NULL);

	return IS_ERR(rt) ? NULL : &rt->dst;
}

static struct gateway_subject *gateway_subject(struct bench_subject *subject)
{
	return container_of(subject, struct gateway_subject, subject);
}

static void begin(struct bench_subject *subject, unsigned int side)
{
	struct gateway_subject *s = gateway_subject(subject);

	s->flow.ready = ready;
	s->flow.send = send;
	bench_flow_init(&s->flow, subject->spec);
	bench_latency_begin(&s->latency);
	s->side = side;
	dst_release(s->dst);
	s->dst = NULL;
	if (subject->spec->what == BENCH_HOST && s->in == devices[PLAIN0])
		s->dst = find_route(s);
}

static int run(struct bench_subject *subject, u64 cycles)
{
	return bench_flow_run(subject->flow, U32_MAX, cycles);
}

static int judge(struct bench_subject *subject)
{
	struct gateway_subject *s = gateway_subject(subject);

	if (!s->misordered)
		return 0;
	pr_err("%u of %u packets left out of order\n", s->misordered, s->flow.submitted);
	return -EBADE;
}

static const char *name(struct bench_subject *subject, unsigned int side)
{
	return subject->spec->driver[side];
}

static void print(struct bench_subject *subject, struct bench_output *out)
{
	bench_latency_print(&gateway_subject(subject)->latency, out);
}

static void use(struct gateway_subject *s, enum port in, enum port out)
{
	s->in = devices[in];
	s->out = devices[out];
}

/* From behind the tunnel comes an answer, and one more, before what it answers: a
 * flowtable keeps no flow whose packets have all come by way of XFRM.
 */
static void answer(struct gateway_subject *s)
{
	struct sk_buff *skb;
	struct iphdr *ip;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		skb = plain_skb(s);
		if (!skb)
			return;
		ip = ip_hdr(skb);
		skb->dev = devices[PLAIN1];
		swap(ip->saddr, ip->daddr);
		local_bh_disable();
		netif_receive_skb(skb);
		local_bh_enable();
	}
}

static void run_here(struct gateway_subject *s)
{
	int cpu;

	this_cpu_write(running, s);
	if (bench_scale_most(s->subject.spec) > 1)
		return;
	for_each_possible_cpu(cpu)
		per_cpu(running, cpu) = s;
}

/* Nothing that is measured begins before it was seen to work. */
static int prepare(struct bench_subject *subject, unsigned int side)
{
	struct gateway_subject *s = gateway_subject(subject);
	int err;

	run_here(s);
	use(s, PLAIN0, WIRE0);
	begin(&s->subject, side);
	if (subject->spec->decrypt)
		answer(s);
	s->keeping = true;
	err = bench_flow_run(&s->flow, KEPT, U64_MAX) ?: judge(&s->subject);
	s->keeping = false;
	if (!err && s->nr_kept[side] != KEPT)
		err = -ENOMEM;
	if (subject->spec->decrypt)
		use(s, WIRE1, PLAIN1);
	return err;
}

static void subject_free(struct gateway_subject *s)
{
	unsigned int side, i;

	dst_release(s->dst);
	bench_latency_free(&s->latency);
	kvfree(s->arrival);
	for (side = 0; side < BENCH_DRIVERS; side++) {
		for (i = 0; i < s->nr_kept[side]; i++)
			kfree(s->kept[side][i].data);
	}
	kvfree(s);
}

/* The tunnels of one CPU: each next one's are one network further, or the same. */
static struct gateway_subject *subject_make(const struct bench_spec *spec, unsigned int cpu)
{
	struct gateway_subject *s = kvzalloc(sizeof(*s), GFP_KERNEL);
	unsigned int side;

	if (!s)
		return ERR_PTR(-ENOMEM);
	s->subject = (struct bench_subject) {
		.spec = spec, .flow = &s->flow, .prepare = prepare, .begin = begin,
		.run = run, .judge = judge, .name = name, .print = print,
	};
	if (spec->interval_ns) {
		s->arrival = kvmalloc_array(spec->depth, sizeof(*s->arrival), GFP_KERNEL);
		if (!s->arrival || bench_latency_make(&s->latency)) {
			subject_free(s);
			return ERR_PTR(-ENOMEM);
		}
	}
	for (side = 0; side < BENCH_DRIVERS; side++) {
		if (!in4_pton(spec->driver[side], -1, (u8 *)&s->address[side], -1, NULL)) {
			subject_free(s);
			return ERR_PTR(-EINVAL);
		}
		if (!spec->share)
			be32_add_cpu(&s->address[side], cpu << 8);
	}
	return s;
}

static int scale(const struct bench_spec *spec, struct bench_subject **subjects,
		 unsigned int nr, struct bench_output *out)
{
	struct gateway_subject *s;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		s = subject_make(spec, i);
		if (IS_ERR(s))
			return PTR_ERR(s);
		subjects[i] = &s->subject;
	}
	if (spec->cpus)
		return bench_scale(spec, subjects, out);
	return prepare(subjects[0], 0) ?: prepare(subjects[0], 1) ?:
	       bench_compare(subjects[0], out);
}

/**
 * bench_gateway - compare two tunnels, or as many as there are CPUs
 * @spec: doing what. Its drivers are addresses behind the one and the other.
 * @out: where to print a line for every sample
 *
 * Return: 0, or a negative error code and a message in the kernel's log.
 */
int bench_gateway(const struct bench_spec *spec, struct bench_output *out)
{
	unsigned int i, nr = bench_scale_most(spec);
	struct bench_subject **subjects = kcalloc(nr, sizeof(*subjects), GFP_KERNEL);
	int cpu, err;

	if (!subjects)
		return -ENOMEM;
	err = scale(spec, subjects, nr, out);
	for_each_possible_cpu(cpu)
		per_cpu(running, cpu) = NULL;
	/* packets that were lost may still be on their way to leave() */
	synchronize_net();
	for (i = 0; i < nr && subjects[i]; i++)
		subject_free(gateway_subject(subjects[i]));
	kfree(subjects);
	return err;
}

static const struct net_device_ops device_ops = {
	.ndo_start_xmit = leave,
	.ndo_select_queue = queue_of,
};

static void setup(struct net_device *dev)
{
	dev->netdev_ops = &device_ops;
	dev->type = ARPHRD_NONE;
	dev->flags = IFF_NOARP | IFF_POINTOPOINT;
	dev->priv_flags |= IFF_NO_QUEUE;
	dev->mtu = BENCH_MAX_LEN;
	dev->max_mtu = IP_MAX_MTU;
}

/**
 * bench_gateway_exit - remove the devices
 */
void bench_gateway_exit(void)
{
	enum port port;

	for (port = 0; port < PORTS; port++) {
		if (!devices[port])
			continue;
		unregister_netdev(devices[port]);
		free_netdev(devices[port]);
	}
}

/**
 * bench_gateway_init - make the devices, for user space to put in their places
 *
 * Return: 0 or a negative error code; then there are none.
 */
int bench_gateway_init(void)
{
	struct net_device *dev;
	enum port port;
	int err;

	for (port = 0; port < PORTS; port++) {
		dev = alloc_netdev_mqs(0, names[port], NET_NAME_PREDICTABLE, setup,
				       nr_cpu_ids, 1);
		err = dev ? register_netdev(dev) : -ENOMEM;
		if (err) {
			if (dev)
				free_netdev(dev);
			bench_gateway_exit();
			return err;
		}
		devices[port] = dev;
	}
	return 0;
}
