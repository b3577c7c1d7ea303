// Counts the memory that the calling thread takes from the heap and the kernel while its meter is on. A
// program
// that links this library gets its malloc: glibc's own, which also updates the meter. A
// build with the address sanitizer keeps the sanitizer's malloc, and counts nothing.
#ifndef CALLOCATIONMETER_H
#define CALLOCATIONMETER_H

#include <stdint.h>

// Returns the bytes taken and not yet freed, heap and mapped memory together.
int64_t callocationmeter_bytes(void);
// The meter of a new thread is off. It is on between begin and end, except between pause and resume.
void callocationmeter_begin(void);
void callocationmeter_end(void);
void callocationmeter_pause(void);
void callocationmeter_resume(void);

#endif
