#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/rfkill.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <mtd/mtd-user.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

static int32_t result(int value) { return value < 0 ? -errno : value; }
static int64_t result64(ssize_t value) { return value < 0 ? -(int64_t)errno : (int64_t)value; }

/* Closes a half-made descriptor and passes on the error that spoilt it. */
static int32_t give_up(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}

// Memory, time, entropy.

void *clinux_map_memory(size_t byte_count) {
    void *address = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}
void clinux_unmap_memory(void *address, size_t byte_count) { munmap(address, byte_count); }

static uint64_t clock_nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
uint64_t clinux_monotonic_nanoseconds(void) { return clock_nanoseconds(CLOCK_BOOTTIME); }
uint64_t clinux_wall_clock_nanoseconds(void) { return clock_nanoseconds(CLOCK_REALTIME); }
int64_t clinux_wall_clock_error_milliseconds(void) {
    struct timex status;
    memset(&status, 0, sizeof status);
    if (adjtimex(&status) < 0 || status.status & STA_UNSYNC) return -1;
    return status.maxerror / 1000;
}
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

// Descriptors.

int64_t clinux_read(int32_t descriptor, void *bytes, size_t byte_count) {
    return result64(read(descriptor, bytes, byte_count));
}
int64_t clinux_write(int32_t descriptor, const void *bytes, size_t byte_count) {
    return result64(write(descriptor, bytes, byte_count));
}
int64_t clinux_read_at(int32_t descriptor, void *bytes, size_t byte_count, uint64_t offset) {
    return result64(pread(descriptor, bytes, byte_count, (off_t)offset));
}
int64_t clinux_write_at(int32_t descriptor, const void *bytes, size_t byte_count, uint64_t offset) {
    return result64(pwrite(descriptor, bytes, byte_count, (off_t)offset));
}
int32_t clinux_open_private(const char *path, int64_t *byte_count) {
    // Not blocking: what is there may be anything, a pipe included.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (descriptor < 0) return -errno;
    if (fstat(descriptor, &status) < 0) return give_up(descriptor);
    if (!S_ISREG(status.st_mode) || status.st_mode & (S_IRWXG | S_IRWXO)) { errno = EBADMSG; return give_up(descriptor); }
    *byte_count = status.st_size;
    return descriptor;
}
static int write_synced(int descriptor, const void *bytes, size_t byte_count) {
    ssize_t written = write(descriptor, bytes, byte_count);
    if (written >= 0 && (size_t)written != byte_count) { errno = ENOSPC; written = -1; }
    return written < 0 ? -1 : fsync(descriptor);
}
static int sync_directory_of(const char *path) {
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof directory) { errno = ENAMETOOLONG; return -1; }
    memcpy(directory, path, length);
    directory[length] = 0;
    int descriptor = open(length ? directory : slash ? "/" : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int status = fsync(descriptor), error = errno;
    close(descriptor);
    errno = error;
    return status;
}
// What the file held is a secret that is over. A medium that moves blocks about may keep a copy where no program can read it.
static void overwrite(int descriptor) {
    static const char zeros[512];
    struct stat status;
    if (fstat(descriptor, &status) < 0 || !S_ISREG(status.st_mode)) return;
    for (off_t offset = 0; offset < status.st_size; offset += (off_t)sizeof zeros) {
        size_t count = status.st_size - offset < (off_t)sizeof zeros ? (size_t)(status.st_size - offset) : sizeof zeros;
        if (pwrite(descriptor, zeros, count, offset) < 0) break;
    }
    (void)fsync(descriptor);
}
// A draft that was never finished.
static int discard(const char *path) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor >= 0) {
        overwrite(descriptor);
        (void)close(descriptor);
    }
    return unlink(path) < 0 && errno != ENOENT ? -1 : 0;
}
int32_t clinux_make_private(const char *path, const void *bytes, size_t byte_count) {
    // Under another name until it is whole: a power cut leaves either nothing or all of it.
    char draft[PATH_MAX];
    if (strlen(path) + sizeof ".new" > sizeof draft) return -ENAMETOOLONG;
    strcat(strcpy(draft, path), ".new");
    if (discard(draft) < 0) return -errno;
    int descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return -errno;
    if (write_synced(descriptor, bytes, byte_count) < 0) {
        int status = give_up(descriptor);
        (void)discard(draft);
        return status;
    }
    int old = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    int status = close(descriptor) < 0 || rename(draft, path) < 0 || sync_directory_of(path) < 0 ? -errno : 0;
    if (old >= 0 && status == 0) overwrite(old);
    if (old >= 0) (void)close(old);
    return status;
}
int32_t clinux_flush_data(int32_t descriptor) { return result(fdatasync(descriptor)); }
void clinux_drop_cache(int32_t descriptor) {
    (void)fdatasync(descriptor);
    (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
}
int32_t clinux_close(int32_t descriptor) { return result(close(descriptor)); }
int32_t clinux_open_read(const char *path) { return result(open(path, O_RDONLY | O_CLOEXEC)); }
int32_t clinux_create(const char *path) {
    return result(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}
int32_t clinux_open_medium(const char *path) {
    // A file made in /dev would be gone with the next start; O_EXCL keeps off a block device that is mounted.
    int flags = strncmp(path, "/dev/", 5) == 0 ? O_EXCL : O_CREAT;
    return result(open(path, O_RDWR | O_CLOEXEC | flags, 0600));
}
int32_t clinux_describe_medium(int32_t descriptor, clinux_medium *medium) {
    struct stat status;
    struct mtd_info_user flash;
    memset(medium, 0, sizeof *medium);
    if (fstat(descriptor, &status) < 0) return -errno;
    if (S_ISREG(status.st_mode)) {
        medium->byte_count = (uint64_t)status.st_size;
    } else if (S_ISBLK(status.st_mode)) {
        if (ioctl(descriptor, BLKGETSIZE64, &medium->byte_count) < 0) return -errno;
    } else {
        if (!S_ISCHR(status.st_mode) || ioctl(descriptor, MEMGETINFO, &flash) < 0) return -ENODEV;
        medium->byte_count = flash.size;
        medium->erase_byte_count = flash.erasesize;
        medium->write_byte_count = flash.writesize;
    }
    return 0;
}
int32_t clinux_erase_flash(int32_t descriptor, uint64_t offset, uint64_t byte_count) {
    struct erase_info_user64 range = { .start = offset, .length = byte_count };
    return result(ioctl(descriptor, MEMERASE64, &range));
}
int32_t clinux_allocate_file(int32_t descriptor, uint64_t byte_count) {
    return -posix_fallocate(descriptor, 0, (off_t)byte_count);
}
int32_t clinux_lock_file(int32_t descriptor) { return result(flock(descriptor, LOCK_EX | LOCK_NB)); }
const char *clinux_error_text(int32_t errno_value) { return strerror(errno_value); }

_Static_assert(
    CLINUX_EPERM == EPERM && CLINUX_ENOENT == ENOENT && CLINUX_EIO == EIO && CLINUX_EAGAIN == EAGAIN
        && CLINUX_ENOMEM == ENOMEM && CLINUX_EACCES == EACCES && CLINUX_EBUSY == EBUSY && CLINUX_EEXIST == EEXIST && CLINUX_ENODEV == ENODEV
        && CLINUX_EINVAL == EINVAL && CLINUX_EFBIG == EFBIG && CLINUX_ENOSPC == ENOSPC && CLINUX_EPIPE == EPIPE && CLINUX_EUSERS == EUSERS
        && CLINUX_EAFNOSUPPORT == EAFNOSUPPORT && CLINUX_ETIMEDOUT == ETIMEDOUT
        && CLINUX_ECONNREFUSED == ECONNREFUSED && CLINUX_ERFKILL == ERFKILL,
    "the numbers in CLinux.h are the system's");

// Readiness.

static uint32_t epoll_bits(uint32_t readiness) {
    return (readiness & CLINUX_READABLE ? EPOLLIN : 0) | (readiness & CLINUX_WRITABLE ? EPOLLOUT : 0);
}
static int32_t epoll_change(int32_t epoll, int operation, int32_t descriptor, uint32_t readiness, uint64_t token) {
    struct epoll_event event = { .events = epoll_bits(readiness), .data.u64 = token };
    return result(epoll_ctl(epoll, operation, descriptor, &event));
}
int32_t clinux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }
int32_t clinux_epoll_add(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token) {
    return epoll_change(epoll, EPOLL_CTL_ADD, descriptor, readiness, token);
}
int32_t clinux_epoll_modify(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token) {
    return epoll_change(epoll, EPOLL_CTL_MOD, descriptor, readiness, token);
}
int32_t clinux_epoll_remove(int32_t epoll, int32_t descriptor) {
    return epoll_change(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}
int32_t clinux_epoll_wait(int32_t epoll, clinux_ready *ready, int32_t capacity, uint64_t timeout_nanoseconds) {
    struct epoll_event events[16];
    if (capacity > 16) capacity = 16;
    // Rounded up: waking a little late is harmless, waking early would spin.
    uint64_t milliseconds = timeout_nanoseconds == UINT64_MAX ? UINT64_MAX : (timeout_nanoseconds + 999999u) / 1000000u;
    int timeout = timeout_nanoseconds == UINT64_MAX ? -1 : milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
    int count = epoll_wait(epoll, events, capacity, timeout);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        uint32_t bits = events[i].events;
        ready[i].token = events[i].data.u64;
        ready[i].readiness = (bits & EPOLLIN ? CLINUX_READABLE : 0) | (bits & EPOLLOUT ? CLINUX_WRITABLE : 0)
            | (bits & (EPOLLHUP | EPOLLERR | EPOLLRDHUP) ? CLINUX_HUNG_UP : 0);
    }
    return count;
}

// HCI transports.

static char *append_text(char *end, const char *text) {
    while (*text) *end++ = *text++;
    *end = 0;
    return end;
}
static char *append_number(char *end, unsigned number) {
    char digits[12], *first = digits + sizeof digits - 1;
    *first = 0;
    do *--first = (char)('0' + number % 10); while (number /= 10);
    return append_text(end, first);
}

int32_t clinux_hci_device_down(uint16_t device) {
    // On a second, raw socket: a user channel answers ioctls with EBADFD.
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    if (ioctl(descriptor, HCIDEVDOWN, device) < 0 && errno != EALREADY) return give_up(descriptor);
    return result(close(descriptor));
}
int32_t clinux_hci_user_channel(uint16_t device) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    struct sockaddr_hci address = { .hci_family = AF_BLUETOOTH, .hci_dev = device, .hci_channel = HCI_CHANNEL_USER };
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return give_up(descriptor);
    // What waits there is lost when it is full, replies too. The usual size holds 278 packets; a card that is being written
    // to may keep the agent for a second. Who may bind may have more than the system's limit; taken only where it is used.
    static const int byte_count = 4 << 20;
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &byte_count, sizeof byte_count);
    return descriptor;
}
int32_t clinux_hci_adapters(clinux_adapter *adapters, int32_t capacity) {
    // The kernel's struct hci_dev_list_req ends with as many as there is room for.
    struct { uint16_t count; struct hci_dev_req each[HCI_MAX_DEV]; } list = { .count = HCI_MAX_DEV };
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    if (ioctl(descriptor, HCIGETDEVLIST, &list) < 0) return give_up(descriptor);
    int32_t count = 0;
    for (int i = 0; i < list.count && i < HCI_MAX_DEV && count < capacity; i++) {
        struct hci_dev_info info = { .dev_id = list.each[i].dev_id };
        // One that has gone in the meantime is left out.
        if (ioctl(descriptor, HCIGETDEVINFO, &info) < 0) continue;
        adapters[count] = (clinux_adapter) { .number = info.dev_id, .bus = info.type & 0x0f };
        for (int byte = 5; byte >= 0; byte--)
            adapters[count].address = adapters[count].address << 8 | info.bdaddr.b[byte];
        count++;
    }
    close(descriptor);
    return count;
}
int32_t clinux_rfkill(uint16_t device, int32_t is_blocked) {
    // The switch's number is in the name of a directory. There are few, and looking for it needs no allocator.
    char path[64];
    int number = 0;
    do {
        if (number == 256) return -ENODEV;
        char *end = append_number(append_text(path, "/sys/class/bluetooth/hci"), device);
        append_number(append_text(end, "/rfkill"), (unsigned)number);
    } while (access(path, F_OK) < 0 && ++number);
    struct rfkill_event event = { .idx = (uint32_t)number, .op = RFKILL_OP_CHANGE, .soft = is_blocked != 0 };
    int descriptor = open("/dev/rfkill", O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    if (write(descriptor, &event, RFKILL_EVENT_SIZE_V1) < 0) return give_up(descriptor);
    return result(close(descriptor));
}
int32_t clinux_bind_driver(const char *driver, const char *device, int32_t is_bound) {
    char path[256];
    if (strlen(driver) + sizeof "/unbind" > sizeof path) return -ENAMETOOLONG;
    append_text(append_text(path, driver), is_bound ? "/bind" : "/unbind");
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    if (write(descriptor, device, strlen(device)) < 0) return give_up(descriptor);
    return result(close(descriptor));
}
int32_t clinux_unix_connect(const char *path, int32_t is_sequenced_packets) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int type = is_sequenced_packets ? SOCK_SEQPACKET : SOCK_STREAM;
    int descriptor = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return give_up(descriptor);
    return descriptor;
}
int32_t clinux_tcp_connect(const char *address, uint16_t port, int32_t timeout_milliseconds) {
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    int is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
    if (!is_v4 && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1) return -EINVAL;
    int descriptor = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    int status = is_v4 ? connect(descriptor, (struct sockaddr *)&v4, sizeof v4)
                       : connect(descriptor, (struct sockaddr *)&v6, sizeof v6);
    if (status < 0 && errno != EINPROGRESS) return give_up(descriptor);
    struct pollfd ready = { .fd = descriptor, .events = POLLOUT };
    int count = poll(&ready, 1, timeout_milliseconds);
    int error = count == 0 ? ETIMEDOUT : count < 0 ? errno : 0;
    socklen_t size = sizeof error;
    if (count > 0) getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) { errno = error; return give_up(descriptor); }
    return descriptor;
}

static int set_speed(struct termios *settings, uint32_t baud) {
    static const struct { uint32_t baud; speed_t speed; } rates[] = {
        { 9600, B9600 }, { 19200, B19200 }, { 38400, B38400 }, { 57600, B57600 }, { 115200, B115200 },
        { 230400, B230400 }, { 460800, B460800 }, { 500000, B500000 }, { 921600, B921600 },
        { 1000000, B1000000 }, { 1500000, B1500000 }, { 2000000, B2000000 }, { 3000000, B3000000 },
        { 4000000, B4000000 },
    };
    if (baud == 0) return 0;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        if (rates[i].baud == baud) return cfsetspeed(settings, rates[i].speed);
    errno = EINVAL;
    return -1;
}
int32_t clinux_serial_open(const char *path, uint32_t baud, int32_t has_flow_control) {
    int descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return -errno;
    struct termios settings;
    if (tcgetattr(descriptor, &settings) < 0) return give_up(descriptor);
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag = has_flow_control ? settings.c_cflag | CRTSCTS : settings.c_cflag & ~CRTSCTS;
    if (set_speed(&settings, baud) < 0 || tcsetattr(descriptor, TCSANOW, &settings) < 0) return give_up(descriptor);
    return descriptor;
}
int32_t clinux_discard_and_close(int32_t descriptor) {
    // A line whose other end takes nothing would keep close() waiting for half a minute.
    (void)tcflush(descriptor, TCOFLUSH);
    return clinux_close(descriptor);
}
// What ptsname_r does; musl's brings all of printf along, 10 KiB.
static int name_other_side(int descriptor, char *name, size_t name_capacity) {
    static const char directory[] = "/dev/pts/";
    unsigned number, digits = 1;
    if (ioctl(descriptor, TIOCGPTN, &number) < 0) return -1;
    for (unsigned rest = number; rest >= 10; rest /= 10) digits++;
    if (sizeof directory + digits > name_capacity) { errno = ERANGE; return -1; }
    char *end = strcpy(name, directory) + sizeof directory - 1 + digits;
    *end = 0;
    do { *--end = (char)('0' + number % 10); } while (number /= 10);
    return 0;
}
int32_t clinux_pseudo_terminal(char *name, size_t name_capacity, int32_t *other_side) {
    int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return -errno;
    if (grantpt(descriptor) < 0 || unlockpt(descriptor) < 0) return give_up(descriptor);
    if (name_other_side(descriptor, name, name_capacity) < 0) return give_up(descriptor);
    *other_side = clinux_serial_open(name, 0, 0);
    if (*other_side < 0) { errno = -*other_side; return give_up(descriptor); }
    return descriptor;
}
int32_t clinux_link(const char *target, const char *path) {
    struct stat status;
    if (lstat(path, &status) == 0) {
        if (!S_ISLNK(status.st_mode)) return -EEXIST;
        if (unlink(path) < 0) return -errno;
    }
    return result(symlink(target, path));
}
int32_t clinux_unlink(const char *path) { return result(unlink(path)); }

// Signals and traps.

int32_t clinux_signal_descriptor(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return -errno;
    return result(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}
int32_t clinux_read_signal(int32_t descriptor) {
    struct signalfd_siginfo info;
    ssize_t count = read(descriptor, &info, sizeof info);
    if (count < 0) return -errno;
    return count == sizeof info ? (int32_t)info.ssi_signo : -EIO;
}

static void report_trap(int number, siginfo_t *info, void *context) {
    (void)context;
    static const char digits[] = "0123456789abcdef";
    char line[] = "tabard: trapped, signal .. at 0x................; this is a defect, please report it\n";
    char *signal_digits = strchr(line, '.');
    signal_digits[0] = digits[number / 10 % 10];
    signal_digits[1] = digits[number % 10];
    char *address_digits = strchr(line, 'x') + 1;
    uintptr_t address = (uintptr_t)info->si_addr;
    for (int i = 15; i >= 0; i--, address >>= 4) address_digits[i] = digits[address & 15];
    if (write(2, line, sizeof line - 1) < 0) { /* nothing more can be done */ }
    signal(number, SIG_DFL);
    raise(number);
}
void clinux_report_traps(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = report_trap;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    int numbers[] = { SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) sigaction(numbers[i], &action, NULL);
}

// The process.

int64_t clinux_resident_kibibytes(void) {
    // smaps_rollup, not statm: the kernel batches statm's counters and understates small processes.
    char text[1024];
    int descriptor = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    ssize_t count = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    if (count <= 0) return -EIO;
    text[count] = 0;
    char *line = strstr(text, "Rss:");
    if (!line) return -EIO;
    return strtoll(line + 4, NULL, 10);
}
const char *clinux_architecture(void) {
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__aarch64__)
    return "aarch64";
#elif defined(__ARM_ARCH) && __ARM_ARCH >= 7
    return "armv7l";
#elif defined(__arm__)
    return "armv6l";
#else
    return "unknown";
#endif
}

#include <mbedtls/platform.h>
#if defined(MBEDTLS_MEMORY_BUFFER_ALLOC_C)
#include <mbedtls/memory_buffer_alloc.h>
static unsigned char pool[24576];
void clinux_use_fixed_crypto_pool(void) { mbedtls_memory_buffer_alloc_init(pool, sizeof pool); }
#else
void clinux_use_fixed_crypto_pool(void) {}
#endif
