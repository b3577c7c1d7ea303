import LogContents

/// The labels of boards and identities.
public struct Labels: Sendable, Equatable {
    private var labels: [LabelSubject: Label]

    public init(_ labels: [LabelSubject: Label] = [:]) { self.labels = labels }

    public var isEmpty: Bool { labels.isEmpty }

    /// An empty label for one that nobody has labelled.
    public subscript(subject: LabelSubject) -> Label {
        get { labels[subject] ?? Label() }
        set { labels[subject] = newValue.isEmpty ? nil : newValue }
    }

    public subscript(board: LogIdentity) -> Label { self[.board(board)] }

    public subscript(identity: Identity) -> Label { self[.identity(identity)] }

    /// The labelled identities, in order of their names.
    public var identities: [Identity] {
        labels.compactMap { subject, label -> (String, Identity)? in
            guard case .identity(let identity) = subject else { return nil }
            return (label.name ?? "", identity)
        }
        .sorted { ($0.0, $0.1.hexadecimal) < ($1.0, $1.1.hexadecimal) }.map(\.1)
    }

    /// The identities with this name, in letters of any case: one person may have several.
    public func identities(named name: String) -> Set<Identity> {
        let name = name.lowercased()
        return Set(identities.filter { self[$0].name?.lowercased() == name })
    }

    /// Adds what `other` says, in place of what these labels say of the same subject.
    public mutating func merge(_ other: Labels) {
        for (subject, label) in other.labels { self[subject] = self[subject].merged(with: label) }
    }

    /// Calls `body` with each label.
    func forEach(_ body: (LabelSubject, Label) throws -> Void) rethrows {
        for (subject, label) in labels { try body(subject, label) }
    }
}
