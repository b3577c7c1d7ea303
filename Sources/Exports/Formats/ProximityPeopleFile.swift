/// The participants of a ``ProximityLinesFile``: lines `i C sex id`, separated by tabs, with NA for unknown
/// values. SocioPatterns' own metadata ends with the sex.
public struct ProximityPeopleFile {
    let provenance: Provenance
    let hasComments: Bool

    public init(_ provenance: Provenance, hasComments: Bool) {
        self.provenance = provenance
        self.hasComments = hasComments
    }

    public func write(_ network: ContactNetwork, to output: ExportOutput) throws {
        if hasComments { output.write("# i C sex id, separated by tabs\n# \(provenance.line)\n") }
        try network.participants.forEach { number, participant in
            let texts = [participant.label.group, participant.label.sex, participant.id].map { text in
                String((text ?? "NA").map { $0 == "\t" ? " " : $0 })
            }
            output.write("\(number)\t\(texts.joined(separator: "\t"))\n")
            return output.works
        }
        try output.finish()
    }
}
