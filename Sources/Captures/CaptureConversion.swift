/// Converts a capture of any form that the module reads to btsnoop. The caller appends the file in pieces and
/// takes the result in pieces. Memory is bounded at any length of the file.
///
/// Each error comes after all that could be converted before it.
public struct CaptureConversion {
    public private(set) var summary = ConversionSummary()
    private var unpacker: Unpacker?
    private var reader = CaptureReader()
    private var writer: BtsnoopWriter?
    private var failure: CaptureError?
    /// An error that comes after the records that were unpacked before it.
    private var unpackingFailure: CaptureError?

    /// The length of a piece of the result, up to one packet more.
    private static let pieceByteCount = 64 << 10

    /// - Parameter entry: the entry of a zip file whose packed contents will be appended; nil for a file
    ///   of its own.
    public init(of entry: ZipEntry? = nil) {
        do throws(CaptureError) { unpacker = try Unpacker(entry) } catch { failure = error }
    }

    /// Whether the form was recognised, or is known and cannot be converted.
    public var isCapture: Bool {
        if case .notCapture = failure { return false }
        if case .packedDataDamaged = failure, reader.datalink == nil { return false }
        return reader.datalink != nil || failure != nil
    }

    /// Appends the next bytes of the file.
    public mutating func append(_ bytes: [UInt8]) { unpacker?.append(bytes[...]) }

    /// Notes that the file has no more bytes.
    public mutating func complete() { unpacker?.completeInput() }

    /// Returns the next piece of the btsnoop file; nil if more bytes are needed, or all was returned.
    public mutating func next() throws(CaptureError) -> [UInt8]? {
        do throws(CaptureError) {
            while failure == nil, (writer?.waitingByteCount ?? 0) < Self.pieceByteCount, try advance() {}
        } catch {
            failure = error
        }
        if let piece = writer?.takeBytes(), !piece.isEmpty { return piece }
        if let failure { throw failure }
        return nil
    }

    /// - Returns: false if more bytes are needed.
    private mutating func advance() throws(CaptureError) -> Bool {
        if let outcome = try nextRecord() {
            take(outcome)
            return true
        }
        guard !reader.isComplete else { return try end() }
        do throws(CaptureError) {
            if let bytes = try unpacker?.next() {
                reader.append(bytes[...])
                return true
            }
        } catch {
            unpackingFailure = error
        }
        guard unpackingFailure != nil || unpacker?.isFinished != false else { return false }
        reader.complete()
        return true
    }

    private mutating func nextRecord() throws(CaptureError) -> RecordOutcome? {
        do throws(CaptureError) { return try reader.next() } catch {
            // The beginning of a file that cannot be unpacked need not look like a capture.
            if case .notCapture = error, let unpackingFailure { throw unpackingFailure }
            throw error
        }
    }

    /// Notes how the capture ends.
    ///
    /// - Returns: false, because nothing follows.
    private mutating func end() throws(CaptureError) -> Bool {
        summary.isCut = unpacker?.isCut == true || reader.endsWithinRecord
        summary.cutByteCount = reader.cutByteCount
        if let unpackingFailure { throw unpackingFailure }
        if summary.packetCount == 0, let type = reader.foreignLinkType { throw .linkType(type) }
        return false
    }

    private mutating func take(_ outcome: RecordOutcome) {
        switch outcome {
        case .structure: break
        case .skipped: summary.skippedCount += 1
        case .packet(let packet):
            if writer == nil, let datalink = reader.datalink { writer = BtsnoopWriter(datalink) }
            guard writer?.append(packet) == true else {
                summary.skippedCount += 1
                return
            }
            summary.packetCount += 1
            if packet.unixMicroseconds == nil { summary.untimedCount += 1 }
        }
    }
}

/// The counts of a conversion.
public struct ConversionSummary: Equatable, Sendable {
    public internal(set) var packetCount = 0
    /// Records that have no HCI packet, such as notes, or none that the result can express.
    public internal(set) var skippedCount = 0
    /// Packets without a time, which got that of the packet before.
    public internal(set) var untimedCount = 0
    /// Whether the file ends within a record or within packed data.
    public internal(set) var isCut = false
    /// The bytes after the last whole record.
    public internal(set) var cutByteCount = 0
}
