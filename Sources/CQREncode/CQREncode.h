/* The system's libqrencode, for the QR codes that computers print. */
#include <qrencode.h>
