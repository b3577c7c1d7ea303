import Archive
import EncounterLog
import FixedMemory
import Schemes

/// A scheme whose identities boards record unchanged, and whose authority publishes keys from which
/// identities follow.
public protocol RecordedScheme: PublishingScheme where Expanded == Identity {
    static var id: SchemeID { get }
    /// The retention time (`ContactRetention` of Archive). Older contacts do not match, even if the archive
    /// still has them.
    static var retentionDays: Int { get }
}

extension RecordedScheme {
    public static var retentionDays: Int { ContactRetention()[.scheme(SchemeCode(id))] }

    /// The number of identities that follow from a key. Other keys of the scheme have about as many.
    static func identityCount(of key: PublishedKey) throws -> Int {
        var count = 0
        try expand(key) { _ in
            count += 1
            return true
        }
        return count
    }
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

/// A published key with its text form.
public struct PublishedIdentityKey<Key: Sendable>: Sendable {
    public let key: Key
    /// Hexadecimal.
    public let text: String
    /// The authority's classification of the key; nil if there is none.
    public let kind: String?

    public init(_ key: Key, text: String, kind: String? = nil) {
        self.key = key
        self.text = text
        self.kind = kind
    }
}
