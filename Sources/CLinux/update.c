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
#include <sys/syscall.h>

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
bool clinux_is_on_trial(void) { return getenv(trial_variable) != NULL; }
void clinux_end_trial(void) { alarm(0); }

int64_t clinux_read_update_record(void *bytes, size_t capacity) {
    char path[PATH_MAX];
    int status = path_of(path, "update.record");
    return status < 0 ? status : clinux_read_start(path, bytes, capacity);
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

int32_t clinux_memory_file(void) {
    return result((int)syscall(SYS_memfd_create, "tabard", MFD_CLOEXEC | MFD_ALLOW_SEALING));
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
int32_t clinux_launch(int32_t descriptor, const char *path, char **arguments, int32_t slot, uint32_t limit_seconds) {
    char **variables = launched_environment(slot, limit_seconds > 0);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    /* The handler, the mask and the time that is left pass on to the program. */
    (void)sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
    (void)signal(SIGALRM, SIG_DFL);
    alarm(limit_seconds);
    if (descriptor >= 0) {
        (void)fcntl(descriptor, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
        (void)syscall(SYS_execveat, descriptor, "", arguments, variables, AT_EMPTY_PATH);
    } else {
        (void)execve(path, arguments, variables);
    }
    int error = errno;
    alarm(0);
    return -error;
}
