/* Encounters and samples. */
#ifndef ENCOUNTERS_H
#define ENCOUNTERS_H
#include "orders.h"

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

static bool is_sample_due(const struct books *b, const struct track *t, uint64_t now) {
    return t->is_written && t->sample_readings && b->entry_count < SCAN_WAITING_ENTRIES &&
           (now >= t->sample_start + SCAN_SAMPLE_TIME || t->sample_readings == UINT16_MAX);
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
    } else if (is_sample_due(b, t, now)) {
        write_sample(b, slot);
    }
    if (p->standing == NEWCOMER && now >= t->first_time + SCAN_PROVING_TIME) set_standing(b, slot, ESTABLISHED);
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

#endif
