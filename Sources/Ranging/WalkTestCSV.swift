/// Reads a walk test's file: the header `time,rssi,distance`, then a line per reading.
///
/// Times are `2021-01-05 17:54:02`, with optional fraction and offset from UTC, RSSI is in dBm and distance
/// in centimetres. Any bytes give readings or the first line that is wrong.
public enum WalkTestCSV {
    public static let longestLineBytes = 128
    public static let mostReadings = 2_000_000

    public struct Failure: Error, Equatable, CustomStringConvertible {
        public enum Problem: Sendable, Equatable {
            case headerMissing, lineTooLong, notThreeFields
            case timeInvalid, rssiNotNumber, rssiOutOfRange, distanceNotNumber, distanceOutOfRange
            case tooManyReadings, noReadings
        }

        /// Counted from 1, the header's.
        public let line: Int
        public let problem: Problem

        public var description: String { "line \(line): \(problem.text)" }
    }

    public static func readings(in file: [UInt8]) throws(Failure) -> [WalkTest.Reading] {
        try readings(in: file, mostReadings: mostReadings)
    }

    static func readings(in file: [UInt8], mostReadings: Int) throws(Failure) -> [WalkTest.Reading] {
        var lines = Lines(file)
        guard let header = try lines.next(), header.elementsEqual("time,rssi,distance".utf8) else {
            throw Failure(line: 1, problem: .headerMissing)
        }
        var readings: [WalkTest.Reading] = []
        while let line = try lines.next() {
            // A file may end in empty lines; between readings they would be a sign of damage.
            if line.isEmpty, lines.isAtEnd { break }
            guard readings.count < mostReadings else {
                throw Failure(line: lines.number, problem: .tooManyReadings)
            }
            readings.append(try reading(in: line, number: lines.number))
        }
        guard !readings.isEmpty else { throw Failure(line: lines.number, problem: .noReadings) }
        return readings
    }

    private static func reading(
        in line: ArraySlice<UInt8>, number: Int
    ) throws(Failure) -> WalkTest.Reading {
        func failure(_ problem: Failure.Problem) -> Failure { Failure(line: number, problem: problem) }
        let comma = UInt8(ascii: ",")
        guard let first = line.firstIndex(of: comma), let last = line.lastIndex(of: comma), first < last,
            !line[(first + 1)..<last].contains(comma)
        else { throw failure(.notThreeFields) }
        guard let seconds = LogTime.seconds(in: line[..<first]) else { throw failure(.timeInvalid) }
        guard let rssi = DecimalText.value(of: line[(first + 1)..<last]) else {
            throw failure(.rssiNotNumber)
        }
        guard let distance = DecimalText.value(of: line[(last + 1)...]) else {
            throw failure(.distanceNotNumber)
        }
        guard WalkTest.allowedRSSIDBm.contains(rssi) else { throw failure(.rssiOutOfRange) }
        guard
            let reading = WalkTest.Reading(seconds: seconds, rssiDBm: rssi, distanceCentimetres: distance)
        else { throw failure(.distanceOutOfRange) }
        return reading
    }

    /// Splits a file into lines that end in LF or CRLF; a byte order mark before the first is skipped.
    private struct Lines {
        private let file: [UInt8]
        private var offset = 0
        private(set) var number = 0

        init(_ file: [UInt8]) {
            self.file = file
            if file.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        }

        /// Whether only line ends follow.
        var isAtEnd: Bool { file[offset...].allSatisfy { $0 == 0x0A || $0 == 0x0D } }

        mutating func next() throws(Failure) -> ArraySlice<UInt8>? {
            guard offset < file.count else { return nil }
            number += 1
            let limit = min(file.count, offset + longestLineBytes + 2)
            var end = offset
            while end < limit, file[end] != 0x0A { end += 1 }
            let content = file[offset..<end].last == 0x0D ? file[offset..<(end - 1)] : file[offset..<end]
            guard content.count <= longestLineBytes else {
                throw Failure(line: number, problem: .lineTooLong)
            }
            offset = end + 1 < file.count ? end + 1 : file.count
            return content
        }
    }
}

extension WalkTestCSV.Failure.Problem {
    public var text: String {
        switch self {
        case .headerMissing: "expected the header \"time,rssi,distance\""
        case .lineTooLong: "longer than \(WalkTestCSV.longestLineBytes) bytes"
        case .notThreeFields: "expected three fields: time,rssi,distance"
        case .timeInvalid: "expected a time such as 2021-01-05 17:54:02"
        case .rssiNotNumber: "the RSSI is not a decimal number"
        case .rssiOutOfRange: "the RSSI is outside −127 to 20 dBm"
        case .distanceNotNumber: "the distance is not a decimal number"
        case .distanceOutOfRange: "the distance is outside 0 to 10,000 cm"
        case .tooManyReadings: "more than \(WalkTestCSV.mostReadings) readings"
        case .noReadings: "the file has no readings"
        }
    }
}
