import BoardLink
import Cryptography
import EncounterLog
import FixedMemory
import LogContents
import Schemes
import TextFormats

/// The file format (docs/backups.md).
extension BoardBackup {
    private static let format = "tabard-backup"
    private static let version = 1

    /// The file, one JSON object.
    public var file: [UInt8] {
        var members: [JSONMember] = [
            JSONMember("format", .string(Self.format)),
            JSONMember("version", .integer(Self.version)),
            JSONMember("made", .string(UTCTime.text(madeAt))),
        ]
        if let name { members.append(JSONMember("name", .string(name))) }
        members += [
            JSONMember("log", .string(log.hexadecimal)),
            JSONMember("agent", .string(agentVersion)),
            JSONMember("board", .string(Hexadecimal.text(boardKey.x963.array))),
            JSONMember("owner", .string(Hexadecimal.text(ownerFingerprint.array))),
            JSONMember("operator", .string(Hexadecimal.text(operatorFingerprint.array))),
            JSONMember("configuration", .string(String(decoding: configuration, as: UTF8.self))),
            JSONMember("records", .array(records.map(Self.json))),
        ]
        return JSONValue.object(members).line
    }

    private static func json(_ record: BoardBackupRecord) -> JSONValue {
        var members: [JSONMember] = []
        if let scheme = SchemeCode(rawValue: record.scheme).id {
            members.append(JSONMember("scheme", .string("\(scheme.name)")))
            members.append(JSONMember("sealed", .string(Base64.text(record.sealed))))
        }
        members.append(JSONMember("signature", .string(Base64.text(record.signature.array))))
        return .object(members)
    }

    /// Reads a file. The signatures are not checked yet: ``verify()``.
    public init(file: [UInt8]) throws(BackupError) {
        let json: JSONValue
        do throws(JSONError) { json = try JSONReader.read(file) } catch {
            throw .malformed("\(error)")
        }
        guard json["format"]?.string == Self.format else { throw .malformed("not a backup of a board") }
        let version: Int? = json["version"]?.integer()
        guard let version else { throw .malformed("it states no version") }
        guard version == Self.version else { throw .unknownVersion(version) }
        let key = try Self.bytes(json, "board")
        let boardKey: P256PublicKey
        do throws(CryptographyError) { boardKey = try P256PublicKey(x963: key.span) } catch {
            throw .malformed("\"board\" is not a P-256 key")
        }
        guard let madeAt = UTCTime.seconds(try Self.text(json, "made")) else {
            throw .malformed("\"made\" is not a time")
        }
        guard let log = LogIdentity(try Self.bytes(json, "log")) else {
            throw .malformed("\"log\" has not 32 digits")
        }
        let name = json["name"]?.string
        guard OneLineText.isPlain(name ?? "") else { throw .malformed("\"name\" has control characters") }
        guard let records = json["records"]?.array else { throw .malformed("\"records\" is missing") }
        self.init(
            madeAt: madeAt, name: name, log: log,
            agentVersion: try Self.text(json, "agent"), boardKey: boardKey,
            ownerFingerprint: try Self.fingerprint(json, "owner"),
            operatorFingerprint: try Self.fingerprint(json, "operator"),
            configuration: Array(try Self.text(json, "configuration").utf8),
            records: try records.map { json throws(BackupError) in try Self.record(json) })
    }

    private static func record(_ json: JSONValue) throws(BackupError) -> BoardBackupRecord {
        guard let bytes = Base64.bytes(try text(json, "signature")), let signature = Bytes<64>(bytes)
        else { throw .malformed("a \"signature\" is not 64 bytes in Base64") }
        guard json["scheme"] != nil else {
            return BoardBackupRecord(scheme: 0, sealed: [], signature: signature)
        }
        let name = try text(json, "scheme")
        let schemes: [SchemeID] = [.herald, .sonar, .covidTracer]
        guard let scheme = schemes.first(where: { "\($0.name)" == name }) else {
            throw .malformed("\"\(name)\" is not a scheme with secrets")
        }
        guard let sealed = Base64.bytes(try text(json, "sealed")), !sealed.isEmpty else {
            throw .malformed("\"sealed\" of \(name) is not Base64")
        }
        return BoardBackupRecord(
            scheme: SchemeCode(scheme).rawValue, sealed: sealed, signature: signature)
    }

    private static func text(_ json: JSONValue, _ name: String) throws(BackupError) -> String {
        guard let text = json[name]?.string else { throw .malformed("\"\(name)\" is missing") }
        return text
    }

    private static func bytes(_ json: JSONValue, _ name: String) throws(BackupError) -> [UInt8] {
        guard let bytes = Hexadecimal.bytes(try text(json, name)) else {
            throw .malformed("\"\(name)\" is not in hexadecimal digits")
        }
        return bytes
    }

    private static func fingerprint(_ json: JSONValue, _ name: String) throws(BackupError) -> Bytes<16> {
        let bytes = try bytes(json, name)
        guard let fingerprint = Bytes<16>(bytes) else {
            throw .malformed("\"\(name)\" has not 32 digits")
        }
        return fingerprint
    }
}
