#define _GNU_SOURCE
#include "CLinux/memory.h"
#include "status.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>

void *clinux_map_memory(size_t byte_count) {
    void *address = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return NULL;
    (void)madvise(address, byte_count, MADV_DONTDUMP);
    return address;
}
void clinux_unmap_memory(void *address, size_t byte_count) { munmap(address, byte_count); }

int32_t clinux_random(void *bytes, size_t byte_count) {
    size_t done = 0;
    while (done < byte_count) {
        ssize_t count = getrandom((char *)bytes + done, byte_count - done, GRND_NONBLOCK);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -errno;
        done += (size_t)count;
    }
    return 0;
}

int32_t clinux_protect_memory(void) {
    int32_t missing = 0;
    // On fault: tables that are not used yet take no memory. MCL_ONFAULT needs Linux 4.4.
    if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) < 0) missing |= CLINUX_NOT_LOCKED;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) missing |= CLINUX_DUMPABLE;
    return missing;
}

__attribute__((noinline)) void clinux_wipe_stack(void) {
    // Deeper than the frames of sealing a page, which are the deepest that hold keys.
    volatile uint64_t below[3072];
    for (size_t index = 0; index < sizeof below / sizeof below[0]; index++) below[index] = 0;
}

void clinux_wipe(void *bytes, size_t byte_count) {
    for (volatile char *byte = bytes; byte_count > 0; byte_count--) *byte++ = 0;
}
