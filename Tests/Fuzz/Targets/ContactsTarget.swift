import Analysis
import TextFormats

/// The input is a contacts.csv file.
enum ContactsTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let whole = Reading(input, pieceByteCount: max(1, input.count))
        let pieces = Reading(input, pieceByteCount: 7)
        try require(whole == pieces, "the same rows however the file is read")
        let lineCount = input.count { $0 == UInt8(ascii: "\n") } + 1
        try require(whole.rows.count + whole.malformedLineCount < lineCount, "no more rows than lines")
        for row in whole.rows {
            let text = Array(CivilTime.text(row.seconds).utf8)
            try require(CivilTime.seconds(text[...]) == row.seconds, "a time written again is the same")
        }
        try analyse(whole)
    }

    /// Analyses two copies of the log, so that it is once the log of the device that it mentions.
    private static func analyse(_ reading: Reading) throws(FuzzFinding) {
        guard let test = FormalTest(sharedBy: [reading.observations, reading.observations]) else { return }
        let participants = ["aaaaaa", "bbbbbb"].map { name in
            FormalParticipant(
                device: FormalDevice(
                    name: name, model: "", system: "", systemVersion: "", shortName: name),
                observations: reading.observations)
        }
        let result = test.result(of: participants)
        for pair in result.pairs {
            try require(
                pair.windowCount <= result.maximumWindowCountPerPair + 1, "one window more than there are")
            try require(
                pair.isDetected || pair.windowCount == 0, "a phone with a window of contact was detected")
        }
    }
}

private struct Reading: Equatable {
    struct Row: Equatable {
        let seconds: Int64
        let event: HeraldEvent
        let device: [UInt8]
        let data: [UInt8]
    }

    var rows: [Row] = []
    var malformedLineCount = 0
    var error: ContactsError?
    var observations = FormalObservations()

    init(_ input: [UInt8], pieceByteCount: Int) {
        var reader = ContactsReader()
        var rows: [Row] = []
        var observations = FormalObservations()
        let take = { (row: ContactsRow) in
            rows.append(
                Row(seconds: row.seconds, event: row.event, device: Array(row.device), data: Array(row.data)))
            observations.append(row)
        }
        do throws(ContactsError) {
            var rest = input[...]
            while !rest.isEmpty {
                try reader.read(Array(rest.prefix(pieceByteCount)), take)
                rest = rest.dropFirst(pieceByteCount)
            }
            try reader.finish(take)
        } catch {
            self.error = error
        }
        self.rows = rows
        self.observations = observations
        malformedLineCount = reader.malformedLineCount
    }

    static func == (left: Reading, right: Reading) -> Bool {
        left.rows == right.rows && left.malformedLineCount == right.malformedLineCount
            && left.error == right.error
    }
}
