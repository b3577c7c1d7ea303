#define _GNU_SOURCE
#include "CLinux/update.h"
#include "CLinux/files.h"
#include "status.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char slot_variable[] = "TABARD_SLOT", trial_variable[] = "TABARD_TRIAL";

/* The path of a file in the first folder of $STATE_DIRECTORY. */
static int path_of(char path[PATH_MAX], const char *name) {
    const char *folder = getenv("STATE_DIRECTORY");
    size_t length = folder ? strcspn(folder, ":") : 0;
    if (length == 0) return -ENOENT;
    if (length + 1 + strlen(name) >= PATH_MAX) return -ENAMETOOLONG;
    memcpy(path, folder, length);
    path[length] = '/';
    strcpy(path + length + 1, name);
    return 0;
}
static int path_of_slot(char path[PATH_MAX], int32_t slot) {
    if (slot < 1 || slot > 2) return -EINVAL;
    return path_of(path, slot == 1 ? "update.1" : "update.2");
}

int32_t clinux_launched_slot(void) {
    const char *text = getenv(slot_variable);
    if (!text || text[0] < '0' || text[0] > '2' || text[1]) return -ENOENT;
    return text[0] - '0';
}
bool clinux_is_on_trial(void) {
    const char *text = getenv(trial_variable);
    return text && text[0] == '1';
}
void clinux_end_trial(void) {
    alarm(0);
    /* For the agent that this process is after a reload. */
    char *text = getenv(trial_variable);
    if (text && text[0]) text[0] = '0';
}

int64_t clinux_read_update_record(void *bytes, size_t capacity) {
    char path[PATH_MAX];
    int status = path_of(path, "update.record");
    if (status < 0) return status;
    /* Something else in its place, such as a FIFO, must not block the start. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return -errno;
    int64_t count = clinux_read_at(descriptor, bytes, capacity, 0);
    (void)close(descriptor);
    return count;
}
int32_t clinux_write_update_record(const void *bytes, size_t byte_count) {
    char path[PATH_MAX];
    int status = path_of(path, "update.record");
    return status < 0 ? status : clinux_make_private(path, bytes, byte_count);
}
int32_t clinux_open_update_part(void) {
    char path[PATH_MAX];
    int status = path_of(path, "update.part");
    if (status < 0) return status;
    return result(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
}
void clinux_remove_update_part(void) {
    char path[PATH_MAX];
    if (path_of(path, "update.part") == 0) (void)unlink(path);
}
int32_t clinux_keep_update_part(int32_t descriptor, int32_t slot) {
    char part[PATH_MAX], path[PATH_MAX];
    int status = path_of(part, "update.part");
    if (status == 0) status = path_of_slot(path, slot);
    if (status < 0) return status;
    if (fsync(descriptor) < 0) return -errno;
    if (unlink(path) < 0 && errno != ENOENT) return -errno;
    return clinux_rename(part, path);
}
int32_t clinux_open_update(int32_t slot) {
    char path[PATH_MAX];
    int status = path_of_slot(path, slot);
    return status < 0 ? status : result(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}
bool clinux_update_is_missing(int32_t status) {
    return status == -ENOENT || status == -EINVAL || status == -ELOOP || status == -ENXIO;
}

int32_t clinux_memory_file(void) {
    /* Linux 6.3 and later can be set up to run only those memory files that have this flag. */
    const unsigned executable = 0x10;
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int descriptor = (int)syscall(SYS_memfd_create, "tabard", flags | executable);
    if (descriptor < 0 && errno == EINVAL) descriptor = (int)syscall(SYS_memfd_create, "tabard", flags);
    return result(descriptor);
}
int32_t clinux_seal(int32_t descriptor) {
    return result(fcntl(descriptor, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE));
}

/* The environment with the launcher's variables in place of any earlier ones. */
static char **launched_environment(int32_t slot, bool is_on_trial) {
    static char *variables[256];
    static char slot_text[sizeof slot_variable + 2], trial_text[sizeof trial_variable + 2];
    size_t count = 0;
    for (char **each = environ; *each && count < sizeof variables / sizeof variables[0] - 3; each++)
        if (strncmp(*each, slot_variable, sizeof slot_variable - 1) != 0
            && strncmp(*each, trial_variable, sizeof trial_variable - 1) != 0)
            variables[count++] = *each;
    snprintf(slot_text, sizeof slot_text, "%s=%d", slot_variable, (int)slot);
    variables[count++] = slot_text;
    if (is_on_trial) {
        snprintf(trial_text, sizeof trial_text, "%s=1", trial_variable);
        variables[count++] = trial_text;
    }
    variables[count] = NULL;
    return variables;
}
/* Becomes the program. Returns only if it cannot, with the error. */
static int become(int32_t descriptor, const char *path, char **arguments, char **variables) {
    if (descriptor >= 0)
        (void)syscall(SYS_execveat, descriptor, "", arguments, variables, AT_EMPTY_PATH);
    else
        (void)execve(path, arguments, variables);
    return errno;
}
int32_t clinux_launch(int32_t descriptor, const char *path, char **arguments, int32_t slot) {
    return -become(descriptor, path, arguments, launched_environment(slot, false));
}

static pid_t tried_process;
static void forward(int number) { (void)kill(tried_process, number); }

/* Waits for the end of the agent on trial, and ends with its exit code. The service manager starts nothing
   again that ends with 64, 65 or 66, because wrong settings stay wrong. An agent on trial must give way to
   another. */
static _Noreturn void end_with(pid_t child) {
    tried_process = child;
    struct sigaction action = { .sa_handler = forward };
    const int forwarded[] = { SIGTERM, SIGINT, SIGHUP, SIGABRT };
    for (size_t index = 0; index < sizeof forwarded / sizeof forwarded[0]; index++)
        (void)sigaction(forwarded[index], &action, NULL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) _exit(75);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    _exit(code >= 64 && code <= 66 ? 75 : code);
}
int32_t clinux_try(int32_t descriptor, char **arguments, int32_t slot, uint32_t limit_seconds) {
    int failure[2];
    if (pipe2(failure, O_CLOEXEC) < 0) return -errno;
    pid_t child = fork();
    if (child < 0) return -errno;
    if (child == 0) {
        sigset_t alarm_only;
        sigemptyset(&alarm_only);
        sigaddset(&alarm_only, SIGALRM);
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* The handler, the mask and the time that is left pass on to the program. */
        (void)sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
        (void)signal(SIGALRM, SIG_DFL);
        alarm(limit_seconds);
        int error = become(descriptor, "", arguments, launched_environment(slot, true));
        (void)!write(failure[1], &error, sizeof error);
        _exit(75);
    }
    (void)close(failure[1]);
    int error = 0;
    /* The pipe ends without a byte once the child is the program. */
    bool has_failed = read(failure[0], &error, sizeof error) == sizeof error;
    (void)close(failure[0]);
    if (!has_failed) end_with(child);
    (void)waitpid(child, NULL, 0);
    return -error;
}
