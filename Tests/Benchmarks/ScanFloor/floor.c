/* The floor: the least C that does the same work as Tabard's scan path, with the same counts. It checks every
   access to foreign bytes, as Tabard does, and nothing else. See ScanHarness/scan.h. */
#include "CLinux.h"
#include "adverts.h"
#include "peers.h"

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
        note(b, &s, now);
        offset += 9 + data_count + 1;
    }
}

/* Framing. */

static bool is_plausible(uint8_t event) { return (event >= 0x01 && event <= 0x59) || event == 0xff; }

/* Handles the packets in received[0..<end]; returns the start of the first incomplete one. */

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
        if (now >= b->next_sweep_time) {
            b->next_sweep_time = now + SCAN_SWEEP_INTERVAL;
            advance(b, now);
        }
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
        if (e->kind == CLOSED) {
            b->counts[SCAN_ENCOUNTERS_CLOSED]++;
            b->counts[SCAN_ENCOUNTER_NUMBERS] += e->track.encounter;
        }
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
    for (uint16_t head = SCAN_PEERS; head < SCAN_PEERS + STANDINGS; head++) join(b, head, head);
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
