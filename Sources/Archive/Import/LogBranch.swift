import FixedMemory

/// A version of a board's log from some segment on. Branch 0 is the log as it was first fetched.
///
/// Stored bytes are never replaced. If a board serves other bytes of a segment than the stored ones, a new
/// branch begins there, and both versions stay. That happens if two boards have copies of one card, if a card
/// was put back to an earlier image, or if somebody forged a part of the log.
public struct LogBranch: Sendable, Equatable {
    public let number: Int
    /// The branch with the segments before ``firstOrdinal``.
    public let parent: Int
    /// The first segment of which this branch has its own version.
    public let firstOrdinal: UInt32
    /// When the difference was found, by this computer's clock.
    public let foundAt: WallClockTime

    public static let main = 0
    /// A board whose log branches more often than this is not fetched any more.
    public static let greatestNumber = 63
}

/// The segments that make up one branch: its own, and those of its ancestors before it began.
struct LogLine: Sendable, Equatable {
    struct Part: Sendable, Equatable {
        let branch: Int
        let ordinals: Range<UInt64>
    }

    /// Newest first. Together the parts have every ordinal once.
    let parts: [Part]

    init(_ branch: Int, _ branches: [LogBranch]) {
        var parts: [Part] = []
        var number = branch
        var end = UInt64(UInt32.max) + 1
        while number != LogBranch.main, let branch = branches.first(where: { $0.number == number }) {
            let first = min(UInt64(branch.firstOrdinal), end)
            parts.append(Part(branch: number, ordinals: first..<end))
            end = first
            // A parent has a lower number than its branch, so the loop ends.
            guard branch.parent < number else { break }
            number = branch.parent
        }
        parts.append(Part(branch: LogBranch.main, ordinals: 0..<end))
        self.parts = parts
    }

    /// The branch that has this line's version of a segment.
    func branch(of ordinal: UInt32) -> Int {
        parts.first { $0.ordinals.contains(UInt64(ordinal)) }?.branch ?? LogBranch.main
    }

    /// SQL for whether a row of `segment` belongs to this line.
    var condition: String {
        let alternatives = parts.map { part in
            """
            (segment.branch = \(part.branch) AND segment.ordinal >= \(part.ordinals.lowerBound)
                AND segment.ordinal < \(part.ordinals.upperBound))
            """
        }
        return "(" + alternatives.joined(separator: " OR ") + ")"
    }
}
