import Archive
import LogContents

/// The names of the archive's boards. Boards of equal names have the first digits of their log identities
/// too.
public struct BoardNames: Sendable {
    private let labels: [LogIdentity: String]

    public init(_ boards: [ArchivedBoard]) {
        let counts = boards.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }
        labels = Dictionary(
            boards.map { board in
                let isUnique = counts[board.label] == 1
                return (board.identity, isUnique ? board.label : "\(board.label) (\(board.identity.short))")
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The board's name, or the first 8 digits of its log identity.
    public subscript(board: LogIdentity) -> String { labels[board] ?? board.short }
}
