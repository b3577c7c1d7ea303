#ifndef CLINUX_UPDATE_H
#define CLINUX_UPDATE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files of updates in $STATE_DIRECTORY: update.part, update.1, update.2 and update.record. Without that
   variable the functions return -ENOENT. */

/* The slot from which the launcher has started this process, 0 for the package's program; -ENOENT if no
   launcher has started it. */
int32_t clinux_launched_slot(void);
bool clinux_is_on_trial(void);
/* Keeps the launcher's time limit from ending this process. */
void clinux_end_trial(void);

int64_t clinux_read_update_record(void *bytes, size_t capacity);
int32_t clinux_write_update_record(const void *bytes, size_t byte_count);
/* Opens an empty file for the next update. */
int32_t clinux_open_update_part(void);
void clinux_remove_update_part(void);
/* Makes that file the one of a slot. It is on the medium when this returns. */
int32_t clinux_keep_update_part(int32_t descriptor, int32_t slot);
int32_t clinux_open_update(int32_t slot);
/* Whether that failed because there is no such file, or another kind of file in its place. */
bool clinux_update_is_missing(int32_t status);

/* A file that exists only in memory. */
int32_t clinux_memory_file(void);
/* From now on nobody can change that file. */
int32_t clinux_seal(int32_t descriptor);
/* Becomes the program in a file of memory, or, if the descriptor is negative, the program at path. Returns
   only if it cannot, with the error. */
int32_t clinux_launch(int32_t descriptor, const char *path, char **arguments, int32_t slot);
/* Starts the program in a file of memory on trial, waits for its end, and ends with its exit code. The
   program ends by SIGALRM after the limit, or with this process. Returns only if it cannot be started. */
int32_t clinux_try(int32_t descriptor, char **arguments, int32_t slot, uint32_t limit_seconds);
#endif
