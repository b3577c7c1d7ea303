#ifndef PASS_H
#define PASS_H

#include <stdint.h>

enum {
    PASS_SHA256, /* 64 bytes */
    PASS_HMAC,   /* 64 bytes under a key of 32, in one call */
    PASS_SEAL,   /* AES-128-GCM of 64 bytes, 16 more authenticated, under a key set up once */
    PASS_ECDH,   /* P-256, with a point that comes as 65 bytes and is checked */
    PASS_COUNT
};

/* Does one thing so often, each time with what the time before gave (but the point, which is always `point`), beginning
   with `text`, 64 bytes, where the last result stands in front when it returns. 0 if all went well. */
int32_t crypto_pass(int32_t what, int64_t rounds, uint8_t *text, const uint8_t *point);

#endif
