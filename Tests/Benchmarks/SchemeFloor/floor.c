/* floor FILE PASSES: the work of scheme-benchmark in the least C that we could write, on the same libcrypto.
   Its input is the file that scheme-benchmark wrote (SchemeInput.swift). */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "exposure.h"
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct __attribute__((packed)) { uint64_t identifier[2], seconds; } heard;
typedef struct __attribute__((packed)) { uint32_t day; uint8_t key[32]; } herald_day;
typedef struct __attribute__((packed)) { uint8_t key[32]; uint32_t day; } root;
typedef struct __attribute__((packed)) { uint8_t number[16], secret[32]; } installation;
typedef struct __attribute__((packed)) { uint8_t bytes[129]; uint64_t observed; } payload;

static uint32_t *counts;
static key *keys;
static heard *heards;
static herald_day *herald_days;
static root *roots;
static uint8_t *authority;
static installation *installations;
static payload *payloads;

static uint64_t start_of(const void *identity) {
    uint64_t value;
    memcpy(&value, identity, sizeof value);
    return value;
}

static void sha256(const void *message, size_t count, uint8_t digest[32]) {
    SHA256_CTX hash;
    SHA256_Init(&hash), SHA256_Update(&hash, message, count), SHA256_Final(digest, &hash);
}

/* Exposure Notification */
static uint64_t expand_all(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < counts[0]; i++) {
        expand(&keys[i]);
        for (uint32_t j = 0; j < keys[i].period; j++) sum += identifiers[j][0];
    }
    return sum;
}

enum { FILTER_BITS = 15, SLOT_BITS = 18 };
static uint64_t filter[1 << FILTER_BITS];
static uint32_t slots[1 << SLOT_BITS];

static void hear_all(void) {
    for (uint32_t i = 0; i < counts[1]; i++) {
        uint64_t words[2], hash;
        memcpy(words, heards[i].identifier, 16);
        hash = hash_of(words);
        filter[hash >> (64 - FILTER_BITS)] |= bits_of(hash);
        uint64_t slot = hash & ((1 << SLOT_BITS) - 1);
        while (slots[slot]) slot = (slot + 1) & ((1 << SLOT_BITS) - 1);
        slots[slot] = i + 1;
    }
}

static uint64_t match_all(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < counts[0]; i++) {
        expand(&keys[i]);
        for (uint32_t j = 0; j < keys[i].period; j++) {
            uint64_t hash = hash_of(identifiers[j]), bits = bits_of(hash);
            if ((filter[hash >> (64 - FILTER_BITS)] & bits) != bits) continue;
            uint64_t from = ((uint64_t)keys[i].start + j) * 600, slot = hash & ((1 << SLOT_BITS) - 1);
            for (; slots[slot]; slot = (slot + 1) & ((1 << SLOT_BITS) - 1)) {
                const heard *h = &heards[slots[slot] - 1];
                if (memcmp(h->identifier, identifiers[j], 16)) continue;
                if (h->seconds + 7200 >= from && h->seconds < from + 600 + 7200)
                    sum += (uint64_t)slots[slot] * (keys[i].start + j);
            }
        }
    }
    return sum;
}

static uint64_t herald_all(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < counts[2]; i++) {
        uint8_t seed[32], before[32], mixed[32];
        sha256(herald_days[i].key, 32, seed);
        for (int period = 240; period >= 0; period--) {
            sha256(seed, 16, before);
            if (period < 240) {
                for (int j = 0; j < 32; j++) mixed[j] = seed[j] ^ before[j];
                sha256(mixed, 32, mixed);
                sum += start_of(mixed);
            }
            memcpy(seed, before, 32);
        }
    }
    return sum;
}

static uint64_t covidtracer_all(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < counts[3]; i++) {
        time_t midnight = (time_t)roots[i].day * 86400;
        struct tm date;
        char text[16];
        uint8_t code[32];
        hmac h;
        gmtime_r(&midnight, &date);
        strftime(text, sizeof text, "%Y-%m-%dT00", &date);
        hmac_start(&h, roots[i].key, 32);
        hmac_code(&h, text, 10, code);
        hmac_start(&h, code, 32);
        for (int hour = 0; hour < 24; hour++) {
            text[11] = (char)('0' + hour / 10), text[12] = (char)('0' + hour % 10);
            hmac_code(&h, text, 13, code);
            sum += start_of(code);
        }
    }
    return sum;
}

/* Sonar */
static EC_GROUP *curve;
enum { BATCH = 64 };
static EC_POINT *points[BATCH];
static BIGNUM *scalar, *coordinate;
static BN_CTX *scratch;
static EVP_CIPHER_CTX *gcm;
enum { HOMES = 4096 };
static uint32_t homes[HOMES];

static void sonar_start(void) {
    curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    for (int i = 0; i < BATCH; i++) points[i] = EC_POINT_new(curve);
    scalar = BN_bin2bn(authority, 32, NULL), coordinate = BN_new(), scratch = BN_CTX_new();
    BN_set_flags(scalar, BN_FLG_CONSTTIME);
    gcm = EVP_CIPHER_CTX_new();
    EVP_DecryptInit_ex(gcm, EVP_aes_128_gcm(), NULL, NULL, NULL);
    EVP_CIPHER_CTX_ctrl(gcm, EVP_CTRL_AEAD_SET_IVLEN, 16, NULL);
    for (uint32_t i = 0; i < counts[4]; i++) {
        uint64_t home = start_of(installations[i].number) % HOMES;
        while (homes[home]) home = (home + 1) % HOMES;
        homes[home] = i + 1;
    }
}

static uint32_t number(const uint8_t *b) { return (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]; }

static void multiply(const payload *p, EC_POINT *point) {
    uint8_t key[65] = {4};
    memcpy(key + 1, p->bytes + 2, 64);
    if (EC_POINT_oct2point(curve, point, key, 65, scratch) != 1) exit(1);
    EC_POINT_mul(curve, point, NULL, point, scalar, scratch);
}

/* Resolves a payload whose point has been multiplied and made affine. Returns 0 if it is too old, otherwise
   the start of its installation's number. Anything else ends the program. */
static uint64_t resolve(const payload *p, const EC_POINT *point) {
    uint8_t hashed[32 + 4 + 65] = {0}, derived[32], message[26], rest[16], code[32];
    int written;
    hashed[35] = 1, hashed[36] = 4;
    memcpy(hashed + 37, p->bytes + 2, 64);
    EC_POINT_get_Jprojective_coordinates_GFp(curve, point, coordinate, NULL, NULL, scratch);
    BN_bn2binpad(coordinate, hashed, 32);
    sha256(hashed, sizeof hashed, derived);
    EVP_DecryptInit_ex(gcm, NULL, NULL, derived, derived + 16);
    EVP_DecryptUpdate(gcm, message, &written, p->bytes + 66, 26);
    EVP_CIPHER_CTX_ctrl(gcm, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(p->bytes + 92));
    if (EVP_DecryptFinal_ex(gcm, rest, &written) != 1 || memcmp(message + 24, p->bytes, 2)) exit(1);
    uint64_t from = number(message), until = number(message + 4), made = number(p->bytes + 109);
    if (made < from || made >= until) exit(1);
    uint64_t home = start_of(message + 8) % HOMES;
    while (homes[home] && memcmp(installations[homes[home] - 1].number, message + 8, 16)) home = (home + 1) % HOMES;
    if (!homes[home]) exit(1);
    hmac h;
    hmac_start(&h, installations[homes[home] - 1].secret, 32);
    hmac_code(&h, p->bytes, 113, code);
    if (CRYPTO_memcmp(code, p->bytes + 113, 16)) exit(1);
    if (p->observed + 600 < from || p->observed >= until + 600) exit(1);
    uint64_t age = p->observed > made ? p->observed - made : made - p->observed;
    return age > 600 ? 0 : start_of(message + 8);
}

static uint64_t resolve_all(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < counts[5]; i += BATCH) {
        uint32_t count = counts[5] - i < BATCH ? counts[5] - i : BATCH;
        for (uint32_t j = 0; j < count; j++) multiply(&payloads[i + j], points[j]);
        EC_POINTs_make_affine(curve, count, points, scratch);
        for (uint32_t j = 0; j < count; j++) {
            uint64_t start = resolve(&payloads[i + j], points[j]);
            sum += start ? start : 1;
        }
    }
    return sum;
}

/* The curve's cost alone: no program on this library can need less. */
static uint64_t multiply_all(void) {
    for (uint32_t i = 0; i < counts[5]; i++) multiply(&payloads[i], points[i % BATCH]);
    return counts[5];
}

static uint64_t processor_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void measure(const char *name, uint64_t count, int passes, uint64_t (*pass)(void)) {
    uint64_t best = UINT64_MAX, sum = 0;
    while (passes--) {
        uint64_t start = processor_nanoseconds();
        sum = pass();
        uint64_t took = processor_nanoseconds() - start;
        if (took < best) best = took;
    }
    printf("%s %llu %llu %llu\n", name, (unsigned long long)count, (unsigned long long)best, (unsigned long long)sum);
}

int main(int argc, char **argv) {
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 64;
    static uint8_t bytes[16 << 20];
    if (fread(bytes, 1, sizeof bytes, file) == sizeof bytes) return 64;
    counts = (uint32_t *)bytes;
    keys = (key *)(counts + 6);
    heards = (heard *)(keys + counts[0]);
    herald_days = (herald_day *)(heards + counts[1]);
    roots = (root *)(herald_days + counts[2]);
    authority = (uint8_t *)(roots + counts[3]);
    installations = (installation *)(authority + 32);
    payloads = (payload *)(installations + counts[4]);

    int passes = atoi(argv[2]);
    expand_start();
    hear_all();
    sonar_start();
    measure("exposure-identifiers", (uint64_t)counts[0] * 144, passes, expand_all);
    measure("exposure-keys-matched", counts[0], passes, match_all);
    measure("herald-days", counts[2], passes, herald_all);
    measure("covidtracer-days", counts[3], passes, covidtracer_all);
    measure("sonar-resolutions", counts[5], passes, resolve_all);
    measure("sonar-multiplications", counts[5], passes, multiply_all);
    return 0;
}
