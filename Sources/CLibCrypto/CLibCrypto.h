/* The system's libcrypto (OpenSSL 3), with which computers search very many keys. Boards have mbedTLS.

   We call SHA256_Update and similar functions although OpenSSL 3 deprecates them. Their successors look up
   an algorithm for each message, which takes longer than hashing 64 bytes. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
