#ifndef CLINUX_MEDIUM_H
#define CLINUX_MEDIUM_H
#include <stdint.h>

/* The medium of a log: a regular file, a block device, or flash (an MTD character device). */
typedef struct {
    uint64_t byte_count;
    uint32_t erase_byte_count; /* the erase block of flash; 0 for the others */
    uint32_t write_byte_count; /* the write unit of flash */
} clinux_medium;
/* Opens for reading and writing. A file is created with mode 0600 when absent, but not in /dev; -EBUSY for a
   block device in use. */
int32_t clinux_open_medium(const char *path);
int32_t clinux_describe_medium(int32_t descriptor, clinux_medium *medium); /* -ENODEV for anything else */
int32_t clinux_erase_flash(int32_t descriptor, uint64_t offset, uint64_t byte_count);
#endif
