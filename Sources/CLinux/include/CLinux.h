/* The few Linux calls Tabard needs, in a shape Swift can import under any target triple: nothing but stdint.
   Unless said otherwise a function returns >= 0 on success and -errno on failure, and never allocates. */
#ifndef CLINUX_H
#define CLINUX_H
#include <stddef.h>
#include <stdint.h>

/* Memory: pages taken from the kernel once, at start-up. NULL on failure. Zeroed. */
void *clinux_map_memory(size_t byte_count);
void clinux_unmap_memory(void *address, size_t byte_count);

/* Time, in nanoseconds. The monotonic clock includes suspend (CLOCK_BOOTTIME). */
uint64_t clinux_monotonic_nanoseconds(void);
uint64_t clinux_wall_clock_nanoseconds(void);
/* The kernel's bound for the error of its wall clock, in milliseconds; -1 while nothing disciplines it. */
int64_t clinux_wall_clock_error_milliseconds(void);

/* Entropy from the system's generator; -EAGAIN while it is not ready (early in boot). Never blocks. */
int32_t clinux_random(void *bytes, size_t byte_count);

/* Overwrites a secret that is no longer needed, whatever the optimiser thinks of it. */
void clinux_wipe(void *bytes, size_t byte_count);

/* Descriptors. */
int64_t clinux_read(int32_t descriptor, void *bytes, size_t byte_count);
int64_t clinux_write(int32_t descriptor, const void *bytes, size_t byte_count);
int64_t clinux_read_at(int32_t descriptor, void *bytes, size_t byte_count, uint64_t offset);
int64_t clinux_write_at(int32_t descriptor, const void *bytes, size_t byte_count, uint64_t offset);
int32_t clinux_flush_data(int32_t descriptor);
/* What is read from now on comes from the medium. Dirty pages are written first: those cannot be dropped. */
void clinux_drop_cache(int32_t descriptor);
int32_t clinux_close(int32_t descriptor);
int32_t clinux_open_read(const char *path);
int32_t clinux_create(const char *path);               /* truncates; mode 0600; non-blocking appends */
/* What a log stands on: a plain file, a block device, or flash (an MTD character device). */
typedef struct {
    uint64_t byte_count;
    uint32_t erase_byte_count; /* of flash: what is erased at once; 0 of the others */
    uint32_t write_byte_count; /* of flash: what is written at once */
} clinux_medium;
/* For reading and writing. A file is created with mode 0600 when absent, but not in /dev; -EBUSY for a block device in use. */
int32_t clinux_open_medium(const char *path);
int32_t clinux_describe_medium(int32_t descriptor, clinux_medium *medium); /* -ENODEV: it is none of these */
int32_t clinux_erase_flash(int32_t descriptor, uint64_t offset, uint64_t byte_count);
int32_t clinux_allocate_file(int32_t descriptor, uint64_t byte_count);
int32_t clinux_lock_file(int32_t descriptor);          /* -EWOULDBLOCK when another process holds it */
/* Opens a file for reading that nobody but its owner may read: -EBADMSG if others may, or if it is no plain file. */
int32_t clinux_open_private(const char *path, int64_t *byte_count);
/* Makes such a file: it is there, whole and on the medium, or not at all. What one of that name held is overwritten then. */
int32_t clinux_make_private(const char *path, const void *bytes, size_t byte_count);
const char *clinux_error_text(int32_t errno_value);    /* static storage */

/* The few error numbers that call for words of their own. */
enum {
    CLINUX_EPERM = 1, CLINUX_ENOENT = 2, CLINUX_EIO = 5, CLINUX_EAGAIN = 11, CLINUX_ENOMEM = 12, CLINUX_EACCES = 13, CLINUX_EBUSY = 16,
    CLINUX_EEXIST = 17, CLINUX_ENODEV = 19, CLINUX_EINVAL = 22, CLINUX_EFBIG = 27, CLINUX_ENOSPC = 28, CLINUX_EPIPE = 32, CLINUX_EBADMSG = 74,
    CLINUX_EUSERS = 87, CLINUX_EAFNOSUPPORT = 97, CLINUX_ETIMEDOUT = 110, CLINUX_ECONNREFUSED = 111,
    CLINUX_ERFKILL = 132
};

/* Readiness. One epoll instance; token comes back with each event. */
enum { CLINUX_READABLE = 1, CLINUX_WRITABLE = 2, CLINUX_HUNG_UP = 4 };
typedef struct { uint64_t token; uint32_t readiness; } clinux_ready;
int32_t clinux_epoll_create(void);
int32_t clinux_epoll_add(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_modify(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_remove(int32_t epoll, int32_t descriptor);
/* Waits at most timeout_nanoseconds (UINT64_MAX: for ever); returns the count of entries filled in. EINTR is 0. */
int32_t clinux_epoll_wait(int32_t epoll, clinux_ready *ready, int32_t capacity, uint64_t timeout_nanoseconds);

/* HCI transports: non-blocking descriptors. */
int32_t clinux_hci_device_down(uint16_t device);
int32_t clinux_hci_user_channel(uint16_t device);
/* An adapter as the kernel knows it. */
typedef struct {
    uint64_t address; /* 48 bits; 0 until it has been set up */
    uint16_t number;
    uint8_t bus;      /* HCI_VIRTUAL and on, of the kernel's net/bluetooth/hci.h */
} clinux_adapter;
/* Returns how many were filled in, at most capacity and 16. */
int32_t clinux_hci_adapters(clinux_adapter *adapters, int32_t capacity);
/* Switches the adapter off and on by the switch that the kernel keeps for it (/dev/rfkill); -ENODEV if it has none. */
int32_t clinux_rfkill(uint16_t device, int32_t is_blocked);
/* Gives a device to the driver with this directory in /sys, or takes it away. */
int32_t clinux_bind_driver(const char *driver, const char *device, int32_t is_bound);
int32_t clinux_unix_connect(const char *path, int32_t is_sequenced_packets);
/* Numeric IPv4 or IPv6 address. Blocks for at most timeout_milliseconds. */
int32_t clinux_tcp_connect(const char *address, uint16_t port, int32_t timeout_milliseconds);
/* Raw 8N1; has_flow_control sets RTS/CTS. baud 0 leaves the speed alone. -EINVAL for a rate termios does not know. */
int32_t clinux_serial_open(const char *path, uint32_t baud, int32_t has_flow_control);
int32_t clinux_discard_and_close(int32_t descriptor);   /* what a line has not sent yet is not sent */
/* A new pseudo-terminal in raw mode: returns the controlling side; the other side's path goes to name. The
   agent keeps the other side open too (descriptor in other_side), so that a client's hang-up is no error. */
int32_t clinux_pseudo_terminal(char *name, size_t name_capacity, int32_t *other_side);
/* Makes path a symbolic link to target, replacing an earlier link (never a file). */
int32_t clinux_link(const char *target, const char *path);
int32_t clinux_unlink(const char *path);

/* Signals: SIGTERM, SIGINT and SIGHUP become readable on this descriptor; SIGPIPE is ignored. */
int32_t clinux_signal_descriptor(void);
int32_t clinux_read_signal(int32_t descriptor);        /* the signal's number */
/* Embedded Swift traps print nothing: this makes SIGILL, SIGTRAP, SIGSEGV, SIGBUS and SIGABRT say where on
   standard error, then end the process with the signal. */
void clinux_report_traps(void);

int64_t clinux_resident_kibibytes(void);
/* The build's architecture as in uname -m terms: "x86_64", "aarch64", "armv7l", "armv6l". */
const char *clinux_architecture(void);

/* Crypto pool: mbedTLS gets a fixed 24 KiB instead of an allocator (board builds; no effect elsewhere). */
void clinux_use_fixed_crypto_pool(void);
#endif
