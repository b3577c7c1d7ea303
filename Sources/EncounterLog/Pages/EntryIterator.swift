import FixedMemory

/// Iterates over a page's entries, in clear or decrypted.
public struct EntryIterator: ~Escapable {
    private var reader: ByteReader

    /// Entries skipped so far because a later version of the software wrote them.
    public private(set) var unknownEntryCount = 0

    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { reader = ByteReader(bytes) }

    /// The next entry of a known kind, or nil after the last.
    ///
    /// Throws `LogError.malformedEntry` if an entry cannot be parsed. If only its body was wrong, the next
    /// call continues with the next entry. If its length was wrong, nothing more can be read, and the
    /// next call returns nil.
    public mutating func next() throws(LogError) -> LogEntry? {
        while !reader.isAtEnd {
            let offset = reader.offset
            let kind: LogEntry.Kind?
            let body: Span<UInt8>
            do throws(EndOfBytes) {
                kind = LogEntry.Kind(rawValue: try reader.readUInt8())
                body = try reader.readBytes(try readLength())
            } catch {
                _ = reader.readRest()
                throw .malformedEntry(offset: offset)
            }
            guard let kind else {
                unknownEntryCount += 1
                continue
            }
            do throws(MalformedField) {
                return try LogEntry(kind: kind, body: body)
            } catch {
                throw .malformedEntry(offset: offset)
            }
        }
        return nil
    }

    /// Reads LEB128 of one or two bytes: at most 16,383.
    private mutating func readLength() throws(EndOfBytes) -> Int {
        let low = try reader.readUInt8()
        guard low & 0x80 != 0 else { return Int(low) }
        let high = try reader.readUInt8()
        guard high & 0x80 == 0 else { throw EndOfBytes() }
        return Int(low & 0x7f) | Int(high) &<< 7
    }
}
