/* Peers by address in an open-addressing table, and in one ring for each standing, in the order of sightings.
 */
#ifndef ORDERS_H
#define ORDERS_H
#include "books.h"

static uint32_t hash(uint64_t address) { return (uint32_t)((address * SCAN_HASH_SEED) >> (64 - INDEX_BITS)); }

static void remove_from_index(struct books *b, uint64_t address) {
    uint32_t mask = INDEX_SLOTS - 1, hole = hash(address);
    while (b->peers[b->index[hole] - 1].address != address) hole = (hole + 1) & mask;
    for (uint32_t place = (hole + 1) & mask; b->index[place]; place = (place + 1) & mask) {
        uint32_t home = hash(b->peers[b->index[place] - 1].address);
        if (((place - home) & mask) >= ((place - hole) & mask)) {
            b->index[hole] = b->index[place];
            hole = place;
        }
    }
    b->index[hole] = 0;
}

static void join(struct books *b, uint16_t older, uint16_t newer) {
    b->places[older].newer = newer;
    b->places[newer].older = older;
}

static void append(struct books *b, int32_t slot) {
    uint16_t head = SCAN_PEERS + b->peers[slot].standing;
    join(b, b->places[head].older, (uint16_t)slot);
    join(b, (uint16_t)slot, head);
}

static void unlink_peer(struct books *b, int32_t slot) { join(b, b->places[slot].older, b->places[slot].newer); }

static void move_to_newest(struct books *b, int32_t slot) {
    if (b->places[slot].newer == SCAN_PEERS + b->peers[slot].standing) return;
    unlink_peer(b, slot);
    append(b, slot);
}

/* The oldest peer of a standing; -1 if there is none. */
static int32_t oldest(const struct books *b, int standing) {
    int32_t slot = b->places[SCAN_PEERS + standing].newer;
    return slot < SCAN_PEERS ? slot : -1;
}

static void set_standing(struct books *b, int32_t slot, uint8_t standing) {
    unlink_peer(b, slot);
    b->newcomer_count -= b->peers[slot].standing == NEWCOMER;
    b->newcomer_count += standing == NEWCOMER;
    b->peers[slot].standing = standing;
    append(b, slot);
}

#endif
