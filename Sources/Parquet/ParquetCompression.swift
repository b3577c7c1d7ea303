/// How pages are compressed.
public enum ParquetCompression: Equatable, Sendable {
    case none
    /// zstd with a level from 1 (fast) to 22 (small). Negative levels are faster still. zstd limits what is
    /// beyond.
    case zstd(level: Int)

    /// The number in the footer (parquet.thrift: CompressionCodec).
    var codec: Int {
        switch self {
        case .none: 0
        case .zstd: 6
        }
    }
}
