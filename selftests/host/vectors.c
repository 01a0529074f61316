// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "lib/array.h"
#include "vectors.h"
#include "wavecrypt.h"

const struct vector vectors[] = {
	{
		.name = "RFC 4231, case 1, sha256",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b" },
		.in = { "4869205468657265" },
		.icv = { "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7" },
	},
	{
		.name = "RFC 4231, case 1, sha384",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = { "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b" },
		.in = { "4869205468657265" },
		.icv = {
			"afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c",
			"faea9ea9076ede7f4af152e8b2fa9cb6",
		},
	},
	{
		.name = "RFC 4231, case 1, sha512",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = { "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b" },
		.in = { "4869205468657265" },
		.icv = {
			"87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde",
			"daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
		},
	},
	{
		.name = "RFC 4231, case 2, sha256",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "4a656665" },
		.in = { "7768617420646f2079612077616e7420666f72206e6f7468696e673f" },
		.icv = { "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
	},
	{
		.name = "RFC 4231, case 2, sha384",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = { "4a656665" },
		.in = { "7768617420646f2079612077616e7420666f72206e6f7468696e673f" },
		.icv = {
			"af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e",
			"8e2240ca5e69e2c78b3239ecfab21649",
		},
	},
	{
		.name = "RFC 4231, case 2, sha512",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = { "4a656665" },
		.in = { "7768617420646f2079612077616e7420666f72206e6f7468696e673f" },
		.icv = {
			"164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554",
			"9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
		},
	},
	{
		.name = "RFC 4231, case 3, sha256",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		.in = {
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
			"dddddddddddddddddddddddddddddddddddd",
		},
		.icv = { "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe" },
	},
	{
		.name = "RFC 4231, case 3, sha384",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		.in = {
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
			"dddddddddddddddddddddddddddddddddddd",
		},
		.icv = {
			"88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b",
			"2a5ab39dc13814b94e3ab6e101a34f27",
		},
	},
	{
		.name = "RFC 4231, case 3, sha512",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		.in = {
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
			"dddddddddddddddddddddddddddddddddddd",
		},
		.icv = {
			"fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39",
			"bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb",
		},
	},
	{
		.name = "RFC 4231, case 4, sha256",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "0102030405060708090a0b0c0d0e0f10111213141516171819" },
		.in = {
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
		},
		.icv = { "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b" },
	},
	{
		.name = "RFC 4231, case 4, sha384",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = { "0102030405060708090a0b0c0d0e0f10111213141516171819" },
		.in = {
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
		},
		.icv = {
			"3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e",
			"6801dd23c4a7d679ccf8a386c674cffb",
		},
	},
	{
		.name = "RFC 4231, case 4, sha512",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = { "0102030405060708090a0b0c0d0e0f10111213141516171819" },
		.in = {
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
		},
		.icv = {
			"b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db",
			"a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd",
		},
	},
	{
		.name = "RFC 4231, case 5, sha256",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c" },
		.in = { "546573742057697468205472756e636174696f6e" },
		.icv = { "a3b6167473100ee06e0c796c2955552b" },
	},
	{
		.name = "RFC 4231, case 5, sha384",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = { "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c" },
		.in = { "546573742057697468205472756e636174696f6e" },
		.icv = { "3abf34c3503b2a23a46efc619baef897" },
	},
	{
		.name = "RFC 4231, case 5, sha512",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = { "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c" },
		.in = { "546573742057697468205472756e636174696f6e" },
		.icv = { "415fad6271580a531d4179bc891d87a6" },
	},
	{
		.name = "RFC 4868, AUTH256-1",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b" },
		.in = { "4869205468657265" },
		.icv = { "198a607eb44bfbc69903a0f1cf2bbdc5" },
	},
	{
		.name = "RFC 4868, AUTH256-2",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "4a6566654a6566654a6566654a6566654a6566654a6566654a6566654a656665" },
		.in = { "7768617420646f2079612077616e7420666f72206e6f7468696e673f" },
		.icv = { "167f928588c5cc2eef8e3093caa0e87c" },
	},
	{
		.name = "RFC 4868, AUTH256-3",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		.in = {
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
			"dddddddddddddddddddddddddddddddddddd",
		},
		.icv = { "cdcb1220d1ecccea91e53aba3092f962" },
	},
	{
		.name = "RFC 4868, AUTH256-4",
		.alg = WAVECRYPT_ALG_NULL_SHA256,
		.auth = { "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20" },
		.in = {
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
		},
		.icv = { "372efcf9b40b35c2115b1346903d2ef4" },
	},
	{
		.name = "RFC 4868, AUTH384-1",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = {
			"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
			"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		},
		.in = { "4869205468657265" },
		.icv = { "b6a8d5636f5c6a7224f9977dcf7ee6c7fb6d0c48cbdee973" },
	},
	{
		.name = "RFC 4868, AUTH384-2",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = {
			"4a6566654a6566654a6566654a6566654a6566654a6566654a6566654a656665",
			"4a6566654a6566654a6566654a656665",
		},
		.in = { "7768617420646f2079612077616e7420666f72206e6f7468696e673f" },
		.icv = { "2c7353974f1842fd66d53c452ca42122b28c0b594cfb184d" },
	},
	{
		.name = "RFC 4868, AUTH384-3",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = {
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		},
		.in = {
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
			"dddddddddddddddddddddddddddddddddddd",
		},
		.icv = { "809f439be00274321d4a538652164b53554a508184a0c316" },
	},
	{
		.name = "RFC 4868, AUTH384-4",
		.alg = WAVECRYPT_ALG_NULL_SHA384,
		.auth = {
			"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
			"0a0b0c0d0e0f10111213141516171819",
		},
		.in = {
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
		},
		.icv = { "5b540085c6e6358096532b2493609ed1cb298f774f87bb5c" },
	},
	{
		.name = "RFC 4868, AUTH512-1",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = {
			"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
			"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		},
		.in = { "4869205468657265" },
		.icv = { "637edc6e01dce7e6742a99451aae82df23da3e92439e590e43e761b33e910fb8" },
	},
	{
		.name = "RFC 4868, AUTH512-2",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = {
			"4a6566654a6566654a6566654a6566654a6566654a6566654a6566654a656665",
			"4a6566654a6566654a6566654a6566654a6566654a6566654a6566654a656665",
		},
		.in = { "7768617420646f2079612077616e7420666f72206e6f7468696e673f" },
		.icv = { "cb370917ae8a7ce28cfd1d8f4705d6141c173b2a9362c15df235dfb251b15454" },
	},
	{
		.name = "RFC 4868, AUTH512-3",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = {
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		},
		.in = {
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
			"dddddddddddddddddddddddddddddddddddd",
		},
		.icv = { "2ee7acd783624ca9398710f3ee05ae41b9f9b0510c87e49e586cc9bf961733d8" },
	},
	{
		.name = "RFC 4868, AUTH512-4",
		.alg = WAVECRYPT_ALG_NULL_SHA512,
		.auth = {
			"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
			"2122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f40",
		},
		.in = {
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
			"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
		},
		.icv = { "5e6688e5a3daec826ca32eaea224eff5e700628947470e13ad01302561bab108" },
	},
	{
		.name = "RFC 3686, vector 1",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "ae6852f8121067cc4bf7a5765577f39e" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "00000030000000000000000000000001" },
		.in = { "53696e676c6520626c6f636b206d7367" },
		.out = { "e4095d4fb7a7b3792d6175a3261311b8" },
	},
	{
		.name = "RFC 3686, vector 2",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "7e24067817fae0d743d6ce1f32539163" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "006cb6dbc0543b59da48d90b00000001" },
		.in = { "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" },
		.out = { "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28" },
	},
	{
		.name = "RFC 3686, vector 3",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "7691be035e5020a8ac6e618529f9a0dc" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "00e0017b27777f3f4a1786f000000001" },
		.in = {
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
			"20212223",
		},
		.out = {
			"c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef31053",
			"25b2072f",
		},
	},
	{
		.name = "RFC 3686, vector 4",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "16af5b145fc9f579c175f93e3bfb0eed863d06ccfdb78515" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "0000004836733c147d6d93cb00000001" },
		.in = { "53696e676c6520626c6f636b206d7367" },
		.out = { "4b55384fe259c9c84e7935a003cbe928" },
	},
	{
		.name = "RFC 3686, vector 5",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "7c5cb2401b3dc33c19e7340819e0f69c678c3db8e6f6a91a" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "0096b03b020c6eadc2cb500d00000001" },
		.in = { "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" },
		.out = { "453243fc609b23327edfaafa7131cd9f8490701c5ad4a79cfc1fe0ff42f4fb00" },
	},
	{
		.name = "RFC 3686, vector 6",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "02bf391ee8ecb159b959617b0965279bf59b60a786d3e0fe" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "0007bdfd5cbd60278dcc091200000001" },
		.in = {
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
			"20212223",
		},
		.out = {
			"96893fc55e5c722f540b7dd1ddf7e758d288bc95c69165884536c811662f2188",
			"abee0935",
		},
	},
	{
		.name = "RFC 3686, vector 7",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "776beff2851db06f4c8a0542c8696f6c6a81af1eec96b4d37fc1d689e6c1c104" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "00000060db5672c97aa8f0b200000001" },
		.in = { "53696e676c6520626c6f636b206d7367" },
		.out = { "145ad01dbf824ec7560863dc71e3e0c0" },
	},
	{
		.name = "RFC 3686, vector 8",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "f6d66d6bd52d59bb0796365879eff886c66dd51a5b6a99744b50590c87a23884" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "00faac24c1585ef15a43d87500000001" },
		.in = { "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" },
		.out = { "f05e231b3894612c49ee000b804eb2a9b8306b508f839d6a5530831d9344af1c" },
	},
	{
		.name = "RFC 3686, vector 9",
		.alg = WAVECRYPT_ALG_CTR_SHA1,
		.key = { "ff7a617ce69148e4f1726e2f43581de2aa62d9f805532edff1eed687fb54153d" },
		.auth = { "0000000000000000000000000000000000000000" },
		.iv = { "001cc5b751a51d70a1c1114800000001" },
		.in = {
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
			"20212223",
		},
		.out = {
			"eb6c52821d0bbbf7ce7594462aca4faab407df866569fd07f48cc0b583d6071f",
			"1ec0e6b8",
		},
	},
	{
		.name = "RFC 3602, case 1",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "06a9214036b8a15b512e03d534120006" },
		.iv = { "3dafba429d9eb430b422da802c9fac41" },
		.in = { "53696e676c6520626c6f636b206d7367" },
		.out = { "e353779c1079aeb82708942dbe77181a" },
	},
	{
		.name = "RFC 3602, case 2",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "c286696d887c9aa0611bbb3e2025a45a" },
		.iv = { "562e17996d093d28ddb3ba695a2e6f58" },
		.in = { "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" },
		.out = { "d296cd94c2cccf8a3a863028b5e1dc0a7586602d253cfff91b8266bea6d61ab1" },
	},
	{
		.name = "RFC 3602, case 3",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "6c3ea0477630ce21a2ce334aa746c2cd" },
		.iv = { "c782dc4c098c66cbd9cd27d825682c81" },
		.in = {
			"5468697320697320612034382d62797465206d65737361676520286578616374",
			"6c7920332041455320626c6f636b7329",
		},
		.out = {
			"d0a02b3836451753d493665d33f0e8862dea54cdb293abc7506939276772f8d5",
			"021c19216bad525c8579695d83ba2684",
		},
	},
	{
		.name = "RFC 3602, case 4",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "56e47a38c5598974bc46903dba290349" },
		.iv = { "8ce82eefbea0da3c44699ed7db51b7d9" },
		.in = {
			"a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf",
			"c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
		},
		.out = {
			"c30e32ffedc0774e6aff6af0869f71aa0f3af07a9a31a9c684db207eb0ef8e4e",
			"35907aa632c3ffdf868bb7b29d3d46ad83ce9f9a102ee99d49a53e87f4c3da55",
		},
	},
	{
		.name = "RFC 3602, case 5",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "90d382b410eeba7ad938c46cec1a82bf" },
		.iv = { "e96e8c08ab465763fd098d45dd3ff893" },
		.in = {
			"08000ebda70a00008e9c083db95b070008090a0b0c0d0e0f1011121314151617",
			"18191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f3031323334353637",
			"0102030405060708090a0b0c0d0e0e01",
		},
		.out = {
			"f663c25d325c18c6a9453e194e120849a4870b66cc6b9965330013b4898dc856",
			"a4699e523a55db080b59ec3a8e4b7e52775b07d1db34ed9c538ab50c551b874a",
			"a269add047ad2d5913ac19b7cfbad4a6",
		},
	},
	{
		.name = "RFC 3602, case 6",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "90d382b410eeba7ad938c46cec1a82bf" },
		.iv = { "69d08df7d203329db093fc4924e5bd80" },
		.in = { "0800b5e8a80a0500a69c083d0b660e0077777777777777777777777701020201" },
		.out = { "f51995881ec4e0c4488987ce742e8109689bb379d2d750c0d915dca346a89f75" },
	},
	{
		.name = "RFC 3602, case 7",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "0123456789abcdef0123456789abcdef" },
		.iv = { "f4e765244f6407adf13dc1380f673f37" },
		.in = {
			"45000054090400004001f988c0a87b03c0a87bc808009f76a90a0100b49c083d",
			"02a2040008090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
			"2425262728292a2b2c2d2e2f30313233343536370102030405060708090a0a04",
		},
		.out = {
			"773b5241a4c449225e4f3ce5ed611b0c237ca96cf74a93013c1b0ea1a0cf70f8",
			"e4ecaec78ac53aad7a0f022b859243c647752e94a859352b8a4d4d2decd136e5",
			"c177f132ad3fbfb2201ac9904c74ee0a109e0ca1e4dfe9d5a100b842f1c22f0d",
		},
	},
	{
		.name = "RFC 3602, case 8",
		.alg = WAVECRYPT_ALG_CBC,
		.key = { "0123456789abcdef0123456789abcdef" },
		.iv = { "85d47224b5f3dd5d2101d4ea8dffab22" },
		.in = {
			"45000044090c00004001f990c0a87b03c0a87bc80800d63caa0a0200c69c083d",
			"a3de0300ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
			"ffffffff0102030405060708090a0a04",
		},
		.out = {
			"15b92683819596a8047232cc00f7048fe45318e11f8a0f62ede3c3fc61203bb5",
			"0f980a08c9843fd3a1b06d5c07ff9639b7eb7dfb3512e5de435e7207ed971ef3",
			"d2726d9b5ef6affc6d17a0decbb13892",
		},
	},
	{
		.name = "RFC 8439, 2.8.2",
		.alg = WAVECRYPT_ALG_CHACHA20_POLY1305,
		.key = { "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f" },
		.iv = { "07000000404142434445464700000000" },
		.aad = { "50515253c0c1c2c3c4c5c6c7" },
		.in = {
			"4c616469657320616e642047656e746c656d656e206f662074686520636c6173",
			"73206f66202739393a204966204920636f756c64206f6666657220796f75206f",
			"6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73",
			"637265656e20776f756c642062652069742e",
		},
		.out = {
			"d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6",
			"3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36",
			"92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc",
			"3ff4def08e4b7a9de576d26586cec64b6116",
		},
		.icv = { "1ae10b594f09e26a7e902ecbd0600691" },
	},
	{
		.name = "RFC 8439, A.5",
		.alg = WAVECRYPT_ALG_CHACHA20_POLY1305,
		.key = { "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0" },
		.iv = { "00000000010203040506070800000000" },
		.aad = { "f33388860000000000004e91" },
		.in = {
			"496e7465726e65742d4472616674732061726520647261667420646f63756d65",
			"6e74732076616c696420666f722061206d6178696d756d206f6620736978206d",
			"6f6e74687320616e64206d617920626520757064617465642c207265706c6163",
			"65642c206f72206f62736f6c65746564206279206f7468657220646f63756d65",
			"6e747320617420616e792074696d652e20497420697320696e617070726f7072",
			"6961746520746f2075736520496e7465726e65742d4472616674732061732072",
			"65666572656e6365206d6174657269616c206f7220746f206369746520746865",
			"6d206f74686572207468616e206173202fe2809c776f726b20696e2070726f67",
			"726573732e2fe2809d",
		},
		.out = {
			"64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb2",
			"4c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f355894cf",
			"332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c855",
			"9797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4",
			"b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523e",
			"af4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a",
			"0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a10",
			"49e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29",
			"a6ad5cb4022b02709b",
		},
		.icv = { "eead9d67890cbb22392336fea1851f38" },
	},
	{
		.name = "RFC 7634, appendix A",
		.alg = WAVECRYPT_ALG_CHACHA20_POLY1305,
		.key = { "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f" },
		.iv = { "a0a1a2a3101112131415161700000000" },
		.aad = { "0102030400000005" },
		.in = {
			"45000054a6f200004001e778c6336405c000020508005b7a3a080000553bec10",
			"0007362708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
			"2425262728292a2b2c2d2e2f303132333435363701020204",
		},
		.out = {
			"24039428b97f417e3c13753a4f05087b67c352e6a7fab1b982d466ef407ae5c6",
			"14ee8099d52844eb61aa95dfab4c02f72aa71e7c4c4f64c9befe2facc638e8f3",
			"cbec163fac469b502773f6fb94e664da9165b82829f641e0",
		},
		.icv = { "76aaa8266b7fb0f7b11b369907e1ad43" },
	},
};

const unsigned int nr_vectors = ARRAY_SIZE(vectors);

static uint8_t digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

size_t vector_bytes(uint8_t *to, const char *const parts[VECTOR_PARTS])
{
	size_t n = 0;

	for (int i = 0; i < VECTOR_PARTS && parts[i]; i++)
		for (const char *hex = parts[i]; *hex; hex += 2)
			to[n++] = digit(hex[0]) << 4 | digit(hex[1]);
	return n;
}
