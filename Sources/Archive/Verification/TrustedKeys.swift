/// The keys of a board whose signatures count in a verification.
public enum TrustedKeys: Sendable {
    /// The keys that the archive's own operator has trusted.
    case ofArchive
    /// Keys that the analyst knows from elsewhere, for a file that somebody else has made. `isNamed`: the
    /// analyst has named the key, and accepts a log without a manifest.
    case given([StoredBoardKey], isNamed: Bool)

    var needsManifest: Bool {
        switch self {
        case .ofArchive, .given(_, isNamed: true): false
        case .given(_, isNamed: false): true
        }
    }

    /// In a file that has no manifest, the finding about that says enough about its end.
    var acceptsUnsignedEnd: Bool {
        if case .given = self { true } else { false }
    }

    /// All keys of the board, in order; those of the file itself that nobody else knows are not vouched for.
    func history(_ own: [StoredBoardKey]) -> [StoredBoardKey] {
        guard case .given(let known, _) = self else { return own }
        let others = own.filter { key in
            !known.contains { $0.keyring.publicKey == key.keyring.publicKey }
        }
        return known
            + others.map { StoredBoardKey($0.keyring, isVouched: false, shownAt: $0.shownAt) }
    }
}
