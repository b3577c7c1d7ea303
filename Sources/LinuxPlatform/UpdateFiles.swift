import CLinux
import FixedMemory
import Updates

/// The files of updates in the service's state folder: the record, the slots, and the file that is arriving.
public struct UpdateFiles: Sendable {
    private var part: Int32 = -1

    public init() {}

    /// The record; that of a board that has only its package, if there is none or it is damaged.
    public var record: UpdateRecord {
        // One byte more shows a file that is too long.
        var bytes = Bytes<157>()
        var room = bytes.mutableSpan
        let count = room.withUnsafeMutableBytes { clinux_read_update_record($0.baseAddress, $0.count) }
        guard count > 0 else { return UpdateRecord() }
        return UpdateRecord(bytes.span.extracting(0..<Int(count))) ?? UpdateRecord()
    }

    public func store(_ record: UpdateRecord) -> Bool {
        let bytes = record.bytes
        return bytes.span.withUnsafeBytes { clinux_write_update_record($0.baseAddress, $0.count) } >= 0
    }

    /// Ends the trial of the agent that runs. Another one in the record has not shown anything yet.
    func confirm() -> Bool {
        var record = record
        guard record.state == .trial, Int32(record.slot.rawValue) == clinux_launched_slot() else {
            return false
        }
        record.confirm()
        return store(record)
    }

    mutating func begin() -> Bool {
        close()
        part = clinux_open_update_part()
        return part >= 0
    }

    mutating func append(_ piece: Span<UInt8>) -> Bool {
        guard part >= 0 else { return false }
        let part = part
        let isWritten = piece.withUnsafeBytes { clinux_write(part, $0.baseAddress, $0.count) } == piece.count
        if !isWritten { close() }
        return isWritten
    }

    /// Makes the file that has arrived the next one to start.
    mutating func finish(version: Bytes<3>, operatorKey: Bytes<65>) -> Bool {
        guard part >= 0 else { return false }
        defer { close() }
        var record = record
        let slot = record.freeSlot
        guard clinux_keep_update_part(part, Int32(slot.rawValue)) >= 0 else { return false }
        record.begin(slot, version: version, signedBy: operatorKey)
        return store(record)
    }

    /// Removes what has arrived, so that it takes no room from the log's neighbours.
    private mutating func close() {
        guard part >= 0 else { return }
        _ = clinux_close(part)
        clinux_remove_update_part()
        part = -1
    }
}
