/* mbedTLS for the boards: only what Sources/Cryptography uses, in a fixed memory pool. It is installed as the
   sysroot's mbedtls/config.h, so that the library and the Swift importer agree on the size of every
   structure. A new primitive in Cryptography must be enabled here, and its source file listed in make-sdk. */
#ifndef TABARD_MBEDTLS_CONFIG_H
#define TABARD_MBEDTLS_CONFIG_H

/* SHA-256, HMAC, HKDF and the random generator. Flash matters more than speed: hashes are needed once in
   seconds, not for each packet. */
#define MBEDTLS_MD_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER
#define MBEDTLS_HKDF_C
#define MBEDTLS_HMAC_DRBG_C

/* AES in CTR and GCM, which only encrypt blocks; tables in read-only memory, and one of the four. The
   decryption of blocks is left out: mbedtls-unused.c has empty functions in its place. */
#define MBEDTLS_AES_DECRYPT_ALT
#define MBEDTLS_AES_SETKEY_DEC_ALT
#define MBEDTLS_AES_C
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_CIPHER_C
#define MBEDTLS_CIPHER_MODE_CTR
#define MBEDTLS_GCM_C

/* P-256: key agreement and (deterministic) signatures. No other curve. */
#define MBEDTLS_HAVE_ASM
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_MPI_MAX_SIZE 64
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECP_NIST_OPTIM
#define MBEDTLS_ECP_WINDOW_SIZE 4
#define MBEDTLS_ECP_MAX_BITS 256
#define MBEDTLS_ECDH_C
#define MBEDTLS_ECDSA_C
#define MBEDTLS_ECDSA_DETERMINISTIC
/* In slices, because the run loop must not block for an agreement. With slices, ECDH has only its older
   context. */
#define MBEDTLS_ECP_RESTARTABLE
#define MBEDTLS_ECDH_LEGACY_CONTEXT
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C

/* No malloc: big numbers live in a pool given at start-up. The self-test's agreement, signature and
   verification, run in turns, take less than 20 KiB; exceeding the pool fails cleanly. */
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_MEMORY_BUFFER_ALLOC_C

/* No stdio and no exit(): both would bring an allocator into the image. */
#define MBEDTLS_PLATFORM_NO_STD_FUNCTIONS
#define MBEDTLS_PLATFORM_FPRINTF_ALT
#define MBEDTLS_PLATFORM_EXIT_ALT

#include "mbedtls/check_config.h"

#endif
