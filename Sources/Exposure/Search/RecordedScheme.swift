import Archive
import EncounterLog
import FixedMemory
import Schemes

/// A scheme whose identities boards record as they were read, and whose authority publishes keys that give identities away.
public protocol RecordedScheme: PublishingScheme where Expanded == Identity {
    static var id: SchemeID { get }
    /// For so long contacts are kept (``ContactRetention``); what was recorded earlier does not match, forgotten or not.
    static var retentionDays: Int { get }
}

extension RecordedScheme {
    public static var retentionDays: Int { ContactRetention()[.scheme(SchemeCode(id))] }
}

extension Herald: RecordedScheme {
    public static var id: SchemeID { .herald }
}

extension CovidTracer: RecordedScheme {
    public static var id: SchemeID { .covidTracer }
}

extension BLEProximity: RecordedScheme {
    public static var id: SchemeID { .bleProximity }
}

/// A key that an authority has published, and how people call it.
public struct PublishedIdentityKey<Key: Sendable>: Sendable {
    public let key: Key
    /// In hexadecimal.
    public let text: String
    /// What the authority says of it; nil where it says nothing.
    public let kind: String?

    public init(_ key: Key, text: String, kind: String? = nil) {
        self.key = key
        self.text = text
        self.kind = kind
    }
}
