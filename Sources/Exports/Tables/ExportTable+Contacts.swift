import Archive

extension ExportTable {
    /// One row for each contact of two participants.
    static let contacts = ExportTable(
        name: "contacts",
        meaning: "Pairs of participants in Bluetooth range of each other. Signal strength is not distance.",
        fields: [
            ExportField(
                "participant", .text, "The participant with the smaller number: an id of participants."),
            ExportField("other_participant", .text, "The other participant: an id of participants."),
            ExportField("start", .time, "The first reading of either side, UTC."),
            ExportField("end", .time, "The last reading of either side, UTC."),
            ExportField("duration_seconds", .real, "From start to end."),
            ExportField(
                "clock_error_seconds", .real, mayBeMissing: true,
                "The possible error of both times, either way; missing if nobody checked the clock."),
            ExportField("readings", .integer, "The number of RSSI readings of both sides."),
            ExportField(
                "rssi_maximum_dbm", .integer, mayBeMissing: true,
                "The strongest reading of either side; missing without readings."),
            ExportField(
                "distance_lower_cm", .integer, mayBeMissing: true,
                "The interval that has the true distance in 80 % of cases, if it hardly changed; missing if not "
                    + "calibrated."),
            ExportField(
                "distance_upper_cm", .integer, mayBeMissing: true,
                "Its upper end; missing, too, if the distance may be farther than the calibration reaches."),
            ExportField(
                "not_calibrated", .text, mayBeMissing: true,
                "Why there is no interval: noCalibration, noReadings, modelUnknown or pairWithoutWalkTest."),
            ExportField("mutual", .truth, "Whether each side heard the other."),
            ExportField(
                "certainty", .text,
                "The evidence for who it was: served, undated, ambiguous or written (docs/archive.md)."),
        ],
        rows: { network, body throws(ArchiveError) in
            try network.forEachContact { contact throws(ArchiveError) in
                let distance = try network.distance(contact)
                return body([
                    .text(try network.participants[contact.first].id),
                    .text(try network.participants[contact.second].id), .time(contact.start),
                    .time(contact.end), ExportValue(milliseconds: contact.durationMilliseconds),
                    ExportValue(milliseconds: contact.errorMilliseconds),
                    .integer(Int64(contact.readingCount)), ExportValue(contact.maximumDBm),
                    ExportValue(distance.interval?.lowerCentimetres),
                    ExportValue(distance.interval?.upperCentimetres), ExportValue(distance.reason?.name),
                    .truth(contact.isMutual), .text("\(contact.certainty)"),
                ])
            }
        })

    /// One row for each node of the network.
    static let participants = ExportTable(
        name: "participants", meaning: "The boards, and the people who carry other devices.",
        fields: [
            ExportField("id", .text, "Unique in this export: a name, a pseudonym or hexadecimal digits."),
            ExportField("number", .integer, "From 1; the i and j of a SocioPatterns file."),
            ExportField(
                "kind", .text, "beacon, wearable, board (its role is unknown) or stranger (no board)."),
            ExportField("name", .text, mayBeMissing: true, "The operator's name for it."),
            ExportField("group", .text, mayBeMissing: true, "The operator's group, such as a class or ward."),
            ExportField("age_years", .integer, mayBeMissing: true, "The age as the operator gave it."),
            ExportField("sex", .text, mayBeMissing: true, "The sex in the operator's letters."),
        ],
        rows: { network, body throws(ArchiveError) in
            try network.participants.forEach { number, participant in
                body([
                    .text(participant.id), .integer(Int64(number)), .text(participant.kind.rawValue),
                    ExportValue(participant.label.name), ExportValue(participant.label.group),
                    ExportValue(participant.label.ageYears), ExportValue(participant.label.sex),
                ])
            }
        })
}
