#ifndef CLINUX_SERIAL_H
#define CLINUX_SERIAL_H
#include <stddef.h>
#include <stdint.h>

/* Serial lines, as non-blocking descriptors. */
/* Opens a line as raw 8N1; has_flow_control sets RTS/CTS. Baud 0 keeps the speed. -EINVAL for a rate that
   termios does not support. */
int32_t clinux_serial_open(const char *path, uint32_t baud, int32_t has_flow_control);
int32_t clinux_discard_and_close(int32_t descriptor);   /* discards unsent output */
/* Opens a new pseudo-terminal in raw mode. Returns the controlling side; name gets the other side's path.
   The agent keeps the other side open too (other_side), so that a client's hang-up is not an error. */
int32_t clinux_pseudo_terminal(char *name, size_t name_capacity, int32_t *other_side);
#endif
