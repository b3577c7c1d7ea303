#define _GNU_SOURCE
#include "CLinux/memory.h"
#include "status.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/random.h>

void *clinux_map_memory(size_t byte_count) {
    void *address = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? NULL : address;
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

void clinux_wipe(void *bytes, size_t byte_count) {
    for (volatile char *byte = bytes; byte_count > 0; byte_count--) *byte++ = 0;
}
