/* Exposure Notification in the least C: the identifiers of a key, and a hash of them. A program includes
   it once. */
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <string.h>

typedef struct __attribute__((packed)) { uint8_t data[16]; uint32_t start, period; } key;

/* HMAC under a key of at most 64 bytes, hashed once. */
typedef struct { SHA256_CTX inner, outer; } hmac;

static void hmac_start(hmac *h, const uint8_t *key, size_t count) {
    uint8_t inner[64] = {0}, outer[64];
    memcpy(inner, key, count);
    for (int i = 0; i < 64; i++) outer[i] = inner[i] ^ 0x5c, inner[i] ^= 0x36;
    SHA256_Init(&h->inner), SHA256_Update(&h->inner, inner, 64);
    SHA256_Init(&h->outer), SHA256_Update(&h->outer, outer, 64);
}

static void hmac_code(const hmac *h, const void *message, size_t count, uint8_t code[32]) {
    SHA256_CTX hash = h->inner;
    SHA256_Update(&hash, message, count), SHA256_Final(code, &hash);
    hash = h->outer;
    SHA256_Update(&hash, code, 32), SHA256_Final(code, &hash);
}

static hmac extraction;
static EVP_CIPHER_CTX *cipher;
static uint32_t blocks[144][4];
static uint64_t identifiers[144][2];

static void expand(const key *k) {
    hmac expansion;
    uint8_t secret[32];
    int written;
    for (uint32_t i = 0; i < k->period; i++) blocks[i][3] = k->start + i;
    hmac_code(&extraction, k->data, 16, secret);
    hmac_start(&expansion, secret, 32);
    hmac_code(&expansion, "EN-RPIK\1", 8, secret);
    EVP_EncryptInit_ex(cipher, NULL, NULL, secret, NULL);
    EVP_EncryptUpdate(cipher, (uint8_t *)identifiers, &written, (uint8_t *)blocks, (int)k->period * 16);
}

static void expand_start(void) {
    for (int i = 0; i < 144; i++) memcpy(blocks[i], "EN-RPI", 6);
    hmac_start(&extraction, (uint8_t[32]){0}, 32);
    cipher = EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(cipher, EVP_aes_128_ecb(), NULL, NULL, NULL);
    EVP_CIPHER_CTX_set_padding(cipher, 0);
}

static uint64_t hash_of(const uint64_t words[2]) {
    unsigned __int128 product = (unsigned __int128)(words[0] ^ 0x9e3779b97f4a7c15) * (words[1] ^ 0xd1b54a32d192ed03);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static uint64_t bits_of(uint64_t hash) { return 1ull << (hash >> 20 & 63) | 1ull << (hash >> 26 & 63); }
