/// The part of a board's log that one host has.
struct HostStore {
    private var segments: [UInt32: (bytes: [UInt8], acknowledged: Int)] = [:]

    func bytes(of ordinal: UInt32) -> [UInt8] { segments[ordinal]?.bytes ?? [] }

    func acknowledgedByteCount(of ordinal: UInt32) -> Int { segments[ordinal]?.acknowledged ?? 0 }

    mutating func append(_ bytes: some Sequence<UInt8>, to ordinal: UInt32) {
        segments[ordinal, default: ([], 0)].bytes += bytes
    }

    mutating func acknowledge(_ ordinal: UInt32, byteCount: Int) {
        segments[ordinal]?.acknowledged = byteCount
    }

    mutating func discard(_ ordinal: UInt32) { segments[ordinal] = nil }
}
