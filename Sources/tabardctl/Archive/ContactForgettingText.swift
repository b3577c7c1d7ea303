import Archive
import CommandLineText

/// The contacts of a board that will be removed, as lines of text.
struct ContactForgettingText {
    private let plan: RedactionPlan
    private let label: String
    private let retention: ContactRetention?

    /// - Parameter retention: nil if the removal does not depend on age.
    init(_ plan: RedactionPlan, label: String, retention: ContactRetention?) {
        self.plan = plan
        self.label = label
        self.retention = retention
    }

    func print() {
        for part in plan.parts { Console.print("\(label): \(text(part))") }
        if retention != nil {
            let going = plan.parts.map(\.kind)
            let others = ContactRetention.usual.map(\.kind).filter { !going.contains($0) }.map(\.label)
            if !others.isEmpty {
                Console.print("\(label): no older contacts of \(others.joined(separator: ", "))")
            }
        } else if plan.isEmpty {
            Console.print("\(label): no contact with that identity")
        }
        if !plan.isEmpty {
            Console.print(
                "\(label): also \(Count.text(plan.sampleCount, "sample")) and "
                    + "\(Count.text(plan.counts.messageCount, "message")); "
                    + "\(Count.text(plan.counts.pageCount, "page")) will lose \(Count.text(plan.counts.entryCount, "entry", "entries"))"
            )
        }
        if plan.undatedCount > 0 {
            Console.report(
                "\(label): \(Count.text(plan.undatedCount, "encounter")) of boots without a clock have no "
                    + "date and stay"
            )
        }
        if plan.counts.unreadPageCount > 0 {
            Console.report(
                "\(label): \(Count.text(plan.counts.unreadPageCount, "page")) locked or unreadable stay "
                    + "as they are; "
                    + "give the owner key with --opening to read them")
        }
    }

    private func text(_ part: RedactionPlan.Part) -> String {
        let days = retention.map { ", older than \($0[part.kind]) days" } ?? ""
        return "\(part.kind.label)\(days): \(Count.text(part.encounterCount, "encounter")) with "
            + Count.text(part.identityCount, "identity", "identities")
    }
}
