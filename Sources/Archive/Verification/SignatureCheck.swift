import Cryptography
import EncounterLog
import FixedMemory
import LogContents

/// Verifies the board's signatures over chain values. A segment header has the value from when the header was
/// prepared, a manifest the value from when the manifest was requested.
struct SignatureCheck {
    /// A chain value that the board has signed. `signer`: the index of its key.
    struct SignedValue {
        let head: LogHead
        let signer: Int
    }

    private let records: [PageRecord]
    private(set) var heads: [SignedValue] = []
    /// The keys that signed the epochs of the log. An epoch that none of the keys has signed is absent.
    private(set) var signers: [SealID: Int] = [:]
    let keyCount: Int
    private var forged = FindingList()
    private var changes: [LogFinding] = []
    private(set) var validCount = 0

    /// - Parameter boardKeys: in the order in which the board used them. After the first signature by a key,
    ///   earlier keys no longer count.
    init(_ records: [PageRecord], board: LogIdentity, boardKeys: [P256PublicKey]) {
        self.records = records
        keyCount = boardKeys.count
        changes = boardKeys.dropFirst().map { LogFinding(.keyChanged($0.fingerprint)) }
        guard !boardKeys.isEmpty, let identity = Bytes<16>(board.bytes.span) else { return }
        var inForce = 0
        // Two pages contain each segment header; verify it once.
        var last: (seal: EpochSeal, isValid: Bool)?
        for record in records where !record.isForeign {
            guard let segmentHeader = record.segmentHeader, let seal = segmentHeader.seal else { continue }
            var isValid = last?.seal == seal ? last?.isValid ?? false : nil
            if isValid == nil {
                let signer = (inForce..<boardKeys.count).first {
                    Self.verify(seal, boardKeys[$0], identity, segmentHeader.bootIdentifier)
                }
                isValid = signer != nil
                if let signer {
                    if signer > inForce { changes[signer - 1].position = record.position }
                    inForce = signer
                    validCount += 1
                    if let identifier = record.sealID { signers[identifier] = signer }
                    heads.append(
                        SignedValue(
                            head: LogHead(position: seal.signedThrough, chainValue: seal.chainValue),
                            signer: signer))
                }
            }
            last = (seal, isValid == true)
            if isValid == false { forged.add(.forgedHeaders, record) }
        }
    }

    mutating func add(_ manifests: [SignedHead]) {
        for manifest in manifests {
            if manifest.isSigned {
                validCount += 1
                heads.append(SignedValue(head: manifest.head, signer: manifest.signer))
            } else {
                forged.add(LogFinding(.forgedManifest, at: manifest.head.position))
            }
        }
    }

    /// The chain values that the board has signed.
    var values: Set<ChainValue> { Set(heads.map { ChainValue($0.head.chainValue) }) }

    /// Compares the signed chain values with the stored pages.
    func findings(_ walk: ChainWalk) -> (signedThrough: LogPosition?, findings: [LogFinding]) {
        var places: [Place: Int] = [:]
        for index in records.indices {
            if let head = records[index].head { places[Place(head.position)] = index }
        }
        let first = records.first?.position
        let end = records.last.map { record in
            LogPosition(
                segmentOrdinal: record.position.segmentOrdinal,
                byteOffset: record.position.byteOffset + UInt32(clamping: record.byteCount))
        }
        let segments = Set(records.map(\.position.segmentOrdinal))
        var signedThrough: LogPosition?
        var findings = changes + forged.findings
        for head in heads.map(\.head) where head.position != .start {
            if let index = places[Place(head.position)],
                records[index].head?.chainValue == head.chainValue
            {
                signedThrough = max(signedThrough ?? .start, head.position)
                continue
            }
            // Nothing can be concluded if the position is before the stored log, or in a segment that is not
            // stored.
            guard let first, let end, head.position > first else { continue }
            if head.position > end {
                findings.append(LogFinding(.endMissing(head.position), at: end))
            } else if segments.contains(head.position.segmentOrdinal), !isDamaged(head.position) {
                let finding = LogFinding(.notAsSigned(head.position), at: head.position)
                if findings.last?.kind != finding.kind { findings.append(finding) }
            }
        }
        return (signedThrough, findings)
    }

    /// True if the signed page ends in an unreadable place, so that it cannot be compared.
    private func isDamaged(_ position: LogPosition) -> Bool {
        records.contains { record in
            guard record.fault != nil, record.position.segmentOrdinal == position.segmentOrdinal else {
                return false
            }
            let start = record.position.byteOffset
            return start < position.byteOffset
                && position.byteOffset <= start + UInt32(clamping: record.byteCount)
        }
    }

    private static func verify(
        _ seal: EpochSeal, _ key: P256PublicKey, _ identity: Bytes<16>, _ boot: UInt64
    ) -> Bool {
        do throws(CryptographyError) {
            try seal.verify(by: key, logIdentity: identity, bootIdentifier: boot)
            return true
        } catch {
            return false
        }
    }
}
