#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H
#include <stddef.h>
#include <stdint.h>

/* Memory: pages taken from the kernel once, at start-up. NULL on failure. Zeroed. */
void *clinux_map_memory(size_t byte_count);
void clinux_unmap_memory(void *address, size_t byte_count);

/* Entropy from the system's generator; -EAGAIN while it is not ready (early in boot). Never blocks. */
int32_t clinux_random(void *bytes, size_t byte_count);

/* Locks all memory against swapping, now and later; keeps core dumps and other processes of the same user
   from reading it. Returns what failed: CLINUX_NOT_LOCKED, CLINUX_DUMPABLE, both or 0. */
#define CLINUX_NOT_LOCKED 1
#define CLINUX_DUMPABLE 2
int32_t clinux_protect_memory(void);

/* Overwrites what returned functions left below the caller's frame. */
void clinux_wipe_stack(void);

/* Overwrites a secret in a way that the optimiser does not remove. */
void clinux_wipe(void *bytes, size_t byte_count);
#endif
