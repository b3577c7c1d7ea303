import EncounterLog
import Peers
import Protocols
import Schemes
import TestSupport
import Testing

/// The checks of an identity that a receiver can make.
@Suite struct SchemeReadingTests {
    /// The time in the payload, in seconds since 1970.
    private static let made: UInt64 = 1_588_253_464

    @Test(arguments: [
        (0, SchemeReading.notReady), (1, .refused(.wrongLength)), (128, .refused(.wrongLength)),
        (129, .identity(byteCount: 129, .none)), (130, .refused(.wrongLength)),
    ])
    func `Sonar's payload has 129 bytes; an empty value means not ready`(count: Int, expected: SchemeReading)
    {
        let bytes = Array((Self.payload + [0]).prefix(count))
        #expect(SchemeReading(bytes.span, of: .sonar, unixSeconds: Self.made) == expected)
    }

    @Test(arguments: [
        (600, SchemeReading.identity(byteCount: 129, .none)), (-600, .identity(byteCount: 129, .none)),
        (601, .refused(.notOfNow)), (-601, .refused(.notOfNow)),
    ])
    func `Sonar's time may differ from now by ten minutes at most`(offset: Int, expected: SchemeReading) {
        let now = UInt64(Int(Self.made) + offset)
        #expect(SchemeReading(Self.payload.span, of: .sonar, unixSeconds: now) == expected)
    }

    @Test func `Without a clock Sonar's time is not checked`() {
        #expect(
            SchemeReading(Self.payload.span, of: .sonar, unixSeconds: nil)
                == .identity(byteCount: 129, .timeUnchecked))
    }

    @Test func `Any wrong bit in Sonar's point is refused`() {
        for bit in 0..<512 {
            var bytes = Self.payload
            bytes[2 + bit / 8] ^= 1 << (bit % 8)
            #expect(SchemeReading(bytes.span, of: .sonar, unixSeconds: Self.made) == .refused(.notOnCurve))
        }
    }

    @Test(arguments: [0x0000, 0x03e8, 0x4742]) func `Numbers that no country has are refused`(country: Int) {
        var bytes = Self.payload
        bytes[0] = UInt8(country >> 8)
        bytes[1] = UInt8(country & 255)
        #expect(SchemeReading(bytes.span, of: .sonar, unixSeconds: Self.made) == .refused(.noCountry))
    }

    @Test(arguments: [
        (SchemeID.covidTracer, 19, SchemeReading.refused(.wrongLength)),
        (.covidTracer, 20, .identity(byteCount: 20, .none)), (.covidTracer, 21, .refused(.wrongLength)),
        (.bleProximity, 0, .refused(.wrongLength)), (.bleProximity, 7, .refused(.wrongLength)),
        (.bleProximity, 8, .identity(byteCount: 8, .none)),
        (.bleProximity, 512, .identity(byteCount: 8, .none)),
    ])
    func `Others are checked by length`(scheme: SchemeID, count: Int, expected: SchemeReading) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(SchemeReading(bytes.span, of: scheme, unixSeconds: nil) == expected)
    }

    @Test(arguments: [SchemeService.covidTracer, .bleProximity])
    func `An identity of zeros is refused`(service: SchemeService) {
        let bytes = [UInt8](repeating: 0, count: service.byteCount)
        #expect(SchemeReading(bytes.span, of: service.scheme, unixSeconds: nil) == .refused(.nobody))
    }

    private static let payload: [UInt8] =
        [0x03, 0x3a]
        + [UInt8](
            hex: "373c625fb9d728d2a13f68154b4d57d38b0237c7b816813e7d7a261c40d1abf1"
                + "9f5054033ab40beceec90deea6d3d9f34572f123061bdc6af8d7643926f21ee4")
        + [UInt8](repeating: 5, count: 42) + [0xf9]
        + (0..<4).reversed().map { UInt8(truncatingIfNeeded: made >> (8 * $0)) }
        + [UInt8](repeating: 6, count: 16)
}
