import CZstd

/// Compresses one page after another with the same zstd context.
final class Compressor {
    private let context: OpaquePointer

    init(level: Int) throws(ParquetError) {
        guard let context = ZSTD_createCCtx() else { throw .compressionFailed }
        self.context = context
        let limited = min(max(level, Int(ZSTD_minCLevel())), Int(ZSTD_maxCLevel()))
        // The level is within its limits, so this cannot fail.
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(truncatingIfNeeded: limited))
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Returns one zstd frame that records the size of its content, as some readers need it.
    func compressed(_ page: [UInt8]) throws(ParquetError) -> [UInt8] {
        let capacity = ZSTD_compressBound(page.count)
        let frame = [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
            let result = page.withUnsafeBytes { source in
                ZSTD_compress2(context, target.baseAddress, target.count, source.baseAddress, source.count)
            }
            count = ZSTD_isError(result) == 0 ? result : 0
        }
        // A frame is never empty.
        guard !frame.isEmpty else { throw .compressionFailed }
        return frame
    }
}
