/// The reason why a capture could not be read, or not to its end.
public enum CaptureError: Error, Equatable, Sendable {
    case notCapture(ForeignFile)
    /// pcap with longer record headers, as patched kernels of the nineties wrote it.
    case modifiedPcap
    case btsnoopVersion(UInt32)
    case btsnoopDatalink(UInt32)
    /// The capture has packets of this link type only.
    case linkType(UInt32)
    /// A record contradicts itself. The rest cannot be parsed, because nothing shows where the next record
    /// begins.
    case damaged(Damage, offset: UInt64)
    /// The compressed data is damaged behind this many unpacked bytes.
    case packedDataDamaged(offset: UInt64)
    /// The unpacked capture is longer than ``Unpacker/maximumByteCount``.
    case tooLong

    public enum Damage: Equatable, Sendable {
        /// The record claims more bytes than any packet has, or than the packet in it.
        case longRecord(UInt32)
        /// The record is shorter than its own header, or its length is not a multiple of four in pcapng.
        case impossibleLength(UInt32)
        /// A packet names an interface that the file does not describe.
        case unknownInterface(UInt32)
        /// The lengths at both ends of a block differ.
        case unequalLengths(UInt32, UInt32)
        /// The byte order of a section is neither of the two that exist.
        case byteOrder(UInt32)
    }
}
