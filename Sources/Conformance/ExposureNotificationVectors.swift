import Authority
import Cryptography
import FixedMemory
import Schemes
import TextFormats

/// `official`, `metadata_cases`, `own`, `official_tek_hmac`, `official_export` and `own_export`.
enum ExposureNotificationVectors {
    static func cases(_ section: String, _ root: VectorObject) throws(VectorError) -> [VectorCase] {
        switch section {
        case "official": try official(root)
        case "metadata_cases":
            try root.objects("metadata_cases").map { VectorCase($0) { try metadata($0, root) } }
        case "own": try own(root)
        case "official_tek_hmac": try commitments(root)
        case "official_export":
            [VectorCase(try root.object(section), ExportFileVectors.checkOfficial)]
        default: [VectorCase(try root.object(section), ExportFileVectors.checkOwn)]
        }
    }

    // MARK: A key of the specification's authors, with all its identifiers

    private static func official(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let pairs = try root.object("official").objects("pairs")
        return [VectorCase(try root.object("official"), officialKey)]
            + pairs.enumerated().map { index, pair in
                VectorCase(pair) { try check($0, index, try root.object("official")) }
            }
    }

    private static func officialKey(_ object: VectorObject) throws {
        let key = try key("tek", object)
        try object.expect("key_generation_seconds", key.rollingStart.startSeconds)
        let keys = try RollingKeys(key)
        try object.expect("rpik", keys.identifierKey)
        try object.expect("aemk", keys.metadataKey)
        try object.expect("rolling_period", try object.objects("pairs").count)
        let metadata = AssociatedMetadata(try object.block("metadata"))
        let start = key.rollingStart.startSeconds
        var maker = ExposureNotificationMaker(metadata: metadata, key: key, entropy: .system)
        let identity = try ExposureNotification.identity(at: start, by: &maker).identity
        try object.expect("advert_31_bytes_interval0", identity.advert)
        let serviceData = Array(identity.advert.array.dropFirst(11))
        guard try ExposureNotification.read(serviceData.span) == identity else {
            throw object.error("advert_31_bytes_interval0", "is read as another identity")
        }
    }

    private static func check(_ pair: VectorObject, _ index: Int, _ official: VectorObject) throws {
        let key = try key("tek", official)
        let interval = ExposureNotificationInterval(number: key.rollingStart.number + UInt32(index))
        try pair.expect("i", index)
        try pair.expect("interval", interval.number)
        let metadata = AssociatedMetadata(try official.block("metadata"))
        var keys = try RollingKeys(key)
        let identifier = try keys.identifier(of: interval)
        try pair.expect("rpi", identifier.bytes)
        let encrypted = try keys.encrypt(metadata, with: identifier)
        try pair.expect("aem", encrypted.bytes)
        guard try keys.decrypt(encrypted, with: identifier) == metadata else {
            throw pair.error("aem", "is decrypted to something else")
        }
        guard try ExposureNotification.matches(identifier, seenAt: interval.startSeconds, key) else {
            throw pair.error("rpi", "is not found again by its key")
        }
    }

    // MARK: Others

    private static func metadata(_ object: VectorObject, _ root: VectorObject) throws {
        let metadata = AssociatedMetadata(try object.block("metadata"))
        try object.expect("major", metadata.majorVersion)
        try object.expect("minor", metadata.minorVersion)
        try object.expect("calibration_confidence", metadata.calibrationConfidence)
        try object.expect("tx_power", metadata.txPowerDBm)
        let made = AssociatedMetadata(
            majorVersion: metadata.majorVersion, minorVersion: metadata.minorVersion,
            calibrationConfidence: metadata.calibrationConfidence, txPowerDBm: metadata.txPowerDBm)
        guard made == metadata else { throw object.error("metadata", "has reserved bits that are not 0") }
        let key = try key("tek", root.object("official"))
        var keys = try RollingKeys(key)
        let identifier = try keys.identifier(of: key.rollingStart)
        try object.expect("aem_interval0", try keys.encrypt(metadata, with: identifier).bytes)
    }

    private static func own(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let objects = try root.objects("own")
        let metadata = try metadataNames(objects[0].objects("first3")[0])
        return objects.map { VectorCase($0) { try own($0, metadata) } }
    }

    /// The names of the fields whose names contain the encrypted metadata. They come from one identifier and
    /// apply to all, so that none can be omitted.
    private static func metadataNames(_ first: VectorObject) -> [String] {
        first.names.filter { $0.hasPrefix("aem_") }
    }

    private static func own(_ object: VectorObject, _ metadataNames: [String]) throws {
        let key = try key("tek", object)
        var keys = try RollingKeys(key)
        try object.expect("rpik", keys.identifierKey)
        try object.expect("aemk", keys.metadataKey)
        let firsts = try object.objects("first3")
        guard firsts.count == min(3, Int(key.rollingPeriod)) else {
            throw object.error("first3", "are not the first three")
        }
        for (index, first) in firsts.enumerated() {
            let interval = ExposureNotificationInterval(number: key.rollingStart.number + UInt32(index))
            try first.expect("interval", interval.number)
            let identifier = try keys.identifier(of: interval)
            try first.expect("rpi", identifier.bytes)
            guard !metadataNames.isEmpty else { throw first.error("aem_…", "is missing") }
            for name in metadataNames {
                guard let metadata = Hexadecimal.bytes(String(name.dropFirst(4))).flatMap({ Bytes<4>($0) })
                else { throw first.error(name, "names no metadata") }
                try first.expect(name, try keys.encrypt(AssociatedMetadata(metadata), with: identifier).bytes)
            }
            try first.finish()
        }
        let last = try object.object("last")
        try last.expect("interval", key.lastInterval.number)
        try last.expect("rpi", try keys.identifier(of: key.lastInterval).bytes)
        try last.finish()
    }

    private static func key(_ name: String, _ object: VectorObject) throws -> TemporaryExposureKey {
        try TemporaryExposureKey(
            data: object.block(name),
            rollingStart: ExposureNotificationInterval(number: object.integer("rolling_start_interval")),
            rollingPeriod: object.integer("rolling_period"))
    }

    private static func commitments(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let section = try root.object("official_tek_hmac")
        let secret = try section.bytes("secret")
        // HMAC ignores zeros appended to a key.
        guard secret.last != 0 else { throw section.error("secret", "ends with zeros that change nothing") }
        let cases = try section.objects("cases").map { VectorCase($0) { try commitment($0, secret) } }
        try section.finish()
        return cases
    }

    private static func commitment(_ object: VectorObject, _ secret: [UInt8]) throws {
        var keys: [ExportedKey] = []
        for value in try object.objects("keys") {
            keys.append(
                ExportedKey(
                    data: try value.base64("key"), transmissionRisk: try value.integer("risk"),
                    rollingStart: try value.integer("start"), rollingPeriod: try value.integer("count")))
            try value.finish()
        }
        let stated = try object.text("text")
        let mayLackRisks = keys.allSatisfy { $0.transmissionRisk == 0 }
        if !mayLackRisks || stated != KeyCommitment.text(keys, hasRisks: false) {
            try object.expect("text", KeyCommitment.text(keys))
        }
        try object.expectBase64("hmac_b64", try KeyCommitment.code(of: stated, secret: secret).array)
    }
}
