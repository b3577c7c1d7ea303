#include <mbedtls/aes.h>
#include <mbedtls/cipher.h>
#include <mbedtls/ecdh.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/ecp.h>
#include <mbedtls/gcm.h>
#include <mbedtls/hkdf.h>
#include <mbedtls/hmac_drbg.h>
#include <mbedtls/md.h>
#include <mbedtls/platform_util.h>
#include <mbedtls/sha256.h>

/* Gives the library a fixed pool of 24 KiB instead of an allocator (board builds; no effect elsewhere). */
void cmbedtls_use_fixed_pool(void);

/* Curve arithmetic in slices. The boards' library can stop within a multiplication and continue in a later
   call. A distribution's library, built without MBEDTLS_ECP_RESTARTABLE, does the whole computation in one
   call.
   Only these functions depend on the difference. */
#if defined(MBEDTLS_ECP_RESTARTABLE)

typedef mbedtls_ecdsa_restart_ctx tabard_slices;
static inline void tabard_slices_init(tabard_slices *slices) { mbedtls_ecdsa_restart_init(slices); }
static inline void tabard_slices_free(tabard_slices *slices) { mbedtls_ecdsa_restart_free(slices); }

/* Return the library's context for a call of at most `operations` field multiplications, by its own
   estimate. */
static inline mbedtls_ecdsa_restart_ctx *tabard_slice_of_signing(
    tabard_slices *slices, unsigned operations) {
    mbedtls_ecp_set_max_ops(operations);
    return slices;
}
static inline mbedtls_ecp_restart_ctx *tabard_slice_of_multiplying(
    tabard_slices *slices, unsigned operations) {
    mbedtls_ecp_set_max_ops(operations);
    return &slices->ecp;
}

#else

typedef struct { char none; } tabard_slices;
static inline void tabard_slices_init(tabard_slices *slices) { (void)slices; }
static inline void tabard_slices_free(tabard_slices *slices) { (void)slices; }
static inline mbedtls_ecdsa_restart_ctx *tabard_slice_of_signing(
    tabard_slices *slices, unsigned operations) {
    (void)slices, (void)operations;
    return NULL;
}
static inline mbedtls_ecp_restart_ctx *tabard_slice_of_multiplying(
    tabard_slices *slices, unsigned operations) {
    (void)slices, (void)operations;
    return NULL;
}

#endif
