import Cryptography
import FixedMemory

/// Known answers of each scheme, computed where the program runs: `tabard selftest` calls this on the board.
/// Computations that a board does in slices are done in slices here, too.
public enum SchemeSelfTest {
    /// Runs every case, reports each by name as it ends, and returns the first that failed; nil if all
    /// passed.
    public static func run(report: (StaticString, Bool) -> Void) -> StaticString? {
        var firstFailure: StaticString?
        func run(_ name: StaticString, _ passed: Bool) {
            report(name, passed)
            if !passed, firstFailure == nil { firstFailure = name }
        }
        run("Sonar, a payload for a known key", sonar())
        run("Sonar, a point off the curve refused", sonarOffCurve())
        run("CovidTracer, an hour's identifier", covidTracer())
        run("BLE-Proximity, an identity read", bleProximity())
        run("Exposure Notification, RPI and AEM of the specification", exposureNotification())
        run("Herald, a wearer's identifier", herald())
        return firstFailure
    }

    /// The code at the end authenticates everything before it. Tests/Vectors/schemes/sonar.json, day-0.
    private static func sonar() -> Bool {
        let installation = KnownBytes("e1d160c7f6e848bc868763c696d910cb")
        let secret = KnownBytes("1b9a354e9ea0b86494bb8b430bb31d4cb0e341bb2b1ab11e12ccda92cc21779e")
        let key = KnownBytes(
            "049377f115643e16cd02b23323171e094e457ee58070361f31d25da6089c7bc4a1f7251425ab5997bb15df477841cfb64d218269e218b015f2830dc75d1dd03a22"
        )
        guard let authorityKey = try? P256PublicKey(x963: key.span) else { return false }
        let registration = SonarRegistration(
            installation: Bytes(installation.span) ?? Bytes(), secret: Bytes(secret.span) ?? Bytes(),
            authorityKey: authorityKey)
        var maker = SonarMaker(registration, txPowerDBm: -7, entropy: Entropy(fill: repeatKnownDevice))
        guard let payload = try? Sonar.identity(at: 1_588_842_930, by: &maker).identity else { return false }
        return KnownBytes("1a3838c6ee0d1831b6b8aec2ca85c9ff").equals(payload.auth.span)
    }

    private static func sonarOffCurve() -> Bool {
        let bytes = Bytes<129>()
        do throws(SonarRefusal) { _ = try Sonar.read(bytes.span) } catch {
            return error == .invalidPublicKey
        }
        return false
    }

    /// Tests/Vectors/schemes/covidtracer.json, the first chain, 2020-04-25 at 14.
    private static func covidTracer() -> Bool {
        let key = KnownBytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        var root = CovidTracerRootKey(Bytes(key.span) ?? Bytes())
        guard let own = try? CovidTracer.identity(at: 1_587_823_200, by: &root).identity else { return false }
        return KnownBytes("a7692c6d68914f9e9160ee148898f5d3321d2836").equals(own.bytes.span)
    }

    private static func bleProximity() -> Bool {
        let wire = KnownBytes("efcdab8967452301")
        guard let identity = try? BLEProximity.read(wire.span) else { return false }
        return identity.value == 0x0123_4567_89ab_cdef && wire.equals(identity.encoded.span)
    }

    /// Tests/Vectors/schemes/gaen.json, the authors' own vectors.
    private static func exposureNotification() -> Bool {
        let data = KnownBytes("75c734c6dd1a782de7a965da5eb93125")
        let metadata = AssociatedMetadata(
            majorVersion: 1, minorVersion: 0, calibrationConfidence: 0, txPowerDBm: 8)
        guard
            let key = try? TemporaryExposureKey(
                data: Bytes(data.span) ?? Bytes(),
                rollingStart: ExposureNotificationInterval(number: 2_642_976))
        else { return false }
        var maker = ExposureNotificationMaker(metadata: metadata, key: key, entropy: .system)
        guard let own = try? ExposureNotification.identity(at: 1_585_786_200, by: &maker).identity else {
            return false
        }
        return KnownBytes("3c9a1de5dd6b02afa7fded7b570b3e56").equals(own.identifier.bytes.span)
            && KnownBytes("c29211b1").equals(own.metadata.bytes.span)
    }

    /// Herald's own file: day 0, period 1, of a secret of zeros.
    private static func herald() -> Bool {
        let secret = InlineArray<2048, UInt8>(repeating: 0)
        let schedule = HeraldKeySchedule(secret: secret.span, epochDay: 18_529)
        var job = try? DayKeysJob(schedule, firstDay: 18_529, dayCount: 1)
        guard let key = job?.advance(hashLimit: .max)?.key(of: 18_529) else { return false }
        let own = HeraldKeySchedule.identifier(ofPeriod: 1, of: key)
        return KnownBytes("d7f8ef992e35091fed00b9c47dcfe398").equals(own.span)
    }
}

/// A source of entropy that returns only a known device's private number.
private func repeatKnownDevice(
    _: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ byteCount: Int
) -> Int32 {
    let scalar = KnownBytes("141bfe9130772b225b16003b8e603ffac90a8a6b94141d291837fc1251d16372")
    for index in 0..<byteCount { bytes?[index] = scalar.span[index % 32] }
    return 0
}
