import FixedMemory
import HCI
import Peers
import Protocols
import TestSupport
import Testing

@Suite struct PseudoAddressTests {
    /// A number from which a phone derives its pseudo address, and the resulting bytes.
    struct Vector: Decodable {
        let number: Int64
        let bytes: String
        /// The source of the number; nil if it is random.
        let madeOf: String?
    }

    struct Part: Decodable {
        let name: String
        let bytes: String
        let offset: Int
        let count: Int
        let part: String?
        /// The same part, last byte first.
        let reversed: String?
    }

    private func advert(_ address: [UInt8], manufacturer: [UInt8], services: [UInt8]) -> [UInt8] {
        services + [UInt8(3 + address.count), 0xff] + manufacturer + address
    }

    private func key(_ advert: [UInt8]) -> PeerKey? { HeraldRecognition(advert.span).key }

    @Test func `HP-C14, HP-C17, HP-D02: six bytes after either identifier are the phone's key`() throws {
        let vectors: [Vector] = try Vectors.load("herald-pseudo-addresses.json")
        #expect(vectors.count == 9)
        for vector in vectors {
            // The top 48 bits of the number, least significant byte first.
            let bytes = (2..<8).map { UInt8(truncatingIfNeeded: vector.number >> (8 * $0)) }
            #expect(bytes.hex == vector.bytes)
            for manufacturer in [[0xf1, 0x05], [0xfa, 0xff]] as [[UInt8]] {
                let advert = advert(
                    bytes, manufacturer: manufacturer, services: [UInt8](hex: "02011a0303f6fc"))
                let found = HeraldRecognition(advert.span).key
                let key = try #require(found)
                #expect(key.isPseudoAddress)
                #expect(key.bytes.span.array == bytes)
            }
        }
    }

    @Test func `HP-C14: phones that derive a pseudo address from the time share each value for 65.5 s`()
        throws
    {
        let vectors: [Vector] = try Vectors.load("herald-pseudo-addresses.json")
        let ofTheTime = vectors.filter { $0.madeOf != nil }.sorted { $0.number < $1.number }
        #expect(ofTheTime.map(\.number) == [0, 65_535, 65_536].map { 1_676_764_774_400 + $0 })
        #expect(Set(ofTheTime.map(\.bytes)).count == 2 && ofTheTime[0].bytes == ofTheTime[1].bytes)
    }

    @Test(arguments: [0, 1, 5, 7, 8, 12])
    func `HP-C17: any other number of bytes is not a pseudo address`(_ count: Int) {
        for manufacturer in [[0xf1, 0x05], [0xfa, 0xff]] as [[UInt8]] {
            let advert = advert(
                [UInt8](repeating: 7, count: count), manufacturer: manufacturer,
                services: [UInt8](hex: "0303f6fc"))
            #expect(key(advert) == nil)
            #expect(HeraldRecognition(advert.span).pseudoAddress == nil)
        }
    }

    @Test func `HP-D02: without a Herald service the Linux Foundation's identifier names no device`() {
        let advert = advert([1, 2, 3, 4, 5, 6], manufacturer: [0xf1, 0x05], services: [2, 1, 6])
        #expect(HeraldRecognition(advert.span).pseudoAddress != nil)
        #expect(key(advert) == nil)
    }

    @Test func `HP-C14: a pseudo, a public and a random address with the same digits are three peers`() {
        let keys: Set<PeerKey> = [
            PeerKey(pseudoAddress: 0x1234), PeerKey(DeviceAddress(value: 0x1234, isRandom: false)),
            PeerKey(DeviceAddress(value: 0x1234, isRandom: true)),
        ]
        #expect(keys.count == 3)
    }

    @Test func `T11: parts beyond the end of the data are refused, vectors 19 to 21`() throws {
        for vector in try Vectors.load("herald-subdata.json") as [Part] {
            let bytes = [UInt8](hex: vector.bytes)
            var rest = bytes.span
            var part: [UInt8]?
            if rest.takeFirst(vector.offset) != nil, let taken = rest.takeFirst(vector.count) {
                part = taken.array
            }
            #expect(part?.hex == vector.part, "\(vector.name)")
            guard let reversed = vector.reversed, vector.count == 4 else { continue }
            #expect(bytes.span.loadUInt32(at: vector.offset) == UInt32(reversed, radix: 16))
        }
    }
}

extension Span<UInt8> {
    fileprivate var array: [UInt8] { indices.map { self[$0] } }
}
