import BoardLink
import Cryptography
import DeviceSync
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
            JSONMember("nonce", .string(Hexadecimal.text(label.nonce.array))),
            JSONMember("made", .string(UTCTime.text(label.madeAt))),
            JSONMember("agent", .string(label.agentVersion)),
        ]
        if let name = label.name { members.append(JSONMember("name", .string(name))) }
        members += [
            JSONMember("log", .string(log.hexadecimal)),
            JSONMember("board", .string(Hexadecimal.text(boardKey.x963.array))),
            JSONMember("owner", .string(Hexadecimal.text(ownerFingerprint.array))),
            JSONMember("operator", .string(Hexadecimal.text(operatorFingerprint.array))),
            JSONMember("configuration", .string(String(decoding: configuration, as: UTF8.self))),
            JSONMember("records", .array(records.map(Self.json))),
        ]
        return JSONValue.object(members).line
    }

    private static func json(_ record: BoardBackupRecord) -> JSONValue {
        let scheme = SchemeCode(rawValue: record.scheme).id
        return .object([
            JSONMember("scheme", .string(scheme.map { "\($0.name)" } ?? "\(record.scheme)")),
            JSONMember("state", .string(name(of: record.state))),
            JSONMember("sealed", .string(Base64.text(record.sealed))),
            JSONMember("signature", .string(Base64.text(record.signature.array))),
        ])
    }

    private static func name(of state: BackupState) -> String {
        switch state {
        case .none: "none"
        case .sealed: "sealed"
        case .unreadable: "unreadable"
        }
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
        guard let log = LogIdentity(try Self.bytes(json, "log")) else {
            throw .malformed("\"log\" has not 32 digits")
        }
        guard let records = json["records"]?.array else { throw .malformed("\"records\" is missing") }
        self.init(
            label: try Self.label(json), log: log, boardKey: boardKey,
            ownerFingerprint: try Self.block(json, "owner"),
            operatorFingerprint: try Self.block(json, "operator"),
            configuration: Array(try Self.text(json, "configuration").utf8),
            records: try records.map { json throws(BackupError) in try Self.record(json) })
    }

    private static func label(_ json: JSONValue) throws(BackupError) -> BackupLabel {
        let made = try text(json, "made")
        guard let madeAt = UTCTime.seconds(made), UTCTime.text(madeAt) == made else {
            throw .malformed("\"made\" is not a time")
        }
        let (agent, name) = (try text(json, "agent"), json["name"]?.string)
        guard OneLineText.isPlain(agent) else { throw .malformed("\"agent\" has control characters") }
        guard OneLineText.isPlain(name ?? "") else { throw .malformed("\"name\" has control characters") }
        return BackupLabel(
            nonce: try block(json, "nonce"), madeAt: madeAt, agentVersion: agent, name: name)
    }

    private static func record(_ json: JSONValue) throws(BackupError) -> BoardBackupRecord {
        guard let bytes = Base64.bytes(try text(json, "signature")), let signature = Bytes<64>(bytes)
        else { throw .malformed("a \"signature\" is not 64 bytes in Base64") }
        let name = try text(json, "scheme")
        guard let scheme = Self.schemes.first(where: { "\($0.name)" == name }) else {
            throw .malformed("\"\(name)\" is not a scheme with secrets")
        }
        let stateName = try text(json, "state")
        let states: [BackupState] = [.none, .sealed, .unreadable]
        guard let state = states.first(where: { Self.name(of: $0) == stateName }) else {
            throw .malformed("\"state\" of \(name) is none of none, sealed and unreadable")
        }
        guard let sealed = Base64.bytes(try text(json, "sealed")), sealed.isEmpty == (state != .sealed) else {
            throw .malformed("\"sealed\" of \(name) is not Base64")
        }
        return BoardBackupRecord(
            scheme: SchemeCode(scheme).rawValue, state: state, sealed: sealed, signature: signature)
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

    private static func block(_ json: JSONValue, _ name: String) throws(BackupError) -> Bytes<16> {
        guard let block = Bytes<16>(try bytes(json, name)) else {
            throw .malformed("\"\(name)\" has not 32 digits")
        }
        return block
    }
}
