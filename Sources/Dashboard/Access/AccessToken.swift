import Cryptography
import FixedMemory
import LogContents

/// The secret in the address of a dashboard: 128 random bits.
public struct AccessToken: Sendable {
    /// 32 hexadecimal digits.
    public let text: String

    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(text: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }.hexadecimal)
    }

    init(text: String) { self.text = text }

    /// Whether a text is the token. The time it takes does not depend on where the two differ.
    func matches(_ other: String) -> Bool { Self.areEqual(text, other) }

    /// The field of a form that another page cannot know, although a browser sends the cookie along.
    public var formProof: String {
        let digest = SHA256.digest(of: Array("form \(text)".utf8).span)
        return [UInt8](copying: digest.span).hexadecimal
    }

    static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
