#define _GNU_SOURCE
#include "CLinux/process.h"
#include "status.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

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
    if (number == SIGABRT && info->si_code == SI_USER && info->si_pid != getpid()) {
        static const char aborted[] = "tabard: aborted by another program, as systemd does when an agent says "
                                      "nothing for a minute\n";
        if (write(2, aborted, sizeof aborted - 1) < 0) { /* nothing more can be done */ }
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
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

int32_t clinux_execute_beside(const char *name, char **arguments) {
    char path[4096];
    size_t length = strlen(name);
    ssize_t count = readlink("/proc/self/exe", path, sizeof path - length - 1);
    while (count > 0 && path[count - 1] != '/') count--;
    if (count > 0) {
        memcpy(path + count, name, length + 1);
        execv(path, arguments);
        if (errno != ENOENT) return -errno;
    }
    static const char folder[] = "/usr/lib/tabard/";
    memcpy(path, folder, sizeof folder - 1);
    memcpy(path + sizeof folder - 1, name, length + 1);
    execv(path, arguments);
    return -errno;
}

int64_t clinux_resident_kibibytes(void) {
    // Read smaps_rollup, because the kernel batches the counters of statm and understates small processes.
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
