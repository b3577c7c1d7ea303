/* main PASSES [REPORTS [POPULATION]]: runs scan_pass several times over the same generated input.
   Prints, as lines of name and number: the input's contents, the counts, the processor time of the quickest
   pass, and the memory used besides the input. No stdio, because it would bring in an allocator. */
#include <stdlib.h>
#include <string.h>

#include "CLinux.h"
#include "figures.h"
#include "input.h"
#include "scan.h"

enum { REPORTS = 1000000, SEED = 20201, PAGE = 4096 };

static const char *const names[SCAN_COUNTS] = {
    [SCAN_REPORTS] = "reports", [SCAN_MALFORMED] = "malformed", [SCAN_SKIPPED_BYTES] = "skipped-bytes",
    [SCAN_EVICTIONS] = "evictions", [SCAN_TURNED_AWAY] = "turned-away", [SCAN_ENCOUNTERS] = "encounters",
    [SCAN_ENCOUNTERS_CLOSED] = "encounters-closed", [SCAN_ENCOUNTER_NUMBERS] = "encounter-numbers",
    [SCAN_SAMPLES] = "samples", [SCAN_SAMPLE_READINGS] = "sample-readings", [SCAN_SAMPLE_EXTREMES] = "sample-extremes",
    [SCAN_SAMPLE_MEANS] = "sample-means", [SCAN_DROPPED_ENTRIES] = "dropped-entries",
};

static uint64_t end_nanoseconds;
static int64_t resident_kibibytes;

static void at_end(void) {
    end_nanoseconds = processor_nanoseconds();
    resident_kibibytes = clinux_resident_kibibytes();
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    size_t report_count = argc > 2 ? (size_t)atoi(argv[2]) : REPORTS;
    unsigned population = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    uint8_t *bytes = clinux_map_memory(report_count * INPUT_LONGEST_REPORT);
    if (!bytes) return 1;
    struct input input = input_generate(SEED, report_count, population, bytes);

    uint64_t counts[SCAN_COUNTS], best = UINT64_MAX;
    for (int i = 0; i < passes; i++) {
        memset(counts, 0, sizeof counts);
        uint64_t start = processor_nanoseconds();
        if (scan_pass(bytes, input.byte_count, counts, at_end)) return 1;
        if (end_nanoseconds - start < best) best = end_nanoseconds - start;
    }

    print("input-bytes", input.byte_count);
    print("input-packets", input.packet_count);
    print("input-reports", input.report_count);
    print("input-shared", input.shared_count);
    print("input-hostile", input.hostile_count);
    for (int i = 0; i < SCAN_COUNTS; i++) print(names[i], counts[i]);
    print("best-nanoseconds", best);
    print("resident-kibibytes", (uint64_t)resident_kibibytes - (input.byte_count + PAGE - 1) / PAGE * (PAGE / 1024));
    return 0;
}
