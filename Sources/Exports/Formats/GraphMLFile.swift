import Archive

/// A weighted network for igraph, networkx and others: GraphML, undirected, an edge for each pair.
public struct GraphMLFile {
    let provenance: Provenance

    public init(_ provenance: Provenance) { self.provenance = provenance }

    private static let keys = [
        ("node", "id", "string"), ("node", "kind", "string"), ("node", "group", "string"),
        ("node", "age_years", "int"), ("node", "sex", "string"), ("edge", "weight", "double"),
        ("edge", "duration_seconds", "double"), ("edge", "contacts", "int"), ("edge", "first", "string"),
        ("edge", "last", "string"), ("edge", "rssi_maximum_dbm", "int"), ("graph", "provenance", "string"),
    ]

    public func write(_ network: ContactNetwork, to output: ExportOutput) throws {
        let pairs = try PairTable(network)
        output.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <graphml xmlns="http://graphml.graphdrawing.org/xmlns">

            """)
        for (owner, name, type) in Self.keys {
            output.write(
                "<key id=\"\(owner)-\(name)\" for=\"\(owner)\" attr.name=\"\(name)\" attr.type=\"\(type)\"/>\n"
            )
        }
        output.write("<graph id=\"contacts\" edgedefault=\"undirected\">\n")
        output.write(data("graph-provenance", provenance.line) + "\n")
        try network.participants.forEach { number, node in
            output.write(
                "<node id=\"n\(number)\">" + data("node-id", node.id) + data("node-kind", node.kind.rawValue)
                    + data("node-group", node.label.group)
                    + data("node-age_years", node.label.ageYears.map { "\($0)" })
                    + data("node-sex", node.label.sex) + "</node>\n")
            return output.works
        }
        try pairs.forEach { pair, total in
            let seconds = ExportTime.seconds(total.durationMilliseconds)
            output.write(
                "<edge source=\"n\(pair.first)\" target=\"n\(pair.second)\">" + data("edge-weight", seconds)
                    + data("edge-duration_seconds", seconds) + data("edge-contacts", "\(total.spans.count)")
                    + data("edge-first", total.spans.first.map { ExportTime.text($0.start) })
                    + data("edge-last", total.spans.map(\.end).max().map(ExportTime.text))
                    + data("edge-rssi_maximum_dbm", total.maximumDBm.map { "\($0)" }) + "</edge>\n")
            return output.works
        }
        output.write("</graph>\n</graphml>\n")
        try output.finish()
    }

    private func data(_ key: String, _ value: String?) -> String {
        value.map { "<data key=\"\(key)\">\(XMLText.escaped($0))</data>" } ?? ""
    }
}
