import Archive

/// Contacts as SocioPatterns publishes them: a line `t i j` for each pair and each time window of 20 s in
/// which the pair was in contact. The window is [t − 20 s, t]; t counts seconds since 1970 UTC; i and j are
/// numbers of participants. With groups, a line is `t i j Ci Cj`.
public struct ProximityLinesFile {
    let provenance: Provenance
    let windowSeconds: Int64
    let hasGroups: Bool
    let hasComments: Bool

    public static let usualWindowSeconds: Int64 = 20

    /// - Parameter hasComments: begins with lines of comments, which name the columns and the parameters.
    public init(_ provenance: Provenance, windowSeconds: Int64, hasGroups: Bool, hasComments: Bool) {
        self.provenance = provenance
        self.windowSeconds = max(1, windowSeconds)
        self.hasGroups = hasGroups
        self.hasComments = hasComments
    }

    /// - Returns: the number of lines.
    @discardableResult
    public func write(_ network: ContactNetwork, to output: ExportOutput) throws -> Int {
        if hasComments {
            output.write("# t i j\(hasGroups ? " Ci Cj" : ""), separated by tabs\n# \(provenance.line)\n")
        }
        var sweep = WindowSweep(windowMilliseconds: windowSeconds * 1000)
        var count = 0
        func write(_ line: WindowSweep.Line) throws(ArchiveError) -> Bool {
            var text = "\(line.window * windowSeconds)\t\(line.first)\t\(line.second)"
            if hasGroups {
                text += "\t\(try group(line.first, network))\t\(try group(line.second, network))"
            }
            output.write(text + "\n")
            count += 1
            return output.works
        }
        try network.forEachContact { contact throws(ArchiveError) in try sweep.add(contact, write) }
        _ = try sweep.finish(write)
        try output.finish()
        return count
    }

    private func group(_ number: Int, _ network: ContactNetwork) throws(ArchiveError) -> String {
        let group = try network.participants[number].label.group ?? "NA"
        return String(group.map { $0 == "\t" ? " " : $0 })
    }
}
