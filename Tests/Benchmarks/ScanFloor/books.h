/* The floor's state: peers, encounters, and entries waiting for the log. */
#ifndef BOOKS_H
#define BOOKS_H
#include <stdbool.h>
#include <string.h>

#include "scan.h"

enum { PASSER_BY, CANDIDATE, PARTICIPANT };      /* interest; PASSER_BY: ignored */
enum { NOBODY, NEWCOMER, ESTABLISHED, STANDINGS }; /* standing; an ignored peer has none */
enum { INDEX_SLOTS = 2 * SCAN_PEERS, INDEX_BITS = 13, NO_RSSI = 127, NO_POWER = -128 };

/* An open encounter and its current sample. Number 0: none. */
struct track {
    uint64_t first_time, last_time, sample_start, sample_end;
    uint32_t encounter, readings;
    int32_t sum;
    uint16_t sample_readings;
    int8_t minimum, maximum;
    uint8_t found_by;
    bool is_written;
};

struct peer {
    uint64_t address; /* 48 bits, and above them whether it is random */
    uint64_t last_seen;
    uint8_t interest, standing;
    bool is_connectable;
    int8_t rssi, power;
    uint8_t found_by;
    struct track track;
};

/* Neighbours in a ring. */
struct place { uint16_t newer, older; };

struct entry {
    enum { OPENED, SAMPLE, CLOSED } kind;
    int32_t slot;
    struct track track;
    int16_t mean;
    int8_t power;
};

struct books {
    struct peer peers[SCAN_PEERS];
    uint16_t index[INDEX_SLOTS];                  /* slot + 1, or 0 */
    struct place places[SCAN_PEERS + STANDINGS]; /* by slot, then the rings' heads */
    struct entry entries[SCAN_WAITING_ENTRIES];
    uint8_t received[SCAN_RECEIVE_BUFFER];
    uint16_t free_slots[SCAN_PEERS];
    uint32_t first_unused, free_count, newcomer_count, next_sweep, entry_count, last_encounter;
    uint64_t next_sweep_time, *counts;
};

struct sighting {
    uint64_t address;
    int8_t rssi, power;
    uint8_t interest, found_by;
    bool is_connectable;
};

static inline uint16_t load16(const uint8_t *at) { uint16_t v; memcpy(&v, at, 2); return v; }
static inline uint64_t load64(const uint8_t *at) { uint64_t v; memcpy(&v, at, 8); return v; }
static inline uint64_t load48(const uint8_t *at) {
    uint32_t v;
    memcpy(&v, at, 4);
    return v | (uint64_t)load16(at + 4) << 32;
}

#endif
