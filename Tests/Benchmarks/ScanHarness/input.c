#include "input.h"

#include <stdbool.h>
#include <string.h>

/* 2,000 advertisers. Of each 100: 10 Herald, 40 Apple (5 with background apps), 12 Exposure Notification, 10
   iBeacon, 10 Microsoft, 5 Eddystone, 7 with a name, and 6 hostile ones. Each is absent every other minute,
   at its own time. */
enum { STREET = 2000, CROWD = 4096, PACKETS_PER_MINUTE = 120000, ADVERT = 31, REPORT_OVERHEAD = 10 };

enum kind {
    HERALD_CURRENT, HERALD_LEGACY, HERALD_BOTH,
    APPLE_NEARBY, APPLE_OVERFLOW,
    EXPOSURE_NOTIFICATION, IBEACON, MICROSOFT, EDDYSTONE, NAMED, HOSTILE
};

struct advertiser {
    uint8_t address[6];
    uint8_t address_type;
    uint8_t report_type;
    enum kind kind;
    uint8_t length;
    uint8_t advert[ADVERT];
    int8_t rssi;
};

static uint64_t state;
static bool is_street;
static struct advertiser advertisers[CROWD];

/* xorshift64*. */
static uint64_t next(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}
static uint32_t below(uint32_t bound) { return (uint32_t)((next() >> 32) * bound >> 32); }
static bool chance(uint32_t percent) { return below(100) < percent; }
static void fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)(next() >> 56);
}

/* Adverts are built by appending AD structures. */
static void append(struct advertiser *to, const void *bytes, size_t count) {
    memcpy(to->advert + to->length, bytes, count);
    to->length += (uint8_t)count;
}
#define APPEND(to, ...) append(to, (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})
static void append_random(struct advertiser *to, size_t count) {
    fill(to->advert + to->length, count);
    to->length += (uint8_t)count;
}

static void append_herald_current(struct advertiser *to) { APPEND(to, 3, 0x03, 0xf6, 0xfc); }
static void append_herald_legacy(struct advertiser *to) {
    APPEND(to, 17, 0x07, 0x9b, 0xfd, 0x5b, 0xd6, 0x72, 0x45, 0x1e, 0x80, 0xd3, 0x42, 0x46, 0x47, 0xaf, 0x32, 0x81, 0x42);
}

static enum kind kind_of(uint32_t percentile) {
    if (percentile < 4) return HERALD_CURRENT;
    if (percentile < 8) return HERALD_LEGACY;
    if (percentile < 10) return HERALD_BOTH;
    if (percentile < 45) return APPLE_NEARBY;
    if (percentile < 50) return APPLE_OVERFLOW;
    if (percentile < 62) return EXPOSURE_NOTIFICATION;
    if (percentile < 72) return IBEACON;
    if (percentile < 82) return MICROSOFT;
    if (percentile < 87) return EDDYSTONE;
    if (percentile < 94) return NAMED;
    return HOSTILE;
}

static void make_advert(struct advertiser *to) {
    to->length = 0;
    switch (to->kind) {
    case HERALD_CURRENT:
        APPEND(to, 2, 0x01, 0x06);
        append_herald_current(to);
        if (chance(50)) APPEND(to, 2, 0x0a, 0x08);
        break;
    case HERALD_LEGACY:
        APPEND(to, 2, 0x01, 0x02);
        append_herald_legacy(to);
        if (chance(50)) { APPEND(to, 9, 0xff, 0xfa, 0xff); append_random(to, 6); }
        break;
    case HERALD_BOTH:
        APPEND(to, 2, 0x01, 0x06);
        append_herald_current(to);
        append_herald_legacy(to);
        APPEND(to, 2, 0x0a, 0xf4);
        break;
    case APPLE_NEARBY: /* one or two messages of type, length, data */
        APPEND(to, 2, 0x01, 0x1a, 2, 0x0a, 0x0c);
        if (chance(50)) { APPEND(to, 10, 0xff, 0x4c, 0x00, 0x10, 0x05); append_random(to, 5); }
        else { APPEND(to, 14, 0xff, 0x4c, 0x00, 0x0c, 0x03); append_random(to, 3); APPEND(to, 0x10, 0x04); append_random(to, 4); }
        break;
    case APPLE_OVERFLOW: /* sometimes behind another message; sometimes with an empty mask */
        APPEND(to, 2, 0x01, 0x1a);
        if (chance(50)) { APPEND(to, 24, 0xff, 0x4c, 0x00, 0x10, 0x02); append_random(to, 2); }
        else APPEND(to, 20, 0xff, 0x4c, 0x00);
        APPEND(to, 0x01);
        memset(to->advert + to->length, 0, 16);
        if (!chance(10)) to->advert[to->length + below(16)] = (uint8_t)(1 << below(8));
        to->length += 16;
        break;
    case EXPOSURE_NOTIFICATION: /* Android phones omit the flags */
        if (chance(50)) APPEND(to, 2, 0x01, 0x1a);
        APPEND(to, 3, 0x03, 0x6f, 0xfd, 23, 0x16, 0x6f, 0xfd);
        append_random(to, 20);
        break;
    case IBEACON:
        APPEND(to, 2, 0x01, 0x06, 26, 0xff, 0x4c, 0x00, 0x02, 0x15);
        append_random(to, 21);
        break;
    case MICROSOFT:
        APPEND(to, 30, 0xff, 0x06, 0x00, 0x01, 0x09);
        append_random(to, 25);
        break;
    case EDDYSTONE:
        APPEND(to, 2, 0x01, 0x06, 3, 0x03, 0xaa, 0xfe, 21, 0x16, 0xaa, 0xfe, 0x00);
        append_random(to, 17);
        break;
    case NAMED:
        APPEND(to, 2, 0x01, 0x06, 9, 0x09, 'H', 'e', 'a', 'r', 't', ' ', '1', '2', 3, 0x03, 0x0d, 0x18, 2, 0x0a, 0x04);
        break;
    case HOSTILE: /* a new one each time, and every other one from a new address */
        switch (below(10)) {
        case 0: APPEND(to, 2, 0x01, 0x06, 30, 0x09, 'n', 'o'); break; /* length beyond the end */
        case 1: APPEND(to, 4, 0xff, 0x4c, 0x00, 0x10); break; /* message without a length */
        case 2: append_random(to, below(ADVERT) + 1); break;
        case 3: break; /* nothing */
        case 4: memset(to->advert, 0, ADVERT); to->length = ADVERT; break; /* padding only */
        case 5: APPEND(to, 4, 0x03, 0xf6, 0x0f, 0xfc, 2, 0x0a); break; /* half a UUID, half a structure */
        case 6: APPEND(to, 30, 0xff, 0x4c, 0x00, 0x10, 0xff); append_random(to, 25); break; /* too long */
        case 7: for (int i = 0; i < 15; i++) APPEND(to, 1, 0x02); break; /* many empty ones */
        case 8: append_herald_current(to); APPEND(to, 4, 0x0a, 1, 2, 3, 0xff); break; /* Herald, then a cut */
        default: append_herald_legacy(to); to->length -= 1 + (uint8_t)below(16); break; /* cut short */
        }
    }
}

static void make_advertiser(struct advertiser *to, enum kind kind) {
    fill(to->address, 6);
    to->kind = kind;
    to->address_type = to->kind == IBEACON || to->kind == EDDYSTONE ? 0 : 1;
    to->report_type = (const uint8_t[]){0, 3, 2, 0}[below(4)];
    if (to->kind <= HERALD_BOTH) to->report_type = 0;
    to->rssi = (int8_t)(-45 - (int)below(45));
    make_advert(to);
}

static void make_street(void) {
    for (uint32_t i = 0; i < STREET; i++) make_advertiser(&advertisers[i], kind_of(i % 100));
}

/* Advertisers are in the order of kinds, so that those with one address are of one kind, or nearly. */
static void make_crowd(unsigned population) {
    for (uint32_t i = 0; i < CROWD; i++) {
        make_advertiser(&advertisers[i], kind_of(i * 100 / CROWD));
        uint32_t sharer = i * population / CROWD;
        memset(advertisers[i].address, 0xc0, 6);
        memcpy(advertisers[i].address, &sharer, sizeof sharer);
        advertisers[i].address_type = 1;
    }
}

/* In the street, low numbers are received more often than high ones. */
static struct advertiser *choose(size_t packet) {
    if (!is_street) return &advertisers[below(CROWD)];
    for (;;) {
        uint32_t number = below(4) ? below(STREET) : below(STREET / 4);
        size_t minute = (packet + number * (2 * PACKETS_PER_MINUTE / STREET)) / PACKETS_PER_MINUTE;
        if (minute % 2 == 0) return &advertisers[number];
    }
}

static uint8_t *append_report(uint8_t *at, struct advertiser *from) {
    if (from->kind == HOSTILE) {
        make_advert(from);
        if (is_street && chance(50)) fill(from->address, 6);
    }
    *at++ = from->report_type;
    *at++ = from->address_type;
    memcpy(at, from->address, 6);
    at += 6;
    *at++ = from->length;
    memcpy(at, from->advert, from->length);
    at += from->length;
    int8_t rssi = (int8_t)(from->rssi + (int)below(11) - 5);
    *at++ = (uint8_t)(chance(1) ? 127 : rssi);
    return at;
}

/* Appends a packet with at most `limit` reports. */
static uint8_t *append_packet(uint8_t *at, size_t limit, struct input *input) {
    /* Bytes lost on a UART leave some that begin no packet. */
    if (below(2000) == 0) { memset(at, 0xee, 3); at += 3; }
    uint8_t *start = at;
    unsigned count = chance(90) ? 1 : 2 + below(3), whole, hostile = 0;
    if (count > limit) count = (unsigned)limit;
    *at++ = 0x04;
    *at++ = 0x3e;
    uint8_t *length = at++;
    *at++ = 0x02;
    uint8_t *report_count = at++;
    bool is_last_hostile = false;
    for (unsigned i = 0; i < count; i++) {
        struct advertiser *from = choose(input->packet_count);
        is_last_hostile = from->kind == HOSTILE;
        hostile += is_last_hostile;
        at = append_report(at, from);
    }
    *report_count = (uint8_t)count;
    whole = count;
    /* A faulty controller: it announces more reports than there are, or truncates the last one. */
    if (below(500) == 0) {
        *report_count = (uint8_t)(count + 1 + below(200));
    } else if (below(500) == 0) {
        at -= 1 + below(REPORT_OVERHEAD - 1);
        whole--;
        hostile -= is_last_hostile;
    }
    *length = (uint8_t)(at - start - 3);
    input->packet_count++;
    input->report_count += whole;
    input->hostile_count += hostile;
    if (*report_count > 1) input->shared_count += whole;
    return at;
}

struct input input_generate(uint64_t seed, size_t report_count, unsigned population, uint8_t *bytes) {
    struct input input = {0};
    state = seed;
    is_street = population == 0;
    if (is_street) make_street(); else make_crowd(population);
    uint8_t *at = bytes;
    while (input.report_count < report_count) at = append_packet(at, report_count - input.report_count, &input);
    input.byte_count = (size_t)(at - bytes);
    return input;
}
