/* The floor: the least C that does what Tabard's scan path does, byte for byte of what it counts. Every access to
   what came from outside is checked, as Tabard's is; nothing else is. See ScanHarness/scan.h. */
#include <stdbool.h>
#include <string.h>

#include "CLinux.h"
#include "scan.h"

enum { PASSER_BY, CANDIDATE, PARTICIPANT };
enum { INDEX_SLOTS = 2 * SCAN_PEERS, INDEX_BITS = 13, NO_RSSI = 127, NO_POWER = -128 };
#define LEGACY_HIGH UINT64_C(0x428132af474642d3)
#define LEGACY_LOW UINT64_C(0x801e4572d65bfd9b)

/* An open encounter and the sample being gathered for it. Number 0: none. */
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
    uint64_t address; /* 48 bits and, above them, whether it is random */
    uint64_t last_seen;
    int32_t newer, older;
    uint8_t interest;
    bool is_connectable;
    int8_t rssi, power;
    uint8_t found_by;
    struct track track;
};

struct order { int32_t newest, oldest; };

struct entry {
    enum { OPENED, SAMPLE, CLOSED } kind;
    int32_t slot;
    struct track track;
    int16_t mean;
    int8_t power;
};

struct books {
    struct peer peers[SCAN_PEERS];
    uint16_t index[INDEX_SLOTS]; /* slot + 1, or 0 */
    struct entry entries[SCAN_WAITING_ENTRIES];
    uint8_t received[SCAN_RECEIVE_BUFFER];
    struct order orders[2]; /* of passers-by, of followed peers */
    uint32_t peer_count, entry_count, last_encounter;
    uint64_t *counts;
};

struct sighting {
    uint64_t address;
    int8_t rssi, power;
    uint8_t interest, found_by;
    bool is_connectable;
};

static uint16_t load16(const uint8_t *at) { uint16_t v; memcpy(&v, at, 2); return v; }
static uint64_t load64(const uint8_t *at) { uint64_t v; memcpy(&v, at, 8); return v; }
static uint64_t load48(const uint8_t *at) {
    uint32_t v;
    memcpy(&v, at, 4);
    return v | (uint64_t)load16(at + 4) << 32;
}

/* Peers: open addressing, and two lists in the order of sightings. */

static uint32_t hash(uint64_t address) { return (uint32_t)((address * SCAN_HASH_SEED) >> (64 - INDEX_BITS)); }

static void link_newest(struct books *b, int32_t slot) {
    struct peer *p = &b->peers[slot];
    struct order *o = &b->orders[p->interest != PASSER_BY];
    p->newer = -1;
    p->older = o->newest;
    if (o->newest >= 0) b->peers[o->newest].newer = slot; else o->oldest = slot;
    o->newest = slot;
}

static void unlink_peer(struct books *b, int32_t slot) {
    struct peer *p = &b->peers[slot];
    struct order *o = &b->orders[p->interest != PASSER_BY];
    if (p->newer >= 0) b->peers[p->newer].older = p->older; else o->newest = p->older;
    if (p->older >= 0) b->peers[p->older].newer = p->newer; else o->oldest = p->newer;
}

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

/* Encounters and samples. */

static void push(struct books *b, int kind, int32_t slot, int16_t mean) {
    if (b->entry_count == SCAN_WAITING_ENTRIES) { b->counts[SCAN_DROPPED_ENTRIES]++; return; }
    struct peer *p = &b->peers[slot];
    b->entries[b->entry_count++] =
        (struct entry){.kind = kind, .slot = slot, .track = p->track, .mean = mean, .power = p->power};
}

static void write_sample(struct books *b, int32_t slot) {
    struct track *t = &b->peers[slot].track;
    int32_t half = t->sum < 0 ? -t->sample_readings : t->sample_readings; /* to the nearest tenth */
    push(b, SAMPLE, slot, (int16_t)((t->sum * 10 + half / 2) / t->sample_readings));
    t->sample_readings = 0;
}

static void write_opening(struct books *b, int32_t slot) {
    b->peers[slot].track.is_written = true;
    b->counts[SCAN_ENCOUNTERS]++;
    push(b, OPENED, slot, 0);
}

static void close_encounter(struct books *b, int32_t slot) {
    struct track *t = &b->peers[slot].track;
    if (t->is_written) {
        if (t->sample_readings) write_sample(b, slot);
        push(b, CLOSED, slot, 0);
    }
    *t = (struct track){0};
}

static void record(struct books *b, int32_t slot, int8_t rssi, uint64_t now) {
    struct peer *p = &b->peers[slot];
    struct track *t = &p->track;
    if (t->encounter && now > t->last_time + SCAN_GAP_TIME) close_encounter(b, slot);
    if (!t->encounter) {
        *t = (struct track){.encounter = ++b->last_encounter, .found_by = p->found_by, .first_time = now};
        if (p->interest == PARTICIPANT) write_opening(b, slot);
    } else if (t->is_written && t->sample_readings && b->entry_count < SCAN_WAITING_ENTRIES &&
               (now >= t->sample_start + SCAN_SAMPLE_TIME || t->sample_readings == UINT16_MAX)) {
        write_sample(b, slot);
    }
    t->readings++;
    t->last_time = t->sample_end = now;
    if (!t->sample_readings) {
        t->sample_start = now;
        t->minimum = t->maximum = rssi;
        t->sum = 0;
    } else {
        if (rssi < t->minimum) t->minimum = rssi;
        if (rssi > t->maximum) t->maximum = rssi;
    }
    if (t->sample_readings == UINT16_MAX) return;
    t->sample_readings++;
    t->sum += rssi;
}

/* A slot for a new peer: the next unused one, or that of the passer-by, else the followed peer, unheard for longest. */
static int32_t add(struct books *b, uint64_t address) {
    int32_t slot;
    if (b->peer_count < SCAN_PEERS) {
        slot = (int32_t)b->peer_count++;
    } else {
        slot = b->orders[0].oldest >= 0 ? b->orders[0].oldest : b->orders[1].oldest;
        b->counts[SCAN_EVICTIONS]++;
        if (b->peers[slot].track.encounter) close_encounter(b, slot);
        unlink_peer(b, slot);
        remove_from_index(b, b->peers[slot].address);
    }
    b->peers[slot] = (struct peer){.address = address, .rssi = NO_RSSI, .power = NO_POWER};
    uint32_t place = hash(address);
    while (b->index[place]) place = (place + 1) & (INDEX_SLOTS - 1);
    b->index[place] = (uint16_t)(slot + 1);
    link_newest(b, slot);
    return slot;
}

static void note(struct books *b, const struct sighting *s, uint64_t now) {
    int32_t slot = -1;
    for (uint32_t place = hash(s->address); b->index[place]; place = (place + 1) & (INDEX_SLOTS - 1))
        if (b->peers[b->index[place] - 1].address == s->address) {
            slot = b->index[place] - 1;
            break;
        }
    struct peer *p;
    if (slot < 0) {
        slot = add(b, s->address);
        p = &b->peers[slot];
    } else {
        p = &b->peers[slot];
        if (p->newer >= 0) {
            unlink_peer(b, slot);
            link_newest(b, slot);
        }
    }
    p->last_seen = now;
    if (s->power != NO_POWER) p->power = s->power;
    if (s->is_connectable) p->is_connectable = true;
    if (s->interest > p->interest) {
        p->found_by = s->found_by;
        unlink_peer(b, slot);
        p->interest = s->interest;
        link_newest(b, slot);
        if (s->interest == PARTICIPANT && p->track.encounter && !p->track.is_written) write_opening(b, slot);
    }
    if (s->rssi != NO_RSSI) {
        p->rssi = s->rssi;
        if (p->interest != PASSER_BY) record(b, slot, s->rssi, now);
    }
}

/* Adverts. */

static bool is_apple_overflow(const uint8_t *data, size_t count) {
    if (count < 19 || load16(data) != 0x004c) return false;
    for (size_t offset = 2; offset + 17 <= count; offset += 2 + data[offset + 1])
        if (data[offset] == 0x01) return load64(data + offset + 1) | load64(data + offset + 9);
    return false;
}

static void classify(const uint8_t *advert, size_t count, struct sighting *s, uint64_t *counts) {
    bool has_current = false, has_legacy = false, has_overflow = false;
    for (size_t offset = 0; offset < count;) {
        size_t length = advert[offset];
        if (!length) { offset++; continue; }
        if (length >= count - offset) { counts[SCAN_MALFORMED]++; break; }
        const uint8_t *data = advert + offset + 2;
        size_t data_count = length - 1;
        switch (advert[offset + 1]) {
        case 0x02: case 0x03:
            for (size_t i = 0; i + 2 <= data_count; i += 2)
                if (load16(data + i) == 0xfcf6) has_current = true;
            break;
        case 0x06: case 0x07:
            for (size_t i = 0; i + 16 <= data_count; i += 16)
                if (load64(data + i) == LEGACY_LOW && load64(data + i + 8) == LEGACY_HIGH) has_legacy = true;
            break;
        case 0x0a:
            if (data_count == 1) s->power = (int8_t)data[0];
            break;
        case 0xff:
            if (is_apple_overflow(data, data_count)) has_overflow = true;
            break;
        }
        offset += 1 + length;
    }
    s->interest = has_current || has_legacy ? PARTICIPANT : has_overflow ? CANDIDATE : PASSER_BY;
    s->found_by = has_current && has_legacy ? 2 : has_current ? 0 : has_legacy ? 1 : 3;
    if (s->interest == PARTICIPANT) counts[SCAN_HERALD_SIGHTINGS]++;
    else if (s->interest == CANDIDATE) counts[SCAN_CANDIDATES]++;
}

static void take_reports(struct books *b, const uint8_t *bytes, size_t count, uint64_t now) {
    if (!count) { b->counts[SCAN_MALFORMED]++; return; }
    size_t offset = 1;
    for (unsigned remaining = bytes[0]; remaining; remaining--) {
        size_t data_count;
        if (count - offset <= 9 || count - offset <= 9 + (data_count = bytes[offset + 8])) {
            b->counts[SCAN_MALFORMED]++;
            return;
        }
        const uint8_t *report = bytes + offset;
        struct sighting s = {
            .address = load48(report + 2) | (uint64_t)(report[1] & 1) << 48,
            .rssi = (int8_t)report[9 + data_count],
            .power = NO_POWER,
            .is_connectable = report[0] <= 1,
        };
        if (s.rssi > 20 || s.rssi == -128) s.rssi = NO_RSSI;
        classify(report + 9, data_count, &s, b->counts);
        b->counts[SCAN_REPORTS]++;
        note(b, &s, now);
        offset += 9 + data_count + 1;
    }
}

/* Framing. */

static bool is_plausible(uint8_t event) { return (event >= 0x01 && event <= 0x59) || event == 0xff; }

/* Packets of received[0..<end]; returns where the first incomplete one starts. */
static size_t take_packets(struct books *b, size_t end, uint64_t *packets) {
    const uint8_t *bytes = b->received;
    size_t at = 0;
    while (at < end) {
        size_t left = end - at, length = 0;
        if (bytes[at] == 0x04) {
            if (left < 2) return at;
            if (is_plausible(bytes[at + 1])) {
                if (left < 3) return at;
                length = 3 + bytes[at + 2];
            }
        } else if (bytes[at] == 0x02) {
            if (left < 5) return at;
            length = 5 + load16(bytes + at + 3);
            if (length > 1100) length = 0;
        }
        if (!length) {
            b->counts[SCAN_SKIPPED_BYTES]++;
            at++;
            continue;
        }
        if (length > left) return at;
        uint64_t now = SCAN_START_TIME + ++*packets / SCAN_PACKETS_PER_MILLISECOND;
        if (bytes[at] == 0x04 && bytes[at + 1] == 0x3e) {
            if (length < 4) b->counts[SCAN_MALFORMED]++;
            else if (bytes[at + 3] == 0x02) take_reports(b, bytes + at + 4, length - 4, now);
        }
        at += length;
    }
    return at;
}

static void drain(struct books *b) {
    for (uint32_t i = 0; i < b->entry_count; i++) {
        const struct entry *e = &b->entries[i];
        if (e->kind == CLOSED) b->counts[SCAN_ENCOUNTERS_CLOSED]++;
        if (e->kind != SAMPLE) continue;
        b->counts[SCAN_SAMPLES]++;
        b->counts[SCAN_SAMPLE_READINGS] += e->track.sample_readings;
        b->counts[SCAN_SAMPLE_EXTREMES] -= (uint64_t)(e->track.minimum + e->track.maximum);
        b->counts[SCAN_SAMPLE_MEANS] -= (uint64_t)e->mean;
    }
    b->entry_count = 0;
}

int32_t scan_pass(const uint8_t *bytes, size_t byte_count, uint64_t *counts, void (*at_end)(void)) {
    struct books *b = clinux_map_memory(sizeof *b);
    if (!b) return 1;
    b->orders[0] = b->orders[1] = (struct order){-1, -1};
    b->counts = counts;
    uint64_t packets = 0;
    for (size_t offset = 0, held = 0; offset < byte_count;) {
        size_t count = SCAN_RECEIVE_BUFFER - held;
        if (count > byte_count - offset) count = byte_count - offset;
        memcpy(b->received + held, bytes + offset, count);
        offset += count;
        held += count;
        size_t taken = take_packets(b, held, &packets);
        held -= taken;
        memmove(b->received, b->received + taken, held);
        drain(b);
    }
    at_end();
    clinux_unmap_memory(b, sizeof *b);
    return 0;
}
