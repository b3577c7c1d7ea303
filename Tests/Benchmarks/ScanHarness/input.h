/* A seeded H4 stream of advertising report events, as a board in a busy street would get them, passers-by with bad
   intentions included. The same seed gives the same bytes everywhere. */
#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

/* No report takes more, framing and stray bytes included. */
enum { INPUT_LONGEST_REPORT = 64 };

/* What there is in the stream. */
struct input {
    size_t byte_count, packet_count;
    size_t report_count;  /* whole reports: those that are to be delivered */
    size_t shared_count;  /* of these, in events with several */
    size_t hostile_count; /* of these, hostile */
};

/* Writes packets with `report_count` whole reports to `bytes`, which has room for INPUT_LONGEST_REPORT each.
   `population` 0: a street, with 2,000 advertisers that come and go and hostile ones with ever new addresses.
   Otherwise: so many addresses, all of which stay; apart from addresses the stream is the same for any population. */
struct input input_generate(uint64_t seed, size_t report_count, unsigned population, uint8_t *bytes);

#endif
