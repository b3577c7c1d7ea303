import Foundation

/// A file of an export, written piece by piece. The first failure is kept, and nothing is written after it.
public final class ExportOutput {
    private let sink: (Data) throws -> Void
    private var pending = Data()
    private(set) var failure: (any Error)?

    private static let pieceByteCount = 1 << 16

    /// - Parameter sink: takes the next bytes.
    public init(_ sink: @escaping (Data) throws -> Void) { self.sink = sink }

    /// Whether nothing has failed so far.
    var works: Bool { failure == nil }

    func write(_ text: String) { write(text.utf8) }

    func write(_ bytes: some Sequence<UInt8>) {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.pieceByteCount { flush() }
    }

    /// Writes the rest.
    ///
    /// - Throws: the failure of the sink.
    public func finish() throws {
        flush()
        if let failure { throw failure }
    }

    private func flush() {
        defer { pending.removeAll(keepingCapacity: true) }
        guard works, !pending.isEmpty else { return }
        do { try sink(pending) } catch { failure = error }
    }
}
