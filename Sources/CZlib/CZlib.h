/* The system's zlib, for what computers read of others' zip files. */
#include <zlib.h>
