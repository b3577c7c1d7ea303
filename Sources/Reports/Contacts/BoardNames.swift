import Archive
import LogContents

/// The names of the archive's boards.
public struct BoardNames: Sendable {
    private let labels: [LogIdentity: String]

    public init(_ boards: [BoardSummary]) {
        labels = Dictionary(
            boards.map { ($0.identity, $0.label) }, uniquingKeysWith: { first, _ in first })
    }

    /// The board's name, or the first 8 digits of its log identity.
    public subscript(board: LogIdentity) -> String { labels[board] ?? board.short }
}
