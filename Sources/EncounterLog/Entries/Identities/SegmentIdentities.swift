#if !hasFeature(Embedded)
    /// For readers of a log, which the board is not: the identities that stand in a segment, to be put where entries refer
    /// to them.
    public struct SegmentIdentities: Sendable {
        /// Nil where two have the same hash.
        private var known: [IdentityHash: EncounterIdentifiedEntry?] = [:]

        public init() {}

        /// Takes note of the identity in an entry, if there is one.
        public mutating func note(_ entry: LogEntry) {
            guard case .encounterIdentified(let identified) = entry, identified.marks == .none else { return }
            let hash = IdentityHash(scheme: identified.scheme, identity: identified.identity)
            let isOne = known[hash].map { other in
                other?.scheme == identified.scheme && other?.identity == identified.identity
            }
            known.updateValue(isOne ?? true ? identified : nil, forKey: hash)
        }

        /// What an entry says, if all entries were noted before: of a reference the identification that it stands for. One of
        /// which the page is lost stays what it is: then nobody knows who it was.
        public func resolved(_ entry: LogEntry) -> LogEntry {
            guard case .identityReference(let reference) = entry,
                var identified = known[reference.hash] ?? nil, identified.scheme == reference.scheme
            else { return entry }
            identified.encounter = reference.encounter
            identified.monotonicMilliseconds = reference.monotonicMilliseconds
            return .encounterIdentified(identified)
        }

        /// The entries of the segment's next page, so resolved.
        public mutating func read(_ entries: [LogEntry]) -> [LogEntry] {
            for entry in entries { note(entry) }
            return entries.map(resolved)
        }
    }
#endif
