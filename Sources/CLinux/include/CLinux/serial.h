#ifndef CLINUX_SERIAL_H
#define CLINUX_SERIAL_H
#include <stddef.h>
#include <stdint.h>

/* Serial lines: non-blocking descriptors. */
/* Raw 8N1; has_flow_control sets RTS/CTS. baud 0 leaves the speed alone. -EINVAL for a rate that termios does
   not know. */
int32_t clinux_serial_open(const char *path, uint32_t baud, int32_t has_flow_control);
int32_t clinux_discard_and_close(int32_t descriptor);   /* what a line has not sent yet is not sent */
/* A new pseudo-terminal in raw mode: returns the controlling side; the other side's path goes to name. The
   agent keeps the other side open too (descriptor in other_side), so that a client's hang-up is no error. */
int32_t clinux_pseudo_terminal(char *name, size_t name_capacity, int32_t *other_side);
#endif
