import EncounterLog
import FixedMemory
import HCI
import Protocols
import TestSupport
import Testing

/// Adverts as phones and others send them, and what is to be seen in them.
struct AdvertVector: Decodable {
    let name: String
    let raw: String
    let current: Bool
    let legacy: Bool
    /// An Apple device with services in the background: ours may be among them.
    let overflow: Bool
    let damaged: Bool
    let transmitPower: Int8?
    let pseudoAddress: String?

    static func load() throws -> [AdvertVector] { try Vectors.load("herald-adverts.json") }
}

@Suite struct HeraldAdvertTests {
    private func advert(_ dBm: Int8 = 8) throws -> [UInt8] {
        let data = HeraldAdvert.data(transmitPower: try #require(TransmitPower(dBm: dBm)))
        return (0..<data.count).map { data[$0] }
    }

    @Test("X1, X2, HP-D03, HP-O11: the advert itself holds both services, as in the vector")
    func isTheVectorByteForByte() throws {
        let vector = try #require(AdvertVector.load().first { $0.name == "24 ours" })
        let advert = try advert()
        #expect(advert.hex == vector.raw)
        #expect(advert.count == 28)
    }

    @Test("HP-C19: the advert has no manufacturer data, and so no pseudo device address")
    func holdsNoManufacturerDataAndSoNoPseudoAddress() throws {
        let advert = try advert()
        var structures = AdvertisingStructures(advert.span)
        var types: [UInt8] = []
        while let structure = structures.next() { types.append(structure.type.rawValue) }
        #expect(types == [0x01, 0x03, 0x07, 0x0a])
    }

    @Test(arguments: [-127, -20, 0, 8, 127] as [Int8])
    func isRecognisedByOurselvesWithItsPower(_ dBm: Int8) throws {
        let advert = try advert(dBm)
        let recognition = HeraldRecognition(advert.span)
        #expect(recognition.transmitPower?.dBm == dBm)
        #expect(recognition.interest == .participant)
        #expect(recognition.foundBy == .bothServices)
    }
}

@Suite struct HeraldRecognitionTests {
    @Test("X1, T1, T11, HP-D02, HP-D03: what is in each vector is seen")
    func seesInEachVectorWhatIsThere() throws {
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

    @Test("HP-C20, X1, T12: a service makes a participant, and any bit of an overflow mask a candidate")
    func aServiceMakesAParticipantAndAnOverflowMaskACandidate() throws {
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
            case (false, false, false): #expect(recognition.interest == .passerBy, "\(vector.name)")
            }
            if vector.current || vector.legacy { #expect(recognition.interest == .participant) }
        }
    }

    @Test("T12: each of the 128 bits of an overflow mask makes a candidate, and none of them none")
    func anyBitOfTheOverflowMaskWillDo() {
        for bit in 0..<128 {
            var advert = [UInt8](hex: "02011a14ff4c0001") + [UInt8](repeating: 0, count: 16)
            #expect(HeraldRecognition(advert.span).interest == .passerBy)
            advert[8 + bit / 8] = 0x80 >> UInt8(bit % 8)
            #expect(HeraldRecognition(advert.span).interest == .candidate)
        }
    }

    @Test("T11: an Apple message without its length ends the reading of it, at once")
    func aMessageWithoutItsLength() {
        let advert = [UInt8](hex: "04ff4c0010")
        let recognition = HeraldRecognition(advert.span)
        #expect(!recognition.hasAppleOverflow)
        #expect(recognition.interest == .passerBy)
    }

    @Test func whatCameBeforeTheDamageCounts() {
        let raw = [UInt8](hex: "0303f6fc 09ff4c00")
        let recognition = HeraldRecognition(raw.span)
        #expect(recognition.isDamaged)
        #expect(recognition.interest == .participant)
    }

    @Test func anyBytesAreRead() throws {
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
