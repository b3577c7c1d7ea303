/// The code that a person reads to a call centre, so that a test result finds the installation. It has 35
/// random bits and a check of 5 bits: eight characters of Crockford's base 32, `xxxx-xxxx`.
///
/// The original's table of checks was never published. **This one is ours** and compatible with no other. It
/// is Damm's scheme over the field of 32 elements, modulo x⁵ + x² + 1, with a∘b = 2·(a + b). It detects every
/// wrong character, and every exchange of two neighbours.
public struct SonarReferenceCode: Equatable, Hashable, Sendable {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    public static let digitCount = 8

    /// Seven random digits and the check, 0 through 31 each.
    private let digits: [UInt8]

    public init(using generator: inout some RandomNumberGenerator) {
        let random = (1..<Self.digitCount).map { _ in UInt8.random(in: 0..<32, using: &generator) }
        digits = random + [Self.check(random)]
    }

    /// Parses a code as typed by a person: capital letters, `o` for 0, `i` and `l` for 1, and hyphens are
    /// accepted. Nil if the check fails.
    public init?(_ text: String) {
        var digits: [UInt8] = []
        for character in text.lowercased() where character != "-" {
            let meant: Character =
                switch character {
                case "o": "0"
                case "i", "l": "1"
                default: character
                }
            guard let digit = Self.alphabet.firstIndex(of: meant) else { return nil }
            digits.append(UInt8(digit))
        }
        guard digits.count == Self.digitCount, Self.check(digits) == 0 else { return nil }
        self.digits = digits
    }

    public var text: String {
        let characters = digits.map { String(Self.alphabet[Int($0)]) }
        return characters[..<4].joined() + "-" + characters[4...].joined()
    }

    /// The check of digits without one; 0 for digits with the right check.
    private static func check(_ digits: [UInt8]) -> UInt8 {
        digits.reduce(0) { interim, digit in
            let sum = (interim ^ digit) << 1
            return sum & 32 == 0 ? sum : sum ^ 0b100101
        }
    }
}
