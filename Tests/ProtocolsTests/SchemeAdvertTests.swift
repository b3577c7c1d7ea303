import EncounterLog
import FixedMemory
import Peers
import Protocols
import TestSupport
import Testing

/// Adverts of schemes other than Herald, as their phones send them.
@Suite struct SchemeAdvertTests {
    private static let exposureNotification =
        "02011a03036ffd17166ffd8be6cd371c5c891604bfbe49df84509672033874"

    private func read(_ hex: String) -> SchemeAdvert? {
        let raw = [UInt8](hex: hex)
        return SchemeAdvert(raw.span)
    }

    @Test func `Google's vector is parsed as identifier and metadata`() throws {
        let advert = try #require(read(Self.exposureNotification))
        #expect(advert.foundBy == .exposureNotification)
        let identity = try #require(advert.identity)
        #expect(identity.scheme.id == .exposureNotification)
        #expect(identity.bytes.array.hex == "8be6cd371c5c891604bfbe49df84509672033874")
    }

    @Test(
        arguments: [
            ("ROBERT with metadata", "171664fd" + String(repeating: "ab", count: 20), PeerHint.robert, 20),
            ("ROBERT of the first apps", "131664fd" + String(repeating: "ab", count: 16), .robert, 16),
            ("DP-3T", "131668fd" + String(repeating: "ab", count: 16), .dp3t, 16),
            ("TCN", "131619c0" + String(repeating: "ab", count: 16), .tcn, 16),
            (
                "Exposure Notification cut short", "16166ffd" + String(repeating: "ab", count: 19),
                .exposureNotification, 0
            ),
            ("DP-3T too long", "141668fd" + String(repeating: "ab", count: 17), .dp3t, 0),
            ("DP-3T by its service", "030368fd", .dp3t, 0),
            ("TCN by its service, incomplete list", "030219c0", .tcn, 0),
            ("OpenTrace", "1107a8310bef679488a8944750c58642baa6", .blueTrace, 0),
            ("Sonar", "1107219bded686bb2e8ec84a94fa3c98f5c1", .sonar, 0),
            ("CovidTracer", "1107ed7a41af69dab385b848d69e4074fc22", .covidTracer, 0),
            (
                "BLE-Proximity, behind BlueTrace's",
                "2106a8310bef679488a8944750c58642baa6f91ae0661c737490f74ad6658e29998e", .bleProximity, 0
            ),
            ("TraceTogether", "1107f918c24c09fef0806a4f9515fcb32ab8", .blueTrace, 0),
        ] as [(String, String, PeerHint, Int)])
    func `A scheme is recognised, and its identity parsed if the service data has the right length`(
        name: String, hex: String, foundBy: PeerHint, byteCount: Int
    ) throws {
        let advert = try #require(read(hex), "\(name)")
        #expect(advert.foundBy == foundBy)
        #expect((advert.identity?.bytes.count ?? 0) == byteCount)
    }

    @Test func `Schemes that are not enabled are skipped`() throws {
        var heard = PeerHintSet()
        heard.insert(.covidTracer)
        let advert = [UInt8](
            hex: "2106ed7a41af69dab385b848d69e4074fc22f91ae0661c737490f74ad6658e29998e")
        #expect(SchemeAdvert(advert.span, among: heard)?.foundBy == .covidTracer)
        heard = PeerHintSet()
        heard.insert(.sonar)
        #expect(SchemeAdvert(advert.span, among: heard) == nil)
    }

    @Test(arguments: ["", "02011a", "020a0c", "02011a020af9"])
    func `An advert without content is recognised if that is enabled`(hex: String) throws {
        var heard = PeerHintSet()
        heard.insert(.emptyAdvert)
        let advert = [UInt8](hex: hex)
        #expect(SchemeAdvert(advert.span, among: heard)?.foundBy == .emptyAdvert)
        let named = advert + [UInt8](hex: "020941")
        #expect(SchemeAdvert(named.span, among: heard) == nil)
    }

    @Test func `Service data count before a service of another scheme`() throws {
        let advert = try #require(
            read("030319c0" + "131668fd" + String(repeating: "ab", count: 16)))
        #expect(advert.foundBy == .dp3t)
    }

    @Test(arguments: [
        "", "02011a", "0303f6fc", "03036afd", "0416aafe10", "11079bfd5bd672451e80d3424647af328142",
        "02166f", "0316",
    ])
    func `An advert of no known scheme is not recognised`(hex: String) {
        #expect(read(hex) == nil)
    }
}

extension FixedBuffer<512> {
    fileprivate var array: [UInt8] { (0..<count).map { self[$0] } }
}
