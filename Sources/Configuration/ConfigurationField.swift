import FixedMemory

/// A type that can store a key's value.
protocol ConfigurationField {
    /// Converts a value that the key's ``KeyKind``, which corresponds to the field's type, has already
    /// checked.
    init(_ value: ConfigurationValue) throws(ConfigurationProblem)
    var value: ConfigurationValue { get }
}

extension ConfigurationField where Self: FixedWidthInteger {
    init(_ value: ConfigurationValue) throws(ConfigurationProblem) {
        guard case .integer(let number) = value else { throw .wrongType(found: value.type) }
        self.init(truncatingIfNeeded: number)
    }

    var value: ConfigurationValue { .integer(Int64(truncatingIfNeeded: self)) }
}

extension Int8: ConfigurationField {}
extension UInt8: ConfigurationField {}
extension UInt16: ConfigurationField {}
extension UInt32: ConfigurationField {}
extension UInt64: ConfigurationField {}

extension Optional: ConfigurationField where Wrapped: ConfigurationField {
    init(_ value: ConfigurationValue) throws(ConfigurationProblem) {
        self = value == .none ? nil : try Wrapped(value)
    }

    var value: ConfigurationValue { self?.value ?? .none }
}

extension Bool: ConfigurationField {
    init(_ value: ConfigurationValue) throws(ConfigurationProblem) {
        guard case .boolean(let boolean) = value else { throw .wrongType(found: value.type) }
        self = boolean
    }

    var value: ConfigurationValue { .boolean(self) }
}

/// A field that is text in the file and has a more specific type in memory.
protocol TextualField: ConfigurationField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem)
    /// The buffer is longer than any value, and as long as those of messages: the image has the code for one
    /// length.
    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError)
}

extension TextualField {
    init(_ value: ConfigurationValue) throws(ConfigurationProblem) {
        guard case .text(let text) = value else { throw .wrongType(found: value.type) }
        try self.init(parsing: text)
    }

    var value: ConfigurationValue {
        var text = FixedBuffer<1024>()
        try? writeText(to: &text)
        return .text(FixedText(text.span) ?? FixedText())
    }
}

extension FixedText: ConfigurationField, TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        guard let copy = FixedText(text.span) else { throw .textTooLong(byteCount: text.count) }
        self = copy
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) { try sink.append(span) }
}

extension AgentConfiguration.Role: TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        if text.span.isEqual(to: "beacon") {
            self = .beacon
        } else if text.span.isEqual(to: "wearable") {
            self = .wearable
        } else {
            throw .roleUnknown
        }
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) {
        switch self {
        case .beacon: try sink.append("beacon")
        case .wearable: try sink.append("wearable")
        }
    }
}

extension AgentConfiguration.SchemeRole: TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        if text.span.isEqual(to: "off") {
            self = .off
        } else if text.span.isEqual(to: "listen") {
            self = .listen
        } else if text.span.isEqual(to: "on") {
            self = .on
        } else {
            throw .schemeRoleUnknown
        }
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) {
        switch self {
        case .off: try sink.append("off")
        case .listen: try sink.append("listen")
        case .on: try sink.append("on")
        }
    }
}

extension AgentConfiguration.ScanDuty: TextualField {
    private static var all: InlineArray<4, Self> { [.continuous, .balanced, .saver, .custom] }

    private var name: StaticString {
        switch self {
        case .continuous: "continuous"
        case .balanced: "balanced"
        case .saver: "saver"
        case .custom: "custom"
        }
    }

    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        let all = Self.all
        for index in all.indices where text.span.isEqual(to: all[index].name) {
            self = all[index]
            return
        }
        throw .scanDutyUnknown
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) { try sink.append(name) }
}

extension GeographicPosition: TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        guard let position = GeographicPosition(parsing: text.span) else { throw .positionMalformed }
        self = position
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) { try sink.append(self) }
}

extension TransportName: TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        do throws(TransportNameError) {
            self = try TransportName(parsing: text.span)
        } catch {
            throw .transport(error)
        }
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) { try write(to: &sink) }
}

extension RadioPowerName: TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        do throws(RadioPowerNameError) {
            self = try RadioPowerName(parsing: text.span)
        } catch {
            throw .radioPower(error)
        }
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) { try write(to: &sink) }
}

extension SyncPortName: TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) {
        do throws(SyncPortNameError) {
            self = try SyncPortName(parsing: text.span)
        } catch {
            throw .syncPort(error)
        }
    }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) { try write(to: &sink) }
}
