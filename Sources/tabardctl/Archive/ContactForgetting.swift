import Archive
import CommandLineText
import FixedMemory

/// Runs `tabardctl forget --expired` and `--identity`: removes contacts, and keeps other entries of their
/// pages.
struct ContactForgetting {
    let archive: Archive
    /// Shows pages that no signature covers, too.
    let planner: Archive
    let consent: ForgettingConsent
    let retention: ContactRetention
    /// The person whose contacts are removed; nil to remove contacts whose retention time is over.
    let person: Identity?

    func run(_ boards: [ArchivedBoard], now: WallClockTime) throws(Failure) {
        var plans: [RedactionPlan] = []
        for board in boards {
            let plan = try plan(board, now)
            ContactForgettingText(plan, label: board.label, retention: person == nil ? retention : nil)
                .print()
            guard !plan.isEmpty || plan.parts.isEmpty else {
                throw Failure(
                    .noInput,
                    "\(board.label): these contacts are in locked pages; give the owner key with --opening"
                )
            }
            if !plan.isEmpty { plans.append(plan) }
        }
        let hasLabel = try hasLabel()
        if hasLabel { Console.print("the label of the identity will go, too") }
        guard !plans.isEmpty || hasLabel else {
            guard person == nil else {
                throw Failure(.noInput, "no encounter in the readable pages has this identity")
            }
            return
        }
        guard try consent.isGiven() else { return }
        try forgettingLabels(of: archive, also: person) { () throws(ArchiveError) in
            for plan in plans { try archive.redact(plan, keys: consent.keys) }
        }
        Console.print("forgotten")
    }

    /// Whether the operator said something of the person.
    private func hasLabel() throws(Failure) -> Bool {
        guard let person else { return false }
        return try archiving { () throws(ArchiveError) in try !archive.labels()[person].isEmpty }
    }

    private func plan(_ board: ArchivedBoard, _ now: WallClockTime) throws(Failure) -> RedactionPlan {
        let opened = try archiving { () throws(ArchiveError) in
            try archive.keysOfOpenedPages(of: board.identity)
        }
        try consent.requireKeys(opened, of: board)
        return try archiving { () throws(ArchiveError) in
            guard let person else {
                return try planner.redactionPlan(
                    of: board.identity, keeping: retention, keys: consent.keys, now: now)
            }
            return try planner.redactionPlan(
                of: board.identity, forgetting: person, keys: consent.keys, now: now)
        }
    }
}
