#define _GNU_SOURCE
#include "CAllocationMeter.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// The initial-exec model places the meter in the executable's own thread-local storage, so access needs no
// allocation.
static __thread struct {
    int64_t bytes;
    int is_on, is_begun;
} meter __attribute__((tls_model("initial-exec")));

int64_t callocationmeter_bytes(void) { return meter.bytes; }
void callocationmeter_begin(void) { meter.is_on = meter.is_begun = 1; }
void callocationmeter_end(void) { meter.is_on = meter.is_begun = 0; }
void callocationmeter_pause(void) { meter.is_on = 0; }
void callocationmeter_resume(void) { meter.is_on = meter.is_begun; }

// The address sanitizer has a malloc of its own, whose blocks glibc's cannot free. Under it the meter stays
// at zero.
#ifndef HAS_ADDRESS_SANITIZER

static void *taken(void *block) {
    if (meter.is_on && block) meter.bytes += (int64_t)malloc_usable_size(block);
    return block;
}

static void given_back(void *block) {
    if (meter.is_on && block) meter.bytes -= (int64_t)malloc_usable_size(block);
}

void *malloc(size_t count) { return taken(__libc_malloc(count)); }
void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }
void *realloc(void *block, size_t count) {
    given_back(block);
    return taken(__libc_realloc(block, count));
}
void *memalign(size_t alignment, size_t count) { return taken(__libc_memalign(alignment, count)); }
void *aligned_alloc(size_t alignment, size_t count) { return memalign(alignment, count); }
int posix_memalign(void **block, size_t alignment, size_t count) {
    *block = memalign(alignment, count);
    return *block ? 0 : ENOMEM;
}
void free(void *block) {
    given_back(block);
    __libc_free(block);
}

void *mmap(void *address, size_t count, int protection, int flags, int descriptor, off_t offset) {
    if (meter.is_on) meter.bytes += (int64_t)count;
    return (void *)syscall(SYS_mmap, address, count, protection, flags, descriptor, offset);
}
int munmap(void *address, size_t count) {
    if (meter.is_on) meter.bytes -= (int64_t)count;
    return (int)syscall(SYS_munmap, address, count);
}

#endif
