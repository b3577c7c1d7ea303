/* crypto_pass with direct calls of mbedTLS. */
#include <mbedtls/ecdh.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#include <mbedtls/sha256.h>
#include <string.h>

#include "pass.h"

static int random_bytes(void *context, unsigned char *bytes, size_t count) {
    (void)context;
    memset(bytes, 0x5a, count);
    return 0;
}

static int32_t sha256(int64_t rounds, uint8_t *text) {
    while (rounds--)
        if (mbedtls_sha256_ret(text, 64, text, 0)) return 1;
    return 0;
}

static int32_t hmac(int64_t rounds, uint8_t *text) {
    uint8_t key[32];
    memset(key, 7, sizeof key);
    while (rounds--)
        if (mbedtls_md_hmac(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), key, sizeof key, text, 64, text)) return 1;
    return 0;
}

static int32_t seal(int64_t rounds, uint8_t *text) {
    uint8_t key[16], nonce[12], additional[16];
    mbedtls_gcm_context context;
    int32_t failed;
    memset(key, 7, sizeof key), memset(nonce, 8, sizeof nonce), memset(additional, 9, sizeof additional);
    mbedtls_gcm_init(&context);
    failed = mbedtls_gcm_setkey(&context, MBEDTLS_CIPHER_ID_AES, key, 128) != 0;
    while (!failed && rounds--) {
        uint8_t tag[16];
        failed = mbedtls_gcm_crypt_and_tag(&context, MBEDTLS_GCM_ENCRYPT, 64, nonce, sizeof nonce, additional,
                                           sizeof additional, text, text, sizeof tag, tag) != 0;
        memcpy(text, tag, sizeof tag);
    }
    mbedtls_gcm_free(&context);
    return failed;
}

static int32_t ecdh(int64_t rounds, uint8_t *text, const uint8_t *bytes) {
    uint8_t scalar[32];
    mbedtls_ecp_group group;
    mbedtls_mpi number;
    int32_t failed;
    memset(scalar, 7, sizeof scalar);
    mbedtls_ecp_group_init(&group), mbedtls_mpi_init(&number);
    failed = mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_SECP256R1) || mbedtls_mpi_read_binary(&number, scalar, 32);
    while (!failed && rounds--) {
        mbedtls_ecp_point point;
        mbedtls_mpi secret;
        mbedtls_ecp_point_init(&point), mbedtls_mpi_init(&secret);
        failed = mbedtls_ecp_point_read_binary(&group, &point, bytes, 65) || mbedtls_ecp_check_pubkey(&group, &point)
                 || mbedtls_ecdh_compute_shared(&group, &secret, &point, &number, random_bytes, NULL)
                 || mbedtls_mpi_write_binary(&secret, text, 32);
        mbedtls_ecp_point_free(&point), mbedtls_mpi_free(&secret);
    }
    mbedtls_ecp_group_free(&group), mbedtls_mpi_free(&number);
    return failed;
}

int32_t crypto_pass(int32_t what, int64_t rounds, uint8_t *text, const uint8_t *point) {
    switch (what) {
    case PASS_SHA256: return sha256(rounds, text);
    case PASS_HMAC: return hmac(rounds, text);
    case PASS_SEAL: return seal(rounds, text);
    case PASS_ECDH: return ecdh(rounds, text, point);
    default: return 1;
    }
}
