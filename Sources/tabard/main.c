// Embedded Swift has no CommandLine, so the program starts in C and hands its arguments over.
extern int tabard_main(int argc, char **argv);
int main(int argc, char **argv) { return tabard_main(argc, argv); }
