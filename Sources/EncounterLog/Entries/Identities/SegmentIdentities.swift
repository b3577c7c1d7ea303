#if !hasFeature(Embedded)
    /// The identities in a segment, by which a reader of the log (never the board) resolves references.
    public struct SegmentIdentities: Sendable {
        /// Nil where two identities have the same hash.
        private var known: [IdentityHash: EncounterIdentifiedEntry?] = [:]

        public init() {}

        /// Records the identity in an entry, if there is one.
        public mutating func record(_ entry: LogEntry) {
            guard case .encounterIdentified(let identified) = entry, identified.marks == .none else { return }
            let hash = IdentityHash(scheme: identified.scheme, identity: identified.identity)
            let isOne = known[hash].map { other in
                other?.scheme == identified.scheme && other?.identity == identified.identity
            }
            known.updateValue(isOne ?? true ? identified : nil, forKey: hash)
        }

        /// Replaces a reference by the identification that it stands for, if that was recorded before. If the
        /// page with the identity is lost, the reference stays, and the peer remains unknown.
        public func resolved(_ entry: LogEntry) -> LogEntry {
            guard case .identityReference(let reference) = entry,
                var identified = known[reference.hash] ?? nil, identified.scheme == reference.scheme
            else { return entry }
            identified.encounter = reference.encounter
            identified.instant = reference.instant
            return .encounterIdentified(identified)
        }

        /// Records the entries of the segment's next page and returns them resolved.
        public mutating func read(_ entries: [LogEntry]) -> [LogEntry] {
            for entry in entries { record(entry) }
            return entries.map(resolved)
        }
    }
#endif
