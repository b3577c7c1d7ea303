import CommandLineText
import Exports

/// Lines for people about the content of an export, and about what it leaves out.
enum ExportText {
    static func report(_ network: ContactNetwork, _ path: String) {
        let people = Count.text(network.participants.count, "participant")
        let contacts = network.contactCount.map { ", \(Count.text($0, "contact"))" } ?? ""
        Console.report("\(path): \(people)\(contacts)")
        if network.undatedCount > 0 {
            Console.report("left out: \(Count.text(network.undatedCount, "contact")) without wall-clock time")
        }
        if network.outOfRangeCount > 0 {
            Console.report(
                "left out: \(Count.text(network.outOfRangeCount, "contact")) at times before 2000 or after 2099"
            )
        }
        if network.namelessCount > 0 {
            Console.report(
                "left out: \(Count.text(network.namelessCount, "encounter")) with devices that gave no identity of "
                    + "their own")
        }
    }

    /// Reports the attributes that are NA.
    static func reportMissing(_ network: ContactNetwork) {
        let people = network.participants
        let missing = [
            ("group", people.count { $0.group == nil }), ("age", people.count { $0.ageYears == nil }),
            ("sex", people.count { $0.sex == nil }),
        ].filter { $0.1 > 0 }
        guard !missing.isEmpty else { return }
        let text = missing.map { "\($0.0) of \($0.1)" }.joined(separator: ", ")
        Console.report(
            "missing (NA) among \(Count.text(people.count, "participant")): \(text); `tabardctl label` and --names "
                + "give them")
    }
}
