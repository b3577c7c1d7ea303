import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Schemes
import TestSupport
import Testing

/// Adverts of phones and other devices, and the findings expected in them.
struct AdvertVector: Decodable {
    let name: String
    let raw: String
    let current: Bool
    let legacy: Bool
    /// Whether the advert is of an Apple device with services in the background, Herald's possibly among
    /// them.
    let overflow: Bool
    let damaged: Bool
    let transmitPower: Int8?
    let pseudoAddress: String?
    /// The messages in Apple's data, each with its type and, unless it is of type 01, its length.
    let apple: [String]
    /// Whether Herald for Android rejects the device by one of them, as an Apple TV or similar.
    let rejectedByAndroid: Bool?
    /// Type and data of all AD structures, if the vector lists them.
    let structures: [[String]]?

    /// Applies Herald for Android's two patterns for Apple TVs.
    static func isRejectedByAndroid(_ message: String) -> Bool {
        message.count >= 8 && message.hasPrefix("10")
            && ["04", "14"].contains(message.dropFirst(6).prefix(2))
    }

    static func load() throws -> [AdvertVector] { try Vectors.load("herald-adverts.json") }
}

@Suite struct HeraldAdvertTests {
    private func advert(_ dBm: Int8 = 8) throws -> [UInt8] {
        let data = HeraldAdvert.data(transmitPower: try #require(TransmitPower(dBm: dBm)))
        return (0..<data.count).map { data[$0] }
    }

    @Test func `X1, X2, HP-D03, HP-O11: the advert itself holds both services, as in the vector`() throws {
        let vector = try #require(AdvertVector.load().first { $0.name == "24 ours" })
        let advert = try advert()
        #expect(advert.hex == vector.raw)
        #expect(advert.count == 28)
    }

    @Test func `HP-C19: no slot's advert has manufacturer data, and so no pseudo device address`() throws {
        let power = try #require(TransmitPower(dBm: 8))
        for scheme in [nil, .sonar, .bleProximity] as [SchemeID?] {
            for isHerald in [true, false] where isHerald || scheme != nil {
                let slot = AdvertisingSlot(scheme: scheme, isHerald: isHerald)
                let advert = HeraldAdvert.data(transmitPower: power, slot: slot)
                var structures = AdvertisingStructures(advert.span)
                var types: [UInt8] = []
                while let structure = structures.next() { types.append(structure.type.rawValue) }
                #expect(types == (isHerald ? [0x01, 0x03, 0x07, 0x0a] : [0x01, 0x07, 0x0a]), "\(slot)")
            }
        }
    }

    @Test(arguments: [-127, -20, 0, 8, 127] as [Int8])
    func `our own advert is recognised, with its power`(_ dBm: Int8) throws {
        let advert = try advert(dBm)
        let recognition = HeraldRecognition(advert.span)
        #expect(recognition.transmitPower?.dBm == dBm)
        #expect(recognition.interest == .participant)
        #expect(recognition.foundBy == .bothServices)
    }
}

@Suite struct HeraldRecognitionTests {
    @Test func `X1, T1, T11, HP-D02, HP-D03: each vector's content is recognised`() throws {
        for vector in try AdvertVector.load() {
            let raw = [UInt8](hex: vector.raw)
            let recognition = HeraldRecognition(raw.span)
            #expect(recognition.hasCurrentService == vector.current, "\(vector.name)")
            #expect(recognition.hasLegacyService == vector.legacy, "\(vector.name)")
            #expect(recognition.hasAppleOverflow == vector.overflow, "\(vector.name)")
            #expect(recognition.isDamaged == vector.damaged, "\(vector.name)")
            #expect(recognition.transmitPower?.dBm == vector.transmitPower, "\(vector.name)")
            let digits = recognition.pseudoAddress.map { key in (0..<6).map { key.bytes[$0] }.hex }
            #expect(digits == vector.pseudoAddress, "\(vector.name)")
        }
    }

    @Test func `HP-C20, X1, T12: a service makes a participant, any bit of an overflow mask a candidate`()
        throws
    {
        for vector in try AdvertVector.load() {
            let raw = [UInt8](hex: vector.raw)
            let recognition = HeraldRecognition(raw.span)
            switch (vector.current, vector.legacy, vector.overflow) {
            case (true, true, _): #expect(recognition.foundBy == .bothServices)
            case (true, false, _): #expect(recognition.foundBy == .heraldService)
            case (false, true, _): #expect(recognition.foundBy == .legacyService)
            case (false, false, true):
                #expect(recognition.foundBy == .appleOverflow)
                #expect(recognition.interest == .candidate)
            case (false, false, false): #expect(recognition.interest == .ignored, "\(vector.name)")
            }
            if vector.current || vector.legacy { #expect(recognition.interest == .participant) }
        }
    }

    @Test func `T12: each of the 128 bits of an overflow mask makes a candidate, and an empty mask none`() {
        for bit in 0..<128 {
            var advert = [UInt8](hex: "02011a14ff4c0001") + [UInt8](repeating: 0, count: 16)
            #expect(HeraldRecognition(advert.span).interest == .ignored)
            advert[8 + bit / 8] = 0x80 >> UInt8(bit % 8)
            #expect(HeraldRecognition(advert.span).interest == .candidate)
        }
    }

    @Test func `T11: the structures of an advert are those of the vector, to the byte`() throws {
        let vectors = try AdvertVector.load().filter { $0.structures != nil }
        #expect(vectors.count == 3)
        for vector in vectors {
            let raw = [UInt8](hex: vector.raw)
            var structures = AdvertisingStructures(raw.span)
            var found: [[String]] = []
            while let structure = structures.next() {
                let data = structure.data
                found.append([[structure.type.rawValue].hex, data.indices.map { data[$0] }.hex])
            }
            #expect(found == vector.structures, "\(vector.name)")
        }
    }

    @Test func `T11: the messages in Apple's data are those of each vector, in order`() throws {
        for vector in try AdvertVector.load() {
            let messages = appleMessages([UInt8](hex: vector.raw))
            #expect(messages == vector.apple, "\(vector.name)")
            guard let isRejected = vector.rejectedByAndroid else { continue }
            #expect(
                messages.contains(where: AdvertVector.isRejectedByAndroid) == isRejected, "\(vector.name)")
        }
    }

    @Test func `T12: of Apple's messages only a mask makes a candidate, and none of the others hides one`()
        throws
    {
        for vector in try AdvertVector.load() where vector.overflow {
            #expect(vector.apple.contains { $0.hasPrefix("01") }, "\(vector.name)")
        }
        let rejected = try AdvertVector.load().filter { $0.rejectedByAndroid == true }
        #expect(rejected.count == 3)
        for vector in rejected {
            let raw = [UInt8](hex: vector.raw)
            #expect(HeraldRecognition(raw.span).interest == .ignored, "\(vector.name)")
            // With a mask after it, the device may run Herald, even though Android would reject it.
            let masked = raw + [UInt8](hex: "14ff4c000100000000000000000000200000000000")
            #expect(HeraldRecognition(masked.span).interest == .candidate, "\(vector.name)")
        }
    }

    private func appleMessages(_ raw: [UInt8]) -> [String] {
        var found: [String] = []
        var structures = AdvertisingStructures(raw.span)
        while let structure = structures.next() {
            var data = structure.data
            guard structure.type == .manufacturerData, let company = data.takeFirst(2),
                company.loadUInt16(at: 0) == 0x004c
            else { continue }
            var messages = AppleMessages(data)
            while let message = messages.next() {
                let data = message.data
                let length = message.type == AppleMessage.overflow ? [] : [UInt8(data.count)]
                found.append(([message.type] + length + data.indices.map { data[$0] }).hex)
            }
        }
        return found
    }

    @Test func `T11: an Apple message without its length ends the sequence`() {
        let advert = [UInt8](hex: "04ff4c0010")
        let recognition = HeraldRecognition(advert.span)
        #expect(!recognition.hasAppleOverflow)
        #expect(recognition.interest == .ignored)
    }

    @Test func `HP-C41: a structure of an unknown type hides none of the structures after it`() {
        for type in 0x30..<0xff as Range<UInt8> {
            let raw = [3, type, 1, 2] + [UInt8](hex: "0303f6fc 020af8")
            let recognition = HeraldRecognition(raw.span)
            #expect(recognition.interest == .participant, "type \(type)")
            #expect(recognition.transmitPower?.dBm == -8, "type \(type)")
        }
    }

    @Test func `the structures before the damage count`() {
        let raw = [UInt8](hex: "0303f6fc 09ff4c00")
        let recognition = HeraldRecognition(raw.span)
        #expect(recognition.isDamaged)
        #expect(recognition.interest == .participant)
    }

    @Test func `any bytes are read`() throws {
        let seed: UInt64 = 5
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let raws = try AdvertVector.load().map { [UInt8](hex: $0.raw) }.filter { !$0.isEmpty }
        for round in 0..<50_000 {
            var raw =
                round.isMultiple(of: 3)
                ? generator.bytes(Int.random(in: 0...62, using: &generator))
                : raws[Int.random(in: 0..<raws.count, using: &generator)]
            if !raw.isEmpty {
                for _ in 0..<3 {
                    raw[Int.random(in: 0..<raw.count, using: &generator)] = .random(
                        in: .min ... .max, using: &generator)
                }
                raw.removeLast(Int.random(in: 0...min(3, raw.count), using: &generator))
            }
            let recognition = HeraldRecognition(raw.span)
            if recognition.hasCurrentService { #expect(recognition.interest == .participant) }
        }
    }
}
