import Archive

/// A dynamic network for Gephi: GEXF 1.3, undirected. An edge has the spells of its contacts, their total
/// duration as weight, and their number. Times are seconds since 1970 UTC, which all readers understand.
public struct GEXFFile {
    let provenance: Provenance

    public init(_ provenance: Provenance) { self.provenance = provenance }

    public func write(_ network: ContactNetwork, to output: ExportOutput) throws {
        let pairs = try PairTable(network)
        output.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gexf xmlns="http://gexf.net/1.3" version="1.3">
            <meta>
            <creator>\(XMLText.escaped(provenance.tool))</creator>
            <description>\(XMLText.escaped(provenance.line))</description>
            </meta>
            <graph mode="dynamic" defaultedgetype="undirected" timeformat="double" timerepresentation="interval">
            <attributes class="node">
            <attribute id="kind" title="kind" type="string"/>
            <attribute id="group" title="group" type="string"/>
            <attribute id="age_years" title="age_years" type="integer"/>
            <attribute id="sex" title="sex" type="string"/>
            </attributes>
            <attributes class="edge">
            <attribute id="duration_seconds" title="duration_seconds" type="double"/>
            <attribute id="contacts" title="contacts" type="integer"/>
            <attribute id="rssi_maximum_dbm" title="rssi_maximum_dbm" type="integer"/>
            </attributes>
            <nodes>

            """)
        try network.participants.forEach { number, node in
            output.write(element(number, node))
            return output.works
        }
        output.write("</nodes>\n<edges>\n")
        var count = 0
        try pairs.forEach { pair, total in
            count += 1
            output.write(element(count, pair, total))
            return output.works
        }
        output.write("</edges>\n</graph>\n</gexf>\n")
        try output.finish()
    }

    private func element(_ number: Int, _ node: Participant) -> String {
        let values = [
            ("kind", node.kind.rawValue), ("group", node.label.group),
            ("age_years", node.label.ageYears.map { "\($0)" }), ("sex", node.label.sex),
        ]
        let attributes = values.map { name, value in
            value.map { "<attvalue for=\"\(name)\" value=\"\(XMLText.escaped($0))\"/>" } ?? ""
        }
        return "<node id=\"\(number)\" label=\"\(XMLText.escaped(node.id))\"><attvalues>"
            + attributes.joined() + "</attvalues></node>\n"
    }

    private func element(_ number: Int, _ pair: PairTable.Pair, _ total: PairTable.Total) -> String {
        let seconds = ExportTime.seconds(total.durationMilliseconds)
        let strength =
            total.maximumDBm.map { "<attvalue for=\"rssi_maximum_dbm\" value=\"\($0)\"/>" } ?? ""
        let spells = total.spans.map {
            "<spell start=\"\(ExportTime.seconds($0.start))\" end=\"\(ExportTime.seconds($0.end))\"/>"
        }
        return
            "<edge id=\"\(number)\" source=\"\(pair.first)\" target=\"\(pair.second)\" weight=\"\(seconds)\">"
            + "<attvalues><attvalue for=\"duration_seconds\" value=\"\(seconds)\"/>"
            + "<attvalue for=\"contacts\" value=\"\(total.spans.count)\"/>\(strength)</attvalues>"
            + "<spells>\(spells.joined())</spells></edge>\n"
    }
}
