/* Functions that mbedTLS refers to, and that the agent never calls: mbedtls-config.h names them. */
#include "mbedtls/aes.h"

int mbedtls_aes_setkey_dec(mbedtls_aes_context *context, const unsigned char *key, unsigned int bit_count) {
    (void)context, (void)key, (void)bit_count;
    return MBEDTLS_ERR_AES_FEATURE_UNAVAILABLE;
}

int mbedtls_internal_aes_decrypt(mbedtls_aes_context *context, const unsigned char input[16],
                                 unsigned char output[16]) {
    (void)context, (void)input, (void)output;
    return MBEDTLS_ERR_AES_FEATURE_UNAVAILABLE;
}
