// Embedded Swift has no CommandLine, so the program starts in C and passes its arguments on.
extern int tabard_commands_main(int argc, char **argv);

int main(int argc, char **argv) { return tabard_commands_main(argc, argv); }
