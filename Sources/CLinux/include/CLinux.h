/* The few Linux calls that Tabard needs. The headers use only stdint, so Swift can import them under any
   target triple. Unless noted, a function returns >= 0 on success and -errno on failure, and does not
   allocate. */
#ifndef CLINUX_H
#define CLINUX_H
#include "CLinux/clock.h"
#include "CLinux/epoll.h"
#include "CLinux/errors.h"
#include "CLinux/files.h"
#include "CLinux/hci.h"
#include "CLinux/medium.h"
#include "CLinux/memory.h"
#include "CLinux/panel.h"
#include "CLinux/process.h"
#include "CLinux/service.h"
#include "CLinux/serial.h"
#include "CLinux/sockets.h"
#include "CLinux/update.h"
#endif
