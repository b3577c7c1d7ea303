#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H
#include <stddef.h>
#include <stdint.h>

/* Memory: pages taken from the kernel once, at start-up. NULL on failure. Zeroed. */
void *clinux_map_memory(size_t byte_count);
void clinux_unmap_memory(void *address, size_t byte_count);

/* Entropy from the system's generator; -EAGAIN while it is not ready (early in boot). Never blocks. */
int32_t clinux_random(void *bytes, size_t byte_count);

/* Overwrites a secret in a way that the optimiser does not remove. */
void clinux_wipe(void *bytes, size_t byte_count);
#endif
