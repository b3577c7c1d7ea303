// Embedded Swift has no CommandLine, so the program starts in C and passes its arguments on.
#include <unistd.h>

extern int tabard_main(int argc, char **argv);

int main(int argc, char **argv) {
    int status = tabard_main(argc, argv);
    if (status != -1) return status;
    // The configuration was changed over the sync port. The same program with the same arguments now reads
    // it; every descriptor is closed.
    execv("/proc/self/exe", argv);
    return 75;
}
