/// The operations that were cut, and the outcomes.
public struct PowerCutCounts: Equatable, Sendable, Codable {
    /// The operations of the workload.
    public var programs = 0
    public var erasures = 0
    public var syncs = 0
    /// The number of the workload's operations that were cut.
    public var cuts = 0
    /// The number of a recovery's operations that were cut.
    public var cutsAgain = 0
    /// Acknowledged entries that could not be read, and were not overwritten.
    public var lost = 0
    /// Entries that were never appended or are misplaced; breaks of the hash chain; units programmed twice.
    public var wrong = 0
    /// Logs that could not be mounted, or accepted no more entries.
    public var stuck = 0

    public init() {}

    public var operations: Int { programs + erasures + syncs }
    public var hasFailed: Bool { lost + wrong + stuck > 0 }

    public static func += (left: inout Self, right: Self) {
        left.programs += right.programs
        left.erasures += right.erasures
        left.syncs += right.syncs
        left.addCuts(of: right)
    }

    /// Adds the cuts of the same workload at other operations.
    public mutating func addCuts(of other: Self) {
        cuts += other.cuts
        cutsAgain += other.cutsAgain
        lost += other.lost
        wrong += other.wrong
        stuck += other.stuck
    }

    mutating func record(_ request: SimulatedMedium.Request) {
        switch request {
        case .program: programs += 1
        case .erase: erasures += 1
        case .sync: syncs += 1
        }
    }
}
