/* floor ARCHIVE KEYS SECONDS: what `tabardctl match exposure-notification` does, in the least C that we could
   write. It reads the same table by the same SQLite library, and looks up the same identifiers. KEYS has 24
   bytes per key: the key, its first interval, and their number, little-endian. SECONDS is the time as of
   which it matches, since 1970. It prints how many encounters of 14 days there are, and how many match. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "exposure.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCHEME = 5, TOLERANCE = 7200, RETENTION = 14 * 86400 };

typedef struct { uint64_t words[2]; uint32_t interval, used; } slot;

static slot *slots;
static uint64_t slot_mask, *filter;
static int filter_shift;

static void insert(const uint64_t words[2], uint32_t interval) {
    uint64_t hash = hash_of(words), place = hash & slot_mask;
    filter[hash >> filter_shift] |= bits_of(hash);
    while (slots[place].used) place = (place + 1) & slot_mask;
    slots[place] = (slot){{words[0], words[1]}, interval, 1};
}

static int matches(const uint64_t words[2], uint64_t seconds) {
    uint64_t hash = hash_of(words), bits = bits_of(hash);
    if ((filter[hash >> filter_shift] & bits) != bits) return 0;
    for (uint64_t place = hash & slot_mask; slots[place].used; place = (place + 1) & slot_mask) {
        if (slots[place].words[0] != words[0] || slots[place].words[1] != words[1]) continue;
        uint64_t from = (uint64_t)slots[place].interval * 600;
        if (seconds + TOLERANCE >= from && seconds < from + 600 + TOLERANCE) return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4) return 64;
    FILE *file = fopen(argv[2], "rb");
    if (!file) return 66;
    fseek(file, 0, SEEK_END);
    size_t count = (size_t)ftell(file) / sizeof(key);
    rewind(file);
    key *keys = malloc(count * sizeof(key) + 1);
    if (!keys || fread(keys, sizeof(key), count, file) != count) return 74;
    int bits = 4;
    while (1ull << bits < count * 144 * 2) bits++;
    slot_mask = (1ull << bits) - 1;
    filter_shift = 64 - (bits - 3);
    slots = calloc(slot_mask + 1, sizeof *slots);
    filter = calloc(1ull << (bits - 3), sizeof *filter);
    if (!slots || !filter) return 74;
    expand_start();
    for (size_t i = 0; i < count; i++) {
        expand(&keys[i]);
        for (uint32_t j = 0; j < keys[i].period; j++) insert(identifiers[j], keys[i].start + j);
    }

    sqlite3 *archive;
    sqlite3_stmt *rows;
    if (sqlite3_open_v2(argv[1], &archive, SQLITE_OPEN_READONLY, NULL)
        || sqlite3_prepare_v2(archive, "SELECT id, startMilliseconds, endMilliseconds, boot IS NULL, isLost, payload FROM encounter"
                                       " WHERE scheme = ?", -1, &rows, NULL)
        || sqlite3_bind_int(rows, 1, SCHEME)) {
        fprintf(stderr, "floor: %s\n", sqlite3_errmsg(archive));
        return 74;
    }
    uint64_t oldest = ((uint64_t)atoll(argv[3]) - RETENTION) * 1000, searched = 0, found = 0;
    int result;
    while ((result = sqlite3_step(rows)) == SQLITE_ROW) {
        uint64_t start = (uint64_t)sqlite3_column_int64(rows, 1), words[2];
        if (sqlite3_column_int(rows, 4) || sqlite3_column_bytes(rows, 5) != 20 || !sqlite3_column_int(rows, 3)) continue;
        if (start < oldest) continue;
        searched++;
        memcpy(words, sqlite3_column_blob(rows, 5), 16);
        found += (uint64_t)matches(words, start / 1000);
    }
    if (result != SQLITE_DONE) return 74;
    printf("%llu %llu\n", (unsigned long long)searched, (unsigned long long)found);
    return 0;
}
