import FixedMemory
import Matching
import Schemes

/// An authority's result for one contact of an upload: the installation, or why none can be named.
public struct SonarContact: Equatable, Sendable {
    public enum Refusal: Error, Equatable, Sendable {
        /// The field of the upload that is missing or invalid.
        case unreadable(String)
        case payload(SonarRefusal)
    }

    /// Nil if it cannot be read.
    public let event: SonarContactEvent?
    public let installation: SonarInstallation?
    /// Nil if there is an installation.
    public let refusal: Refusal?

    /// Resolves all contacts of an upload, in its order.
    public static func resolve(
        _ upload: SonarUpload, in register: SonarRegister, by resolver: inout SonarBulkResolver
    ) -> [SonarContact] {
        let events = upload.events
        let readings = events.map { SonarReading($0.payload, observedAt: $0.observedAt) }
        let answers = resolver.resolve(readings) { register[$0]?.secret }
        var resolved = zip(events, answers).map { SonarContact($0, $1, register) }[...]
        return upload.contacts.compactMap { contact in
            switch contact {
            case .success: resolved.popFirst()
            case .failure(let error): SonarContact(unreadable: error.field)
            }
        }
    }

    private init(unreadable field: String) {
        event = nil
        installation = nil
        refusal = .unreadable(field)
    }

    private init(
        _ event: SonarContactEvent, _ answer: Result<SonarMessage, SonarRefusal>, _ register: SonarRegister
    ) {
        self.event = event
        switch answer {
        case .success(let message):
            installation = register[message.installation]
            refusal = nil
        case .failure(let reason):
            installation = nil
            refusal = .payload(reason)
        }
    }
}

extension SonarContact.Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let field): "unreadable \(field)"
        case .payload(let refusal): "\(refusal)"
        }
    }
}

extension SonarContactEvent {
    /// When the payload was read, as far as the event shows. It is the moment within the event that is
    /// nearest to the payload's own time. (An event lasts as long as the value, and does not state when the
    /// phone answered.)
    public var observedAt: UInt64 {
        let start = UInt64(startSeconds)
        return min(max(UInt64(payload.transmissionSeconds), start), start + UInt64(durationSeconds))
    }
}
