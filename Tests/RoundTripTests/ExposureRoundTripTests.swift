import Archive
import ArchiveTestSupport
import Authority
import Cryptography
import EncounterLog
import FixedMemory
import HCI
import Schemes
import TestSupport
import Testing

@testable import Exposure
@testable import Simulator

/// A phone with Exposure Notification, with identities from `Schemes`: a new identity and address every ten
/// minutes.
private final class ExposureNotificationPhone: Station {
    private(set) var maker: ExposureNotificationMaker
    private let epochSeconds: UInt64
    private let firstAddress: UInt64
    private var advertised: ExposureNotificationIdentity?

    init(_ name: String, txPowerDBm: Int8, epochMilliseconds: Int64, at route: Route, in world: World) {
        let metadata = AssociatedMetadata(
            majorVersion: 1, minorVersion: 0, calibrationConfidence: 0, txPowerDBm: txPowerDBm)
        maker = ExposureNotificationMaker(metadata: metadata, entropy: .system)
        epochSeconds = UInt64(epochMilliseconds / 1_000)
        var random = world.random("addresses of \(name)")
        firstAddress = random.next() & 0x3fff_ffff_0000
        super.init(name, at: route, in: world)
        renew()
    }

    override func prepareAdvert() { renew() }

    private func renew() {
        let now = epochSeconds + world.now.microseconds / 1_000_000
        guard let identity = try? ExposureNotification.identity(at: now, by: &maker).identity,
            identity != advertised
        else { return }
        advertised = identity
        let address = HCI.DeviceAddress(value: firstAddress + now / 600 & 0xffff, isRandom: true)
        let advert = Advertisement(
            address: address, kind: .nonConnectable, data: [UInt8](copying: identity.advert.span))
        advertise(advert, every: .milliseconds(270))
    }
}

/// Tests the whole path from adverts on the air to a day's risk: the log of a board's agent and an
/// authority's export file meet in the search.
@Suite struct ExposureRoundTripTests {
    @Test func `A patient who stood near a board is found with the export, and no other person is`() throws {
        let world = World(seed: 21)
        var setup = BoardSetup()
        setup.options = [
            "herald.country=826", "herald.state=4", "herald.location=1",
            "schemes.exposure_notification=\"listen\"",
        ]
        setup.place = Route(standingAt: Position(0, 0))
        let board = SimulatedBoard("foyer", setup, in: world)
        let morning = SampleWorld.morning
        let ill = ExposureNotificationPhone(
            "ill", txPowerDBm: -12, epochMilliseconds: Int64(morning.milliseconds),
            at: Route(standingAt: Position(2, 0)),
            in: world)
        let healthy = ExposureNotificationPhone(
            "healthy", txPowerDBm: -12, epochMilliseconds: Int64(morning.milliseconds),
            at: Route(standingAt: Position(3, 0)),
            in: world)
        board.powerOn()
        board.clock.setWallClock(morning, errorMilliseconds: 1)
        world.run(for: .minutes(25))
        try #require(board.startFailure == nil)
        board.stop()
        world.run(for: .seconds(5))

        let encounters = EncounterAssembly.encounters(of: try board.history())
        let (zip, publicKey) = try published(try #require(ill.maker.key))
        let export = try ExportPackage(zip: zip).export(signedBy: publicKey)
        #expect(export.keys.count == ExposureKeyExport.minimumKeyCount)
        let search = try ExposureSearch(
            encounters, for: PublishedKeys([export]), now: morning + .days(1),
            mapping: .standard)

        // Each phone had three identifiers, from 09:00, 09:10 and 09:20.
        #expect(search.counts.searched == 6)
        #expect(search.exposures.count == 3)
        #expect(healthy.maker.key != ill.maker.key)
        #expect(search.exposures.allSatisfy { $0.txPowerDBm == -12 })
        #expect(search.windows.count == 1)
        let seconds = try #require(search.windows.first).seconds
        #expect((24 * 60...25 * 60).contains(seconds))
        let days = ExposureDay.days(
            of: search.windows, by: .coronaWarnApp, now: morning + .days(1))
        #expect(days.map(\.level) == [.high])
        world.end()
    }

    private func published(
        _ key: TemporaryExposureKey
    ) throws -> (zip: [UInt8], publicKey: P256PublicKey) {
        var export = ExposureKeyExport()
        export.keys = [
            ExportedKey(
                data: [UInt8](copying: key.data.span), rollingStart: Int32(key.rollingStart.number),
                reportType: 1)
        ]
        var signer = try P256PrivateKey(entropy: .system)
        let publicKey = signer.publicKey
        let package = try ExportPackage(signing: export, with: &signer, entropy: .system)
        return (package.zip, publicKey)
    }
}
