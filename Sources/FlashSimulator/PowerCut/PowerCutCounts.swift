/// What was cut, and what came of it.
public struct PowerCutCounts: Equatable, Sendable, Codable {
    /// Operations of the workload.
    public var programs = 0
    public var erasures = 0
    public var syncs = 0
    /// Those of them that were cut, and those of a recovery.
    public var cuts = 0
    public var cutsAgain = 0
    /// Acknowledged entries that could not be read, and were not overwritten.
    public var lost = 0
    /// Entries that nobody appended, or not there; breaks of the chain; units programmed twice.
    public var wrong = 0
    /// Logs that could not be mounted, or took no more entries.
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

    /// Of the same workload, cut elsewhere.
    public mutating func addCuts(of other: Self) {
        cuts += other.cuts
        cutsAgain += other.cutsAgain
        lost += other.lost
        wrong += other.wrong
        stuck += other.stuck
    }

    mutating func note(_ request: SimulatedMedium.Request) {
        switch request {
        case .program: programs += 1
        case .erase: erasures += 1
        case .sync: syncs += 1
        }
    }
}
