import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes
import TestSupport
import Testing

/// Phones that refuse as phones do that want to be paired, and phones with several instances of a service. An
/// iPhone may ask its owner whether to pair at each such read.
@Suite struct LastingRefusalTests {
    static let lasting: [ATTError] = [
        .readNotPermitted, .insufficientAuthentication, .requestNotSupported, .insufficientAuthorization,
        .encryptionKeyTooShort, .insufficientEncryption,
    ]
    private static let hour: UInt64 = 3_600_000

    private func reads(_ phone: ScriptedPhone) -> Int { phone.requests.count { $0.first == 0x0a } }

    @Test(arguments: lasting)
    func `a payload that was refused for good is not asked for again on that day`(_ error: ATTError) throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1, schemes: [.init(herald: nil)], advert: ScriptedPhone.heraldAdvert)
        phone.refusal = error
        scene.phones = [phone]
        scene.run(milliseconds: 3 * Self.hour)
        #expect(phone.linkCount == 1 && reads(phone) == 1)
    }

    @Test func `a payload that was refused for now is asked for again`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1, schemes: [.init(herald: nil)], advert: ScriptedPhone.heraldAdvert)
        scene.phones = [phone]
        scene.run { _ in reads(phone) == 3 }
        #expect(phone.linkCount == 3)
    }

    @Test func `a phone that refuses over its own link is not asked on its next links`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1, schemes: [.init(herald: nil)], advert: ScriptedPhone.heraldAdvert)
        phone.refusal = .insufficientAuthentication
        phone.isConnectable = false
        scene.phones = [phone]
        scene.run(milliseconds: 5_000)
        for _ in 0..<5 {
            let isConnected = scene.world.connect(phone)
            try #require(isConnected)
            scene.run(milliseconds: 10_000)
            phone.hangUp()
            scene.run(milliseconds: 10_000)
        }
        #expect(phone.linkCount == 5 && reads(phone) == 1)
    }

    @Test(arguments: [SchemeService.sonar, .covidTracer, .bleProximity])
    func `an identity of another scheme that was refused for good is not asked for again`(
        _ scheme: SchemeService
    ) throws {
        var scene = try Scene(
            "schemes.sonar=listen", "schemes.covid_tracer=listen", "schemes.ble_proximity=listen")
        let phone = try ScriptedPhone(
            1, schemes: [.init(scheme, nil)], herald: [0x10, 9, 8], advert: ScriptedPhone.heraldAdvert)
        phone.refusal = .insufficientEncryption
        scene.phones = [phone]
        scene.run(milliseconds: 3 * Self.hour)
        let reads = phone.requests.filter { $0.first == 0x0a }.map { $0[1] }
        let identity = try #require(reads.max())
        #expect(reads.count { $0 == identity } == 1 && reads.count > 10, "the payload is still read")
    }

    @Test(arguments: [1, 2, 4])
    func `the payload is read from whichever instance of the service has it`(_ refusing: Int) throws {
        var scene = try Scene()
        let instances = [ScriptedPhone.Scheme](repeating: .init(herald: nil), count: refusing)
        let phone = try ScriptedPhone(
            1, schemes: instances + [.init(herald: [0x10, 4, 5])], advert: ScriptedPhone.heraldAdvert)
        scene.phones = [phone]
        scene.run(milliseconds: 60_000)
        #expect(phone.linkCount == 1 && reads(phone) == refusing + 1)
        scene.stop()
        #expect(
            scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 4, 5]])
    }

    @Test func `a payload without content is looked for in the next instance`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(
            1, schemes: [.init(herald: []), .init(herald: [0x10, 4, 5])], advert: ScriptedPhone.heraldAdvert)
        scene.phones = [phone]
        scene.run(milliseconds: 60_000)
        scene.stop()
        #expect(
            scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 4, 5]])
    }

    @Test func `a phone whose instances all refuse is asked again for each of them`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(
            1, schemes: [.init(herald: nil), .init(herald: nil)], advert: ScriptedPhone.heraldAdvert)
        scene.phones = [phone]
        scene.run { _ in phone.linkCount == 3 }
        #expect(reads(phone) == 4)
    }
}
