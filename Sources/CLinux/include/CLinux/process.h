#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H
#include <stdint.h>

/* Signals: SIGTERM, SIGINT and SIGHUP become readable on this descriptor; SIGPIPE is ignored. */
int32_t clinux_signal_descriptor(void);
int32_t clinux_read_signal(int32_t descriptor);        /* the signal's number */
enum { CLINUX_SIGHUP = 1 };
/* Makes SIGILL, SIGTRAP, SIGSEGV, SIGBUS and SIGABRT print the address on standard error, and then end the
   process with the signal. Embedded Swift traps print nothing. */
void clinux_report_traps(void);

/* Becomes the program of that name in this program's folder, or else in /usr/lib/tabard. Returns only if it
   cannot, with the error. */
int32_t clinux_execute_beside(const char *name, char **arguments);

int64_t clinux_resident_kibibytes(void);
/* The build's architecture as in uname -m terms: "x86_64", "aarch64", "armv7l", "armv6l". */
const char *clinux_architecture(void);
#endif
