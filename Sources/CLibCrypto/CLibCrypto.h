/* The system's libcrypto (OpenSSL 3), for what computers do with very many keys. Boards have mbedTLS.

   SHA256_Update and its like are called by names that OpenSSL 3 would like to see replaced: their successors look an
   algorithm up for each message, which takes longer than hashing 64 bytes. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
