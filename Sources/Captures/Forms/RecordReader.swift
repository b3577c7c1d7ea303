/// Reads the records of a capture of one form.
protocol RecordReader {
    /// The datalink of the btsnoop file that can hold all records of this form.
    var datalink: BtsnoopWriter.Datalink { get }

    /// Parses the next record.
    ///
    /// - Returns: nil if the record has not arrived as a whole.
    mutating func next(_ window: inout ByteWindow) throws(CaptureError) -> RecordOutcome?

    /// The link type of packets that were skipped because they are not HCI packets.
    var foreignLinkType: UInt32? { get }
}

extension RecordReader {
    var foreignLinkType: UInt32? { nil }
}

/// The result of parsing a record.
enum RecordOutcome: Equatable {
    case packet(CapturedPacket)
    /// A record without an HCI packet, such as a note.
    case skipped
    /// A part of the file that is not a record, such as its header.
    case structure
}
