/* The version of Tabard, from the file VERSION. Swift cannot include a file, but C can. */
#include "CProductVersion.h"

#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */

static const char text[] = {
#embed "../../VERSION"
    , 0};

uint8_t tabard_version_number(uint8_t index) {
    uint8_t number = 0;
    for (const char *next = text; *next; next++) {
        if (*next == '.') {
            if (index-- == 0) return number;
            number = 0;
        } else if (*next >= '0' && *next <= '9') {
            number = (uint8_t)(10 * number + (*next - '0'));
        }
    }
    return number;
}
