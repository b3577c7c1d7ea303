#ifndef CLINUX_PANEL_H
#define CLINUX_PANEL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes to a file that exists, such as one of /sys. Returns the number of bytes. */
int64_t clinux_put(const char *path, const void *bytes, size_t byte_count);

/* Opens an input device (/dev/input/event*), without taking it from other programs. */
int32_t clinux_open_keys(const char *path);
/* The number of its keys; 0 if it has none but those that the system itself acts on (power, sleep, wake-up),
   or if it is a pointer or a keyboard's other half. */
int32_t clinux_count_keys(int32_t descriptor);
/* The next event of any key: 1 pressed, 0 released, -EAGAIN none, -ENODEV the device is gone. */
int32_t clinux_read_key(int32_t descriptor);

/* Requests a line of a GPIO chip (/dev/gpiochip*) as an input that tells its edges. */
int32_t clinux_open_line(const char *chip, uint32_t number, bool is_active_low);
/* Takes all edges that have come, and returns whether the line is active now. */
int32_t clinux_read_line(int32_t descriptor);

/* Runs a program without arguments, and takes what it prints. Ends it when the time is over. Returns the
   number of bytes, -ETIMEDOUT, or -ECHILD if it ended with an error. */
int64_t clinux_run(const char *path, void *output, size_t capacity, int32_t timeout_milliseconds);

/* Asks the first process for a clean power-off, as systemd takes it. */
int32_t clinux_power_off(void);
#endif
