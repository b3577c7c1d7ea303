import FixedMemory

/// A value as written, before its key has checked it.
enum ConfigurationValue: BitwiseCopyable, Equatable {
    /// The key has no value and no default.
    case none
    case integer(Int64)
    /// An integer that does not fit 64 bits.
    case hugeInteger
    case boolean(Bool)
    case text(FixedText<256>)
    /// A text longer than 255 bytes.
    case longText(byteCount: Int)

    var type: ConfigurationValueType {
        switch self {
        case .none, .integer, .hugeInteger: .integer
        case .boolean: .boolean
        case .text, .longText: .text
        }
    }
}

extension KeyKind {
    var valueType: ConfigurationValueType {
        switch self {
        case .boolean: .boolean
        case .integer, .baudRate: .integer
        case .role, .text, .webAddress, .path, .transport, .syncPort, .radioPower, .scanDuty, .schemeRole,
            .address, .position:
            .text
        }
    }

    /// Whether the sync port may set such a value. It may not set files and devices of the board or the sync
    /// port itself, because an operator could not correct a mistake remotely.
    var canBeSetOverCable: Bool {
        switch self {
        case .path, .transport, .syncPort, .radioPower, .baudRate: false
        case .boolean, .integer, .role, .scanDuty, .schemeRole, .text, .webAddress, .address,
            .position:
            true
        }
    }

    /// Checks type, range and length. The type that stores the value checks the format of a text.
    func check(_ value: ConfigurationValue) throws(ConfigurationProblem) {
        guard value.type == valueType else { throw .wrongType(found: value.type) }
        switch value {
        case .hugeInteger: throw .numberTooLarge
        case .longText(let byteCount): throw .textTooLong(byteCount: byteCount)
        case .integer(let number): try check(number)
        case .text(let text): try check(text)
        case .none, .boolean: break
        }
    }

    private func check(_ number: Int64) throws(ConfigurationProblem) {
        switch self {
        case .integer(let minimum, let maximum):
            guard number >= minimum, number <= maximum else { throw .outOfRange(number) }
        case .baudRate:
            guard number >= 0, number <= 4_000_000, BaudRate.isStandard(UInt32(truncatingIfNeeded: number))
            else {
                throw .baudRateUnknown(number)
            }
        default: break
        }
    }

    private func check(_ text: FixedText<256>) throws(ConfigurationProblem) {
        let bytes = text.span
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7f {
            throw .textHoldsControlCharacter
        }
        switch self {
        case .path(mayBeEmpty: false) where text.isEmpty: throw .pathMissing
        case .webAddress where !text.isEmpty && !bytes.starts(with: "https://"): throw .webAddressUnsafe
        case .schemeRole(let last):
            let role = try AgentConfiguration.SchemeRole(parsing: text)
            guard role.rawValue <= last.rawValue else { throw .schemeRoleUnknown }
        default: break
        }
    }
}
