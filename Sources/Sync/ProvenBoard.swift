import Archive
import BoardLink
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import LogContents

/// A board that has proved which key it has, or a board without keys.
public struct ProvenBoard {
    /// The log identity in the board's index and pages.
    public let claimed: LogIdentity
    /// The board's signed statement about its log; nil for a board without keys.
    public let proof: BoardProof.Statement?
    public let isTrusted: Bool
    /// The boot of the agent; nil if the board does not report it.
    let bootIdentifier: UInt64?

    /// The identity under which the archive keeps the board's log.
    public var identity: LogIdentity {
        isTrusted ? claimed : Archive.identity(ofUntrusted: claimed, publicKey: proof?.keys.board.x963)
    }

    var statement: LogStatement? { proof?.content }

    /// True if the board accepts only signed commands.
    var wantsSignatures: Bool { proof?.keys.operatorFingerprint != nil }

    /// Stores what the board proved.
    public func register(
        _ index: BoardIndex, name: String? = nil, in archive: Archive, at now: WallClockTime
    ) throws(ArchiveError) {
        var registration = BoardRegistration(
            claimed: claimed, isTrusted: isTrusted,
            geometry: PageGeometry(blockByteCount: index.blockByteCount, unitByteCount: index.unitByteCount))
        registration.name = name
        if let proof {
            registration.key = StoredBoardKey(BoardKeyring(proof.keys), isVouched: true, shownAt: now)
            registration.manifest = StoredManifest(
                statement: [UInt8](copying: proof.signed.bytes.span), signature: proof.signed.signature,
                boardKey: proof.keys.board.x963, receivedAt: now)
        }
        try archive.register(registration)
    }
}

extension LogStatement {
    /// True if the fetched segment contains the last page that the board's statement names.
    func matches(_ segment: SegmentContents) -> Bool {
        segment.pages.contains { $0.head == logHead }
    }

    /// The signed end of the log.
    var logHead: LogHead {
        LogHead(
            position: LogPosition(segmentOrdinal: head.segmentOrdinal, byteOffset: head.byteOffset),
            chainValue: chainValue)
    }

    /// The part of an index of the same boot that this statement covers; nil if the index contradicts it.
    /// Later pages follow with the next fetch.
    func covered(_ index: BoardIndex) -> [SyncIndexSegment]? {
        var segments: [SyncIndexSegment] = []
        for var segment in index.segments where segment.ordinal <= head.segmentOrdinal {
            guard segment.byteCount <= Self.largestSegmentByteCount else { return nil }
            // The ring never gets older segments back.
            guard segment.ordinal >= oldestSegmentOrdinal else { return nil }
            if segment.ordinal == head.segmentOrdinal {
                guard segment.byteCount >= head.byteOffset else { return nil }
                // The last page takes whole units.
                let unit = UInt32(clamping: index.unitByteCount)
                let pages = head.byteOffset / unit + (head.byteOffset % unit > 0 ? 1 : 0)
                let end = pages.multipliedReportingOverflow(by: unit)
                if !end.overflow { segment.byteCount = min(segment.byteCount, end.partialValue) }
                // More may follow the signed end, whatever the index says.
                segment.isOpen = true
            }
            segments.append(segment)
        }
        return segments
    }

    /// No geometry has larger segments in a log that a board can keep.
    private static var largestSegmentByteCount: UInt32 { 64 << 20 }
}
