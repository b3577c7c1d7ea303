import Archive

/// The two tables that the R package epicontacts joins: a line list whose first column is a unique id, and
/// contacts whose first two columns are ids of it.
public enum LineListTables {
    /// One row for each participant.
    public static let lineList = ExportTable(
        name: "linelist", meaning: "The participants: the line list of make_epicontacts(directed = FALSE).",
        fields: [
            ExportField("id", .text, "Unique: a name, a pseudonym or hexadecimal digits."),
            ExportField(
                "kind", .text, "beacon, wearable, board (its role is unknown) or stranger (no board)."),
            ExportField("name", .text, mayBeMissing: true, "The operator's name for the participant."),
            ExportField("group", .text, mayBeMissing: true, "The operator's group, such as a class or ward."),
            ExportField("age", .integer, mayBeMissing: true, "Years, as the operator gave them."),
            ExportField("sex", .text, mayBeMissing: true, "The sex in the operator's letters."),
        ],
        rows: { network, body throws(ArchiveError) in
            try network.participants.forEach { _, participant in
                let label = participant.label
                return body([
                    .text(participant.id), .text(participant.kind.rawValue), ExportValue(label.name),
                    ExportValue(label.group), ExportValue(label.ageYears), ExportValue(label.sex),
                ])
            }
        })

    /// One row for each contact.
    public static let contacts = ExportTable(
        name: "contacts", meaning: "The contacts: undirected, from the smaller number to the greater.",
        fields: [
            ExportField("from", .text, "An id of the line list."),
            ExportField("to", .text, "An id of the line list."),
            ExportField("date", .text, "The day of the first reading, UTC, as R's as.Date reads it."),
            ExportField("start", .time, "The first reading of either side, UTC."),
            ExportField("end", .time, "The last reading of either side, UTC."),
            ExportField("duration_minutes", .real, "From start to end."),
            ExportField(
                "rssi_maximum_dbm", .integer, mayBeMissing: true, "The strongest reading of either side."),
            ExportField("certainty", .text, "The evidence for who it was (docs/archive.md)."),
        ],
        rows: { network, body throws(ArchiveError) in
            try network.forEachContact { contact throws(ArchiveError) in
                body([
                    .text(try network.participants[contact.first].id),
                    .text(try network.participants[contact.second].id),
                    .text(String(ExportTime.text(contact.start).prefix(10))), .time(contact.start),
                    .time(contact.end), .real(Double(contact.durationMilliseconds) / 60_000),
                    ExportValue(contact.maximumDBm), .text("\(contact.certainty)"),
                ])
            }
        })
}
