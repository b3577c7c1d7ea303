import EncounterLog

/// Judges each page of a log by the chain and by the board's signatures.
///
/// A signed chain value covers the pages before it, back to the first break of the chain. Behind a break, a
/// seal still proves a page: only the board and the holder of the owner key can encrypt for a signed epoch.
struct PageStandings {
    /// The standing of each record; nil where no page can be read.
    private(set) var standings: [PageStanding?] = []
    /// Whether a signed chain value covers the record.
    let isCovered: [Bool]
    /// Records in clear, or without a link, that follow a sealed epoch without a change of the board's key.
    private(set) var clearBehindSeal: [Int] = []

    private let records: [PageRecord]
    private let walk: ChainWalk
    private let signatures: SignatureCheck
    /// For each record the newest of the board's keys that covers it.
    private let covers: [Int?]
    /// The newest signed end of the log that is in the chain.
    let signedThrough: LogPosition?

    init(_ records: [PageRecord], _ walk: ChainWalk, _ signatures: SignatureCheck) {
        self.records = records
        self.walk = walk
        self.signatures = signatures
        let found = Self.covers(records, walk, signatures)
        covers = found.covers
        signedThrough = found.signedThrough
        isCovered = covers.map { $0 != nil }
        // The key that signed the latest sealed epoch so far.
        var sealedBy: Int?
        for index in records.indices {
            let signer = records[index].sealID.flatMap { signatures.signers[$0] }
            standings.append(standing(index, signer, sealedBy: sealedBy))
            if records[index].isSealed, let signer { sealedBy = signer }
        }
    }

    private mutating func standing(_ index: Int, _ signer: Int?, sealedBy: Int?) -> PageStanding? {
        let record = records[index]
        if record.fault != nil { return nil }
        let role = walk.roles[index]
        if record.isForeign || record.damage == .forgedPage || role == .outOfPlace { return .forged }
        if !record.isRestProven { return .unsigned }
        if record.isSealed { return sealedStanding(index, signer) }
        if let sealedBy {
            if role == .chained, let cover = covers[index], cover > sealedBy { return .vouched }
            // A board that lost its keys file writes in clear again, and has another key.
            guard sealedBy < signatures.keyCount - 1 else {
                clearBehindSeal.append(index)
                return .forged
            }
            return .unsigned
        }
        return role == .chained && covers[index] != nil ? .vouched : .unsigned
    }

    private func sealedStanding(_ index: Int, _ signer: Int?) -> PageStanding {
        let record = records[index]
        let isChained = walk.roles[index] == .chained && covers[index] != nil
        guard signer != nil else {
            // Without the header nothing in the page can be read.
            if record.sealID == nil { return isChained ? .vouched : .unsigned }
            if signatures.keyCount > 0 { return .forged }
            return record.isLocked ? .locked : .unsigned
        }
        if record.redaction != nil { return isChained ? .vouched : .unsigned }
        if record.isLocked { return .locked }
        if isChained { return .vouched }
        let isBeforeSignature = signedThrough.map { record.position < $0 } ?? false
        return isBeforeSignature ? .vouched : .beyondSignature
    }

    private static func covers(
        _ records: [PageRecord], _ walk: ChainWalk, _ signatures: SignatureCheck
    ) -> (covers: [Int?], signedThrough: LogPosition?) {
        var signers: [ChainValue: [(position: LogPosition, signer: Int)]] = [:]
        for signed in signatures.heads {
            signers[ChainValue(signed.head.chainValue), default: []]
                .append((signed.head.position, signed.signer))
        }
        let starts = Set(walk.breaks.map(\.after))
        var covers: [Int?] = Array(repeating: nil, count: records.count)
        var signedThrough: LogPosition?
        var cover: Int?
        for index in records.indices.reversed() where walk.roles[index] == .chained {
            // The chain value after such a page is not the page's own, so nothing proves what came before.
            guard records[index].isRestProven else {
                cover = nil
                continue
            }
            if let head = records[index].head {
                for signed in signers[ChainValue(head.chainValue)] ?? []
                where signed.position == head.position {
                    cover = max(cover ?? signed.signer, signed.signer)
                    signedThrough = max(signedThrough ?? head.position, head.position)
                }
            }
            covers[index] = cover
            if starts.contains(index) { cover = nil }
        }
        return (covers, signedThrough)
    }
}
