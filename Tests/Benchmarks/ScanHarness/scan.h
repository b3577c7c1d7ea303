/* The interface of the measured programs. Tabard's scan path (ScanBenchmark) and the C floor (ScanFloor) are
   linked to this harness in turn. Both get the same bytes, and must arrive at the same counts. */
#ifndef SCAN_H
#define SCAN_H
#include <stddef.h>
#include <stdint.h>

/* The order of the counts; ScanBenchmark.swift writes them in this order, too. */
enum scan_count {
    SCAN_REPORTS,            /* advertising reports received */
    SCAN_MALFORMED,          /* packets, reports and AD structures that end too early */
    SCAN_SKIPPED_BYTES,      /* between packets */
    SCAN_EVICTIONS,          /* peers evicted to make room */
    SCAN_TURNED_AWAY,        /* reports of peers that found no room */
    SCAN_ENCOUNTERS,         /* begun */
    SCAN_ENCOUNTERS_CLOSED,
    SCAN_ENCOUNTER_NUMBERS,  /* sum of the closed ones' numbers, which also reveals those not written */
    SCAN_SAMPLES,
    SCAN_SAMPLE_READINGS,    /* in those samples */
    SCAN_SAMPLE_EXTREMES,    /* sum of each sample's minimum and maximum, in dBm, negated */
    SCAN_SAMPLE_MEANS,       /* sum of the means, in tenths of a dBm, negated */
    SCAN_DROPPED_ENTRIES,
    SCAN_COUNTS
};

/* Settings of both programs. Times in milliseconds. */
enum {
    SCAN_PEERS = 4096,
    SCAN_RECEIVE_BUFFER = 16384,
    SCAN_WAITING_ENTRIES = 1024,
    SCAN_SAMPLE_TIME = 8000,
    SCAN_GAP_TIME = 30000,
    SCAN_PROVING_TIME = 10000,
    SCAN_FORGET_TIME = 900000,
    SCAN_START_TIME = 1000000,
    SCAN_PACKETS_PER_MILLISECOND = 2,
    SCAN_SWEEP_INTERVAL = 100,
    SCAN_SWEEP_SLOTS = 128
};
#define SCAN_HASH_SEED UINT64_C(0x9e3779b97f4a7c15)

/* Processes all bytes as an H4 stream, from an empty state. Calls `at_end` while the final state still
   exists. Returns 0, or another number if there was no memory. */
int32_t scan_pass(const uint8_t *bytes, size_t byte_count, uint64_t *counts, void (*at_end)(void));

#endif
