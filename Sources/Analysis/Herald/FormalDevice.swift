import TextFormats

/// A participant of a formal test, as described in the first fields of its `detection.csv`.
public struct FormalDevice: Sendable, Equatable {
    /// The name of its folder.
    public var name: String
    public var model: String
    public var system: String
    public var systemVersion: String
    /// Six characters that identify it in other devices' logs; empty if unknown.
    public var shortName: String

    public init(name: String, model: String, system: String, systemVersion: String, shortName: String) {
        self.name = name
        self.model = model
        self.system = system
        self.systemVersion = systemVersion
        self.shortName = shortName
    }

    /// Nil unless the first line has the four fields.
    public init?(name: String, detectionLog: [UInt8]) {
        let line = ByteOrderMark.skipped(detectionLog[...]).prefix {
            $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        let fields = HeraldCSV.fields(line)
        guard fields.count >= 4 else { return nil }
        self.init(
            name: name, model: fields[0], system: fields[1], systemVersion: fields[2],
            shortName: Self.shortName(ArraySlice(Array(fields[3].utf8))))
    }

    /// The part that Herald's scripts compare: the first six characters.
    static func shortName(_ data: ArraySlice<UInt8>) -> String {
        String(decoding: data.prefix(6), as: UTF8.self)
    }
}
