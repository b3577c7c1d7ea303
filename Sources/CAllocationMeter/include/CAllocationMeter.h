// Counts what the calling thread takes from the heap and from the kernel while its meter is on. Whoever links this gets
// its malloc: glibc's own, with a look at the meter.
#ifndef CALLOCATIONMETER_H
#define CALLOCATIONMETER_H

#include <stdint.h>

// Bytes taken and not given back, heap and mapped memory together.
int64_t callocationmeter_bytes(void);
// The meter of a new thread is off. It is on between begin and end, but for what is between pause and resume.
void callocationmeter_begin(void);
void callocationmeter_end(void);
void callocationmeter_pause(void);
void callocationmeter_resume(void);

#endif
