import ArgumentParser
import Authority
import CommandLineText

/// A published list to which reports are added.
struct PublishedList: ParsableArguments {
    @Option(help: ArgumentHelp("Published list, created if needed.", valueName: "file"), completion: .file())
    var list: String

    @Option(help: ArgumentHelp("Time of arrival; default: now.", valueName: "time"))
    var at: String?

    func unixSeconds() throws(Failure) -> UInt64 { try MomentArgument.unixSeconds(at, "--at") }

    func add<Entries: PublishedEntries>(_ own: Entries) throws(Failure) {
        let lock = try Documents.lock(list)
        defer { withExtendedLifetime(lock) {} }
        var published: Entries = try Documents.document(
            list, isPrivate: false, mayBeAbsent: true, called: "list of `tabardctl authority`")
        let before = published.entries.count
        published.append(own.entries)
        try Documents.replace(list, published.json, isPrivate: false)
        let total = published.entries.count
        Console.print("\(list): \(total - before) added, \(total) published")
    }
}
