/* A seeded H4 stream of advertising report events, as a board in a busy street would receive them, including
   hostile advertisers. The same seed gives the same bytes everywhere. */
#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

/* The largest size of a report, including framing and stray bytes. */
enum { INPUT_LONGEST_REPORT = 64 };

/* The contents of the stream. */
struct input {
    size_t byte_count, packet_count;
    size_t report_count;  /* whole reports: those that must be delivered */
    size_t shared_count;  /* of these, in events with several */
    size_t hostile_count; /* of these, hostile */
};

/* Writes packets with `report_count` whole reports to `bytes`, which has room for INPUT_LONGEST_REPORT each.
   Population 0 is a street: 2,000 advertisers that come and go, and hostile ones with ever new addresses.
   Otherwise `population` is the number of addresses, all of which stay. Apart from addresses the stream is
   the same for any population. */
struct input input_generate(uint64_t seed, size_t report_count, unsigned population, uint8_t *bytes);

#endif
