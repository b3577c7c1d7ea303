/* Parsing and classifying adverts. */
#ifndef ADVERTS_H
#define ADVERTS_H
#include "books.h"

#define LEGACY_HIGH UINT64_C(0x428132af474642d3)
#define LEGACY_LOW UINT64_C(0x801e4572d65bfd9b)

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
}

#endif
