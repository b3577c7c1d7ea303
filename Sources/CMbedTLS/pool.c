#include "CMbedTLS.h"

#include <mbedtls/platform.h>

#if defined(MBEDTLS_MEMORY_BUFFER_ALLOC_C)
#include <mbedtls/memory_buffer_alloc.h>
static unsigned char pool[24576];
void cmbedtls_use_fixed_pool(void) { mbedtls_memory_buffer_alloc_init(pool, sizeof pool); }
#else
void cmbedtls_use_fixed_pool(void) {}
#endif
