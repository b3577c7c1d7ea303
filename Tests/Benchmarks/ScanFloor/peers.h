/* Admission, eviction, and the effect of a sighting. The rules are those of PeerTable. */
#ifndef PEERS_H
#define PEERS_H
#include "encounters.h"

static bool has_ended(const struct books *b, int32_t slot, uint64_t now) {
    const struct track *t = &b->peers[slot].track;
    return !t->encounter || now > t->last_time + SCAN_GAP_TIME;
}

/* The peer that a new one replaces in a full table; -1 if it may replace none. */
static int32_t eviction_candidate(const struct books *b, bool is_followed, uint64_t now) {
    int32_t passer_by = oldest(b, NOBODY), tentative = oldest(b, NEWCOMER), established = oldest(b, ESTABLISHED);
    if (passer_by >= 0 || !is_followed) return passer_by;
    if (b->newcomer_count > SCAN_PEERS / 4) return tentative;
    return established >= 0 && has_ended(b, established, now) ? established : tentative;
}

static void forget(struct books *b, int32_t slot) {
    unlink_peer(b, slot);
    b->newcomer_count -= b->peers[slot].standing == NEWCOMER;
    remove_from_index(b, b->peers[slot].address);
    b->peers[slot].standing = NOBODY;
    b->free_slots[b->free_count++] = (uint16_t)slot;
}

/* A slot for a new peer, after evicting another peer if necessary; -1 if there is none. */
static int32_t add(struct books *b, uint64_t address, bool is_followed, uint64_t now) {
    int32_t slot;
    if (!b->free_count && b->first_unused == SCAN_PEERS) {
        slot = eviction_candidate(b, is_followed, now);
        b->counts[slot < 0 ? SCAN_TURNED_AWAY : SCAN_EVICTIONS]++;
        if (slot < 0) return slot;
        if (b->peers[slot].track.encounter) close_encounter(b, slot);
        forget(b, slot);
    }
    slot = b->free_count ? b->free_slots[--b->free_count] : (int32_t)b->first_unused++;
    b->peers[slot] = (struct peer){.address = address, .rssi = NO_RSSI, .power = NO_POWER};
    uint32_t place = hash(address);
    while (b->index[place]) place = (place + 1) & (INDEX_SLOTS - 1);
    b->index[place] = (uint16_t)(slot + 1);
    append(b, slot);
    return slot;
}

static void note(struct books *b, const struct sighting *s, uint64_t now) {
    b->counts[SCAN_REPORTS]++;
    int32_t slot = -1;
    for (uint32_t place = hash(s->address); b->index[place]; place = (place + 1) & (INDEX_SLOTS - 1))
        if (b->peers[b->index[place] - 1].address == s->address) {
            slot = b->index[place] - 1;
            break;
        }
    if (slot >= 0) move_to_newest(b, slot);
    else if ((slot = add(b, s->address, s->interest != PASSER_BY, now)) < 0) return;
    struct peer *p = &b->peers[slot];
    p->last_seen = now;
    if (s->power != NO_POWER) p->power = s->power;
    if (s->is_connectable) p->is_connectable = true;
    if (s->interest > p->interest) {
        p->found_by = s->found_by;
        p->interest = s->interest;
        if (p->standing == NOBODY) set_standing(b, slot, NEWCOMER);
        if (s->interest == PARTICIPANT && p->track.encounter && !p->track.is_written) write_opening(b, slot);
    }
    if (s->rssi != NO_RSSI) {
        p->rssi = s->rssi;
        if (p->interest != PASSER_BY) record(b, slot, s->rssi, now);
    }
}

/* Advances some of the peers in time: ends encounters and samples, and forgets silent peers. */
static void advance(struct books *b, uint64_t now) {
    uint32_t end = b->next_sweep + SCAN_SWEEP_SLOTS;
    if (end > b->first_unused) end = b->first_unused;
    for (uint32_t i = b->next_sweep; i < end; i++) {
        struct peer *p = &b->peers[i];
        if (p->standing == NOBODY) continue;
        if (has_ended(b, (int32_t)i, now)) {
            if (p->track.encounter) {
                if (b->entry_count + 2 > SCAN_WAITING_ENTRIES) continue;
                close_encounter(b, (int32_t)i);
            }
            if (now > p->last_seen + (p->standing == NEWCOMER ? SCAN_GAP_TIME : SCAN_FORGET_TIME)) forget(b, (int32_t)i);
        } else if (is_sample_due(b, &p->track, now)) {
            write_sample(b, (int32_t)i);
        }
    }
    b->next_sweep = end < b->first_unused ? end : 0;
}

#endif
