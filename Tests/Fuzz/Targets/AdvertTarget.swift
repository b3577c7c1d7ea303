import FixedMemory
import HCI
import Protocols

/// The input is the data of an advert.
enum AdvertTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        try walk(input)
        try compareWithPlainReading(input)
        try compareSchemeWithPlainReading(input)
        try readFromEvent(input)
    }

    /// The structures with their lengths restored must equal the advert, apart from padding and damage.
    private static func walk(_ advert: [UInt8]) throws(FuzzFinding) {
        var structures = AdvertisingStructures(advert.span)
        var rebuilt: [UInt8] = []
        var count = 0
        while let structure = structures.next() {
            count += 1
            rebuilt += [UInt8(structure.data.count + 1), structure.type.rawValue] + structure.data.array
        }
        try require(2 * count <= advert.count, "at most one structure for two bytes, not \(count)")
        try require(structures.next() == nil, "a walk that has ended stays so")
        let (expected, isDamaged) = plainStructures(advert)
        try require(structures.isDamaged == isDamaged, "damage is noted")
        let plain = expected.flatMap { [UInt8($0.count)] + $0 }
        try require(rebuilt == plain, "structures keep their bytes")
    }

    /// Parses the type and data of each structure in a simple, slow way.
    private static func plainStructures(_ advert: [UInt8]) -> (structures: [[UInt8]], isDamaged: Bool) {
        var structures: [[UInt8]] = []
        var rest = advert[...]
        while let length = rest.popFirst() {
            guard rest.count >= length else { return (structures, true) }
            if length > 0 { structures.append(Array(rest.prefix(Int(length)))) }
            rest = rest.dropFirst(Int(length))
        }
        return (structures, false)
    }

    private static func compareWithPlainReading(_ advert: [UInt8]) throws(FuzzFinding) {
        let recognition = HeraldRecognition(advert.span)
        let (structures, isDamaged) = plainStructures(advert)
        let current: [UInt8] = [0xf6, 0xfc]
        let legacy: [UInt8] = [
            0x9b, 0xfd, 0x5b, 0xd6, 0x72, 0x45, 0x1e, 0x80, 0xd3, 0x42, 0x46, 0x47, 0xaf, 0x32, 0x81, 0x42,
        ]
        var hasCurrent = false
        var hasLegacy = false
        var power: Int8?
        for structure in structures {
            let data = Array(structure.dropFirst())
            switch structure.first {
            case 2, 3: hasCurrent = hasCurrent || groups(data, of: 2).contains(current)
            case 6, 7: hasLegacy = hasLegacy || groups(data, of: 16).contains(legacy)
            case 10 where data.count == 1: power = Int8(bitPattern: data[0])
            default: break
            }
        }
        try require(recognition.isDamaged == isDamaged, "damage is noted")
        try require(recognition.hasCurrentService == hasCurrent, "the current service is seen")
        try require(recognition.hasLegacyService == hasLegacy, "the legacy service is seen")
        try require(
            recognition.transmitPower?.dBm == power.flatMap { $0 == -128 ? nil : $0 }, "power is read")
        let isParticipant = hasCurrent || hasLegacy
        try require((recognition.interest == .participant) == isParticipant, "a participant is one")
    }

    /// The first service data of a scheme with a valid length must give the identity. Without one, a listed
    /// service must be recognised.
    private static func compareSchemeWithPlainReading(_ advert: [UInt8]) throws(FuzzFinding) {
        let lengths: [[UInt8]: [Int]] = [
            [0x6f, 0xfd]: [20], [0x64, 0xfd]: [16, 20], [0x68, 0xfd]: [16], [0x19, 0xc0]: [16],
        ]
        let structures = plainStructures(advert).structures
        let named = structures.filter { $0.first == 0x16 && lengths[Array($0.dropFirst().prefix(2))] != nil }
        let read = SchemeAdvert(advert.span)
        guard let first = named.first else {
            try require(read?.identity == nil, "without service data there is no identity")
            let listed = structures.filter { $0.first == 2 || $0.first == 3 }
                .flatMap { groups(Array($0.dropFirst()), of: 2) }
            try require(
                read != nil || !listed.contains { lengths[$0] != nil }, "a listed service is recognised")
            return
        }
        let data = Array(first.dropFirst(3))
        let hasLength = lengths[Array(first.dropFirst().prefix(2))]?.contains(data.count) == true
        let identity = read?.identity.map { $0.bytes.span.array }
        try require(read != nil, "service data are recognised")
        try require(identity == (hasLength ? data : nil), "an identity is the service data, whole")
    }

    private static func groups(_ bytes: [UInt8], of count: Int) -> [[UInt8]] {
        stride(from: 0, through: bytes.count - count, by: count).map { Array(bytes[$0..<$0 + count]) }
    }

    /// An event with three copies of the report must give the report three times.
    private static func readFromEvent(_ advert: [UInt8]) throws(FuzzFinding) {
        let data = Array(advert.prefix(70))
        let address: [UInt8] = [1, 2, 3, 4, 5, 6]
        let report = [3, 1] + address + [UInt8(data.count)] + data + [0xc0]
        let parameters = [2, 3] + report + report + report
        let packet = [4, 0x3e, UInt8(parameters.count)] + parameters
        guard case .advertisingReports(var reports)? = try? Event(packet.span) else {
            throw FuzzFinding(description: "an event of three reports is one of reports")
        }
        var count = 0
        while let report = reports.next() {
            count += 1
            try require(report.data.array == data, "data as sent")
            try require(report.address.bytes.span.array == address, "address as sent")
            try require(report.rssi?.dBm == -64, "RSSI as sent")
        }
        try require(count == 3 && !reports.isDamaged, "three reports, not \(count)")
    }
}
