import FixedMemory
import Schemes
import TextFormats

/// An observed payload, and its phone's signal strength from then on.
public struct SonarContactEvent: Equatable, Sendable {
    /// The value in an upload if the peer's advert had no transmit power.
    public static let noTxPower: Int8 = -128

    public let payload: SonarPayload
    public let txPowerAdvertisedDBm: Int8
    public let startSeconds: UInt32
    public let durationSeconds: UInt32
    public let rssiValuesDBm: [Int8]
    /// Seconds before each value: from the start for the first, from the previous value for the others.
    /// Negative if the phone's clock was set back in between.
    public let rssiIntervalsSeconds: [Int64]

    public init(
        payload: SonarPayload, txPowerAdvertisedDBm: Int8 = noTxPower, startSeconds: UInt32,
        durationSeconds: UInt32, rssiValuesDBm: [Int8], rssiIntervalsSeconds: [Int64]
    ) {
        self.payload = payload
        self.txPowerAdvertisedDBm = txPowerAdvertisedDBm
        self.startSeconds = startSeconds
        self.durationSeconds = durationSeconds
        self.rssiValuesDBm = rssiValuesDBm
        self.rssiIntervalsSeconds = rssiIntervalsSeconds
    }

    func json(_ dialect: SonarUpload.Dialect) -> JSONValue {
        let isAndroid = dialect == .android
        let base64: ([UInt8]) -> JSONValue = {
            .string(isAndroid ? Base64.wrappedText($0) : Base64.text($0))
        }
        let values: JSONValue =
            isAndroid
            ? base64(rssiValuesDBm.map { UInt8(bitPattern: $0) })
            : .array(rssiValuesDBm.map { .integer($0) })
        let start: JSONValue =
            isAndroid ? .string(UTCTime.text(UInt64(startSeconds))) : .integer(startSeconds)
        return .object([
            JSONMember("encryptedRemoteContactId", base64([UInt8](copying: payload.broadcast.cryptogram))),
            JSONMember("rssiValues", values),
            JSONMember("rssiIntervals", .array(rssiIntervalsSeconds.map { .integer($0) })),
            JSONMember("timestamp", start),
            JSONMember("duration", .integer(durationSeconds)),
            JSONMember("txPowerInProtocol", .integer(payload.txPowerDBm)),
            JSONMember("txPowerAdvertised", .integer(txPowerAdvertisedDBm)),
            JSONMember("hmacSignature", base64(payload.auth.array)),
            JSONMember("transmissionTime", .integer(payload.transmissionSeconds)),
            JSONMember("countryCode", .integer(payload.broadcast.country)),
        ])
    }

    init(_ json: JSONValue) throws(SonarUploadError) {
        payload = try Self.payload(json)
        txPowerAdvertisedDBm = try Self.integer(json, "txPowerAdvertised")
        durationSeconds = try Self.integer(json, "duration")
        startSeconds = try Self.start(json)
        rssiValuesDBm = try Self.rssiValues(json)
        guard let intervals = json["rssiIntervals"]?.array?.map({ $0.integer(Int64.self) }),
            intervals.count == rssiValuesDBm.count, !intervals.contains(nil)
        else { throw SonarUploadError(field: "rssiIntervals") }
        rssiIntervalsSeconds = intervals.compactMap(\.self)
    }

    private static func payload(_ json: JSONValue) throws(SonarUploadError) -> SonarPayload {
        // The apps copy what they read, as signed numbers.
        let country = UInt16(
            truncatingIfNeeded: try integer(json, "countryCode", in: Int64(Int16.min)...65_535))
        let time = UInt32(
            truncatingIfNeeded: try integer(json, "transmissionTime", in: Int64(Int32.min)...0xffff_ffff))
        let power: Int8 = try integer(json, "txPowerInProtocol")
        let cryptogram = try bytes(json, "encryptedRemoteContactId")
        guard let auth = Bytes<16>(try bytes(json, "hmacSignature")) else {
            throw SonarUploadError(field: "hmacSignature")
        }
        // Whether it has a point of the curve shows when it is resolved, because phones do not check that.
        let broadcast = Bytes<108>([UInt8(country >> 8), UInt8(country & 255)] + cryptogram)
        guard let broadcast else { throw SonarUploadError(field: "encryptedRemoteContactId") }
        return SonarPayload(SonarBroadcastValue(uncheckedPoint: broadcast), power, time, auth: auth)
    }

    private static func integer(
        _ json: JSONValue, _ name: String, in range: ClosedRange<Int64>
    ) throws(SonarUploadError) -> Int64 {
        let value: Int64 = try integer(json, name)
        guard range.contains(value) else { throw SonarUploadError(field: name) }
        return value
    }

    private static func start(_ json: JSONValue) throws(SonarUploadError) -> UInt32 {
        if case .number? = json["timestamp"] { return try integer(json, "timestamp") }
        guard let seconds = json["timestamp"]?.string.flatMap(UTCTime.seconds),
            let seconds = UInt32(exactly: seconds)
        else { throw SonarUploadError(field: "timestamp") }
        return seconds
    }

    private static func rssiValues(_ json: JSONValue) throws(SonarUploadError) -> [Int8] {
        if case .string? = json["rssiValues"] {
            return try bytes(json, "rssiValues").map { Int8(bitPattern: $0) }
        }
        guard let values = json["rssiValues"]?.array?.map({ $0.integer(Int8.self) }), !values.contains(nil)
        else { throw SonarUploadError(field: "rssiValues") }
        return values.compactMap(\.self)
    }

    private static func integer<Value: FixedWidthInteger>(
        _ json: JSONValue, _ name: String
    ) throws(SonarUploadError) -> Value {
        guard let value = json[name]?.integer(Value.self) else { throw SonarUploadError(field: name) }
        return value
    }

    private static func bytes(_ json: JSONValue, _ name: String) throws(SonarUploadError) -> [UInt8] {
        guard let bytes = json[name]?.string.flatMap(Base64.bytesWithinLines) else {
            throw SonarUploadError(field: name)
        }
        return bytes
    }
}
