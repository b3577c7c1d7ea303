/* The system's libxlsxwriter, for the workbooks that hospitals read. */
#include <xlsxwriter.h>
