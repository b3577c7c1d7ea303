#ifndef PASS_H
#define PASS_H

#include <stdint.h>

enum {
    PASS_SHA256, /* 64 bytes */
    PASS_HMAC,   /* 64 bytes under a key of 32, in one call */
    PASS_SEAL,   /* AES-128-GCM of 64 bytes, 16 more authenticated, under a key set up once */
    PASS_ECDH,   /* P-256, with a point given as 65 bytes, which is checked */
    PASS_COUNT
};

/* Runs one operation so many times, each on the previous result (only the point is always `point`). `text`
   has 64 bytes: the input on entry, the last result in front on return. Returns 0 on success. */
int32_t crypto_pass(int32_t what, int64_t rounds, uint8_t *text, const uint8_t *point);

#endif
