import Cryptography
import FixedMemory
import Schemes

/// What an authority makes of one contact of an upload: whom it was with, or why it does not say.
public struct SonarContact: Equatable, Sendable {
    public let event: SonarContactEvent
    public let installation: SonarInstallation?
    /// Nil where there is an installation.
    public let refusal: SonarRefusal?

    /// All contacts of an upload, in its order.
    public static func resolve(
        _ upload: SonarUpload, in register: SonarRegister, by resolver: inout SonarResolver
    ) -> [SonarContact] {
        var contacts: [SonarContact] = []
        for event in upload.events { contacts.append(SonarContact(event, register, &resolver)) }
        return contacts
    }

    private init(_ event: SonarContactEvent, _ register: SonarRegister, _ resolver: inout SonarResolver) {
        self.event = event
        do throws(SonarRefusal) {
            let message = try resolver.resolve(event.payload, observedAt: event.observedAt) {
                register[$0]?.secret
            }
            installation = register[message.installation]
            refusal = nil
        } catch {
            installation = nil
            refusal = error
        }
    }
}

extension SonarContactEvent {
    /// When its payload was read, as far as the event says: the moment of it that is nearest to the payload's own time. (An
    /// event lasts as long as the value does, and nobody says when in it the phone answered.)
    public var observedAt: UInt64 {
        let start = UInt64(startSeconds)
        return min(max(UInt64(payload.transmissionSeconds), start), start + UInt64(durationSeconds))
    }
}
