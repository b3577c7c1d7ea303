/* The system's zstd, for the pages of Parquet files. */
#include <zstd.h>
