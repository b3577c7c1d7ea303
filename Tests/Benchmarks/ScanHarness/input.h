/* A seeded H4 stream of advertising report events, as a board in a busy street would get them, passers-by with bad
   intentions included. The same seed gives the same bytes everywhere. */
#ifndef INPUT_H
#define INPUT_H
#include <stddef.h>
#include <stdint.h>

enum { INPUT_LONGEST_PACKET = 300 };

/* Writes `packet_count` packets to `bytes`, which has room for INPUT_LONGEST_PACKET each; returns how many bytes. */
size_t input_generate(uint64_t seed, size_t packet_count, uint8_t *bytes);

#endif
