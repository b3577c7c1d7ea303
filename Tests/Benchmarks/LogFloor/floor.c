// The least work of a log: records in checksummed frames, appended to a ring and found again by bisection. No
// byte is programmed twice. Nothing is chained, sealed or typed, and restarts are not recorded.
//
//   floor nor UNIT BATCH ENTRIES     in memory, units of UNIT bytes programmed
//   floor file PATH BATCH ENTRIES    sectors of 4 KiB on a preallocated file
//
// BATCH: records to a sync; 0 for as many as a sector holds. Prints a line of JSON.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SECTOR = 4096, SECTORS = 4096, RECORD = 64, HEADER = 16, FRAME = 8, MAGIC = 0x54424c46 };

struct header { uint32_t magic, number, inverse, checksum; };
struct frame { uint16_t count, check; uint32_t checksum; };

static uint8_t *medium;
static int file = -1;
static uint64_t programmed, programs, erased, reads, read_bytes;
static uint32_t table[256];

static uint32_t crc(uint32_t rest, const uint8_t *bytes, size_t count) {
    for (rest = ~rest; count--; bytes++) rest = table[(rest ^ *bytes) & 255] ^ rest >> 8;
    return ~rest;
}

static void fail(const char *what) { perror(what); exit(1); }

static void program(size_t at, const uint8_t *bytes, size_t count) {
    programs++;
    programmed += count;
    if (file < 0) {
        for (size_t index = 0; index < count; index++) medium[at + index] &= bytes[index];
    } else if (pwrite(file, bytes, count, (off_t)at) != (ssize_t)count) fail("pwrite");
}

static void sync_medium(void) { if (file >= 0 && fdatasync(file)) fail("fdatasync"); }

// On a file a sector is written whole, so there is nothing to erase.
static void erase(uint32_t sector) {
    erased++;
    if (file < 0) memset(medium + (size_t)sector * SECTOR, 255, SECTOR);
}

static uint32_t number_at(uint32_t sector) {
    struct header header;
    memcpy(&header, medium + (size_t)sector * SECTOR, sizeof header);
    reads++;
    read_bytes += sizeof header;
    return header.magic == MAGIC && header.number == ~header.inverse ? header.number : UINT32_MAX;
}

// Finds the newest sector: numbers grow from the first sector on, up to the ring's end.
static uint32_t newest(void) {
    uint32_t first = number_at(0), low = 0, high = SECTORS;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2, number = number_at(middle);
        if (number != UINT32_MAX && number >= first) low = middle; else high = middle;
    }
    return low;
}

// Finds the end of a sector's last frame.
static size_t end_of(uint32_t sector) {
    size_t at = HEADER;
    while (at + FRAME <= SECTOR) {
        struct frame frame;
        memcpy(&frame, medium + (size_t)sector * SECTOR + at, sizeof frame);
        reads++;
        read_bytes += sizeof frame;
        if (frame.count == UINT16_MAX) break;
        at += FRAME + (size_t)frame.count * RECORD;
    }
    return at;
}

static uint8_t page[SECTOR];
static uint32_t sector_number, waiting;
static size_t start, page_end, unit;

static void flush(void) {
    if (!waiting) return;
    struct frame frame = { (uint16_t)waiting, (uint16_t)~waiting, 0 };
    frame.checksum = crc(0, page + page_end + FRAME, waiting * RECORD);
    memcpy(page + page_end, &frame, sizeof frame);
    size_t end = (page_end + FRAME + waiting * RECORD + unit - 1) / unit * unit;
    program((size_t)(sector_number % SECTORS) * SECTOR + start, page + start, end - start);
    sync_medium();
    start = page_end = end;
    waiting = 0;
}

static void begin(void) {
    sector_number++;
    erase(sector_number % SECTORS);
    struct header header = { MAGIC, sector_number, ~sector_number, 0 };
    header.checksum = crc(0, (uint8_t *)&header, 12);
    memset(page, 255, SECTOR);
    memcpy(page, &header, sizeof header);
    start = 0;
    page_end = HEADER;
}

static void append(const uint8_t *record) {
    if (page_end + FRAME + (waiting + 1) * RECORD > SECTOR) { flush(); begin(); }
    memcpy(page + page_end + FRAME + waiting++ * RECORD, record, RECORD);
}

static void write_all(long batch, long entries) {
    uint8_t record[RECORD] = { 0 };
    for (long index = 0; index < entries; index++) {
        memcpy(record, &index, sizeof index);
        append(record);
        if (batch && (index + 1) % batch == 0) flush();
    }
    flush();
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t of_process(const char *name) {
    char line[80];
    unsigned long long value = 0;
    FILE *io = fopen("/proc/self/io", "r");
    if (!io) fail("/proc/self/io");
    size_t length = strlen(name);
    while (fgets(line, sizeof line, io)) if (!strncmp(line, name, length)) sscanf(line + length, ": %llu", &value);
    fclose(io);
    return value;
}

int main(int count, char **arguments) {
    if (count != 5) return 64;
    for (uint32_t index = 0; index < 256; index++) {
        uint32_t rest = index;
        for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (rest & 1 ? 0x82f63b78 : 0);
        table[index] = rest;
    }
    int on_file = !strcmp(arguments[1], "file");
    long batch = atol(arguments[3]), entries = atol(arguments[4]);
    if (on_file) {
        unit = SECTOR;
        file = open(arguments[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (file < 0 || posix_fallocate(file, 0, (off_t)SECTOR * SECTORS)) fail(arguments[2]);
        begin();
    } else {
        unit = (size_t)atol(arguments[2]);
        medium = malloc((size_t)SECTOR * SECTORS);
        if (!medium) return 1;
        memset(medium, 255, (size_t)SECTOR * SECTORS);
        begin();
        write_all(0, 300000);  // the ring goes round first
        begin();
    }
    programmed = programs = erased = 0;
    uint64_t called = of_process("wchar"), written = of_process("write_bytes"), from = nanoseconds();
    write_all(batch, entries);
    uint64_t spent = nanoseconds() - from;
    called = of_process("wchar") - called;
    written = of_process("write_bytes") - written;
    uint64_t mounting = 0;
    if (!on_file) {
        from = nanoseconds();
        end_of(newest());
        mounting = nanoseconds() - from;
    }
    printf("{\"medium\": \"%s%s\", \"pages\": \"floor\", \"batch\": %ld, \"entries\": %ld, \"payload\": %ld, \"programmed\": %lu, "
           "\"programs\": %lu, \"erasedSectors\": %lu, \"nanoseconds\": %lu, \"mountReads\": %lu, \"mountBytes\": %lu, "
           "\"mountNanoseconds\": %lu, \"called\": %lu, \"written\": %lu}\n",
           on_file ? "file" : "nor", on_file ? "" : arguments[2], batch, entries, entries * RECORD, programmed, programs, erased,
           spent, reads, read_bytes, mounting, called, written);
    if (on_file) unlink(arguments[2]);
    return 0;
}
