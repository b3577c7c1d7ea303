/* A plug-in of QEMU's user emulator. It counts the instructions of each turn of the agent's run loop, from
   one epoll_wait to the next, and writes a line for each to the file named by the argument `out`:

       instructions pages

   `pages`: how often the turn synced the medium (fsync, fdatasync). Everything before the first epoll_wait is
   start-up, and is not counted.

   Debian has no package with QEMU's header, so this file has the declarations that it uses (QEMU 7.2, API 1
   of plug-ins). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int operation, void *counter, uint64_t amount);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id, void (*)(plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t,
                                                              uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { add_to_counter = 0 };
/* Linux's system call numbers for 32-bit ARM. */
enum { arm_fsync = 118, arm_fdatasync = 148, arm_epoll_wait = 252, arm_epoll_pwait = 346, arm_epoll_pwait2 = 441 };

static uint64_t executed, turn_began;
static unsigned pages;
static int has_begun;
static FILE *out;

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, add_to_counter, &executed, qemu_plugin_tb_n_insns(block));
}

static void called(plugin_id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                   uint64_t f, uint64_t g, uint64_t h) {
    (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    switch (number) {
    case arm_fsync:
    case arm_fdatasync: pages++; break;
    case arm_epoll_wait:
    case arm_epoll_pwait:
    case arm_epoll_pwait2:
        if (has_begun) fprintf(out, "%" PRIu64 " %u\n", executed - turn_began, pages);
        has_begun = 1;
        turn_began = executed;
        pages = 0;
    }
}

static void ended(plugin_id id, void *context) {
    (void)id, (void)context;
    fclose(out);
}

__attribute__((visibility("default"))) int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments) {
    (void)info;
    for (int i = 0; i < count; i++)
        if (!strncmp(arguments[i], "out=", 4)) out = fopen(arguments[i] + 4, "w");
    if (!out) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
