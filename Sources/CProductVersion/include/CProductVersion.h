#ifndef CPRODUCTVERSION_H
#define CPRODUCTVERSION_H
#include <stdint.h>

/* One of the three numbers in the file VERSION: 0 is the major, 1 the minor and 2 the patch version. */
uint8_t tabard_version_number(uint8_t index);
#endif
