import Cryptography
import EncounterLog
import FixedMemory
import GRDB
import LogContents

extension Archive {
    /// Verifies the stored log of a board without changing it.
    ///
    /// - Parameters:
    ///   - keys: decrypt pages, so that their seals can be verified; the chain and the signatures need none.
    ///   - trusting: the keys whose signatures count. An archive cannot vouch for itself, so for a file of
    ///     somebody else they come from another place.
    public func verify(
        _ board: LogIdentity, keys: OwnerKeys = .none, trusting: TrustedKeys = .ofArchive
    ) throws(ArchiveError) -> LogVerification {
        let named = try namedIdentity(of: board)
        let manifests = try manifests(of: board)
        let boardKeys = try reading { database in
            trusting.history(try judgedKeys(of: board, in: database))
        }
        let vouched = boardKeys.filter(\.isVouched)
        // Without a key that counts, no manifest can be judged.
        let stated = manifests.map { ManifestHead($0, board: named) }
        let heads =
            vouched.isEmpty ? [] : stated.map { $0?.checked(by: vouched) ?? SignedHead.unreadable }
        var log = LogVerifier(
            board: named, boardKeys: vouched.compactMap { P256PublicKey(bytes: $0.keyring.publicKey) },
            otherKeys: boardKeys.filter { !$0.isVouched }.compactMap {
                P256PublicKey(bytes: $0.keyring.publicKey)
            },
            forgotten: try forgottenPart(of: board))
        let current = try currentBranch(of: board)
        let branches = try branches(of: board)
        let others = ([LogBranch.main] + branches.map(\.number)).filter { $0 != current }
        var forks: [LogFork] = []
        // A manifest about another branch contradicts this one.
        var headsElsewhere: [LogHead] = []
        for other in others {
            var line = log
            try add(other, of: board, to: &line, keys: .none)
            let own = heads.filter { $0.isSigned && line.contains($0.head) }
            headsElsewhere += own.map(\.head)
            line.manifests = own
            if let fork = LogFork(
                LogLine(other, branches), besides: LogLine(current, branches),
                segments: try segments(of: board, branch: other).map(\.ordinal),
                signedThrough: line.verification().signedThrough)
            {
                forks.append(fork)
            }
        }
        try add(current, of: board, to: &log, keys: keys)
        log.manifests =
            headsElsewhere.isEmpty
            ? heads : heads.filter { log.contains($0.head) || !headsElsewhere.contains($0.head) }
        log.forks = forks
        let ends = log.headsByPosition()
        let newest = zip(stated, heads).compactMap { stated, head in
            head.isSigned && ends[Place(head.head.position)] == head.head ? stated : nil
        }.max { $0.head.position < $1.head.position }
        // In a file of somebody else these rows are that person's word, and lists do not use them.
        if case .ofArchive = trusting {
            log.unproven = try reading { database in
                try unprovenRowCounts(ofBoard: try boardID(board, in: database), in: database)
            }
        }
        log.unproven.foreignObjects = try reading { database in
            try ForeignObjects(database, isEarlierFormat: isEarlierFormat).names
        }
        log.acceptsUnsignedEnd = trusting.acceptsUnsignedEnd && manifests.isEmpty
        log.needsManifest = trusting.needsManifest
        var verification = log.verification()
        verification.completeThrough = newest?.moment
        // In a file of somebody else the time of the last fetch is that person's word, too.
        if case .ofArchive = trusting {
            let statements = zip(stated, manifests).compactMap { stated, manifest in
                stated.map { (end: $0.head.position, receivedAt: manifest.receivedAt) }
            }
            verification.noteUnfinishedFetch(of: statements, lastSync: try lastSync(of: board))
        }
        return verification
    }

    /// When a fetch last came to its end; nil if none has.
    private func lastSync(of board: LogIdentity) throws(ArchiveError) -> WallClockTime? {
        try reading { database in
            try WallClockTime?.fetchOne(
                database, sql: "SELECT lastSyncWallClockMilliseconds FROM board WHERE logIdentity = ?",
                arguments: [board.blob]) ?? nil
        }
    }

    private func add(
        _ branch: Int, of board: LogIdentity, to verifier: inout LogVerifier, keys: OwnerKeys
    ) throws(ArchiveError) {
        let openers = keys.atWork()
        let segments = try segments(of: board, branch: branch)
        for segment in segments {
            verifier.add(
                try contents(ofSegment: segment.ordinal, of: board, branch: branch, keys: openers),
                isLast: segment.ordinal == segments.last?.ordinal)
        }
    }
}
