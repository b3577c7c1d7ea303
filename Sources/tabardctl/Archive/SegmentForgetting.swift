import Archive
import CommandLineText
import FixedMemory
import Reports

/// Runs `tabardctl forget --older-than`: removes whole segments.
struct SegmentForgetting {
    let archive: Archive
    /// Shows pages that no signature covers, too.
    let planner: Archive
    let consent: ForgettingConsent

    func run(
        _ boards: [ArchivedBoard], before cutoff: WallClockTime, now: WallClockTime
    ) throws(Failure) {
        var plans: [ForgettingPlan] = []
        for board in boards {
            if let plan = try plan(board, cutoff) { plans.append(plan) }
        }
        guard !plans.isEmpty else { return }
        guard try consent.isGiven() else { return }
        try forgettingLabels(of: archive) { () throws(ArchiveError) in
            for plan in plans { try archive.forget(plan, keys: consent.keys, now: now) }
        }
        Console.print("forgotten")
    }

    /// Prints the segments of a board that will be removed, and returns the plan; nil if there are none.
    private func plan(_ board: ArchivedBoard, _ cutoff: WallClockTime) throws(Failure) -> ForgettingPlan? {
        let plan = try archiving { () throws(ArchiveError) in
            try planner.forgettingPlan(of: board.identity, before: cutoff)
        }
        guard let plan else {
            Console.print("\(board.label): no older segments")
            return nil
        }
        try consent.requireKeys(plan.openedWith, of: board)
        let contents = try archiving { () throws(ArchiveError) in
            try planner.contents(of: board.identity)
        }
        let entries = Count.text(plan.entryCount, "entry", "entries")
        Console.print(
            "\(board.label): \(plan.segmentCount) of \(Count.text(contents.segmentCount, "segment")) with \(entries), "
                + "up to \(TimeText().dateAndTime(plan.latestTime))")
        return plan
    }
}
