import FixedMemory
import HCI
import Peers

extension RadioHealth {
    /// The radio's counts and state at this second.
    package struct Observation: BitwiseCopyable {
        var statistics: ScanStatistics
        var isScanning: Bool
        var proof: ScanProof
        /// Peers with a link to the board send no adverts.
        var hasLinks: Bool
        /// Whether the controller scans and advertises as it should.
        var hasRoles: Bool
        var refusal: RoleRefusal?
        /// The number of starts of the scan. A phone that connects every few seconds causes one each time.
        /// Nil if time-multiplexing starts it all the time.
        var scanStarts: UInt32?
        /// Whether the scan listens less than it could.
        var isSparse: Bool
        /// How often a peer was heard under a new address. A duplicate filter passes each new address once.
        var moves: UInt32
        var skippedByteCount: UInt64
        var malformedEvents: UInt32

        package init(
            statistics: ScanStatistics, isScanning: Bool, proof: ScanProof, hasLinks: Bool, hasRoles: Bool,
            refusal: RoleRefusal?, scanStarts: UInt32?, isSparse: Bool = false,
            moves: UInt32, skippedByteCount: UInt64,
            malformedEvents: UInt32
        ) {
            self.statistics = statistics
            self.isScanning = isScanning
            self.proof = proof
            self.hasLinks = hasLinks
            self.hasRoles = hasRoles
            self.refusal = refusal
            self.scanStarts = scanStarts
            self.isSparse = isSparse
            self.moves = moves
            self.skippedByteCount = skippedByteCount
            self.malformedEvents = malformedEvents
        }
    }
}
