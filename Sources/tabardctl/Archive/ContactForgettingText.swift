import Archive

/// What is to go of a board's contacts, in lines.
struct ContactForgettingText {
    private let plan: RedactionPlan
    private let label: String
    private let retention: ContactRetention?

    /// - Parameter retention: nil where it is not about age.
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
                Console.print("\(label): nothing is known to be older of \(others.joined(separator: ", "))")
            }
        } else if plan.isEmpty {
            Console.print("\(label): nothing of that identity")
        }
        if !plan.isEmpty {
            Console.print(
                "\(label): with that \(Self.count(plan.sampleCount, "sample")) and \(Self.count(plan.counts.messageCount, "message")); "
                    + "\(Self.count(plan.counts.pageCount, "page")) will lose \(Self.count(plan.counts.entryCount, "entry", "entries"))"
            )
        }
        if plan.undatedCount > 0 {
            Console.note(
                "\(label): \(Self.count(plan.undatedCount, "encounter")) of starts without a clock cannot be dated and stay"
            )
        }
        if plan.counts.unreadPageCount > 0 {
            Console.note(
                "\(label): \(Self.count(plan.counts.unreadPageCount, "page")) closed or not readable stay as they are; "
                    + "with their key (--opening) it is seen what is in them")
        }
    }

    private func text(_ part: RedactionPlan.Part) -> String {
        let days = retention.map { ", older than \($0[part.kind]) days" } ?? ""
        return "\(part.kind.label)\(days): \(Self.count(part.encounterCount, "encounter")) with "
            + Self.count(part.identityCount, "identity", "identities")
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
}
