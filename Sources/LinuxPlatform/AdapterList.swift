import CLinux
import Configuration
import FixedMemory

/// The adapters that exist at one moment, at most sixteen.
public struct AdapterList: Sendable {
    public static let capacity = 16

    private var adapters = InlineArray<16, Adapter>(
        repeating: Adapter(number: 0, bus: nil, address: AdapterAddress(Bytes<6>())))
    private var count = 0

    /// Makes a list of the first sixteen of `adapters`.
    public init(_ adapters: Span<Adapter>) {
        for index in 0..<min(adapters.count, Self.capacity) { append(adapters[index]) }
    }

    /// Reads the list from the kernel.
    public static func ofKernel() throws(SystemError) -> AdapterList {
        var found = InlineArray<16, clinux_adapter>(repeating: clinux_adapter())
        var span = found.mutableSpan
        let count = try SystemError.check(
            span.withUnsafeMutableBufferPointer {
                clinux_hci_adapters($0.baseAddress, Int32(truncatingIfNeeded: $0.count))
            })
        var list = AdapterList()
        for index in 0..<min(Int(count), capacity) { list.append(Adapter(found[index])) }
        return list
    }

    private init() {}

    private mutating func append(_ adapter: Adapter) {
        adapters[count] = adapter
        count += 1
    }

    /// Returns the number of the adapter with this name. If several are on the named bus, the lowest number
    /// is chosen.
    public func choose(_ name: AdapterName) -> AdapterChoice {
        var chosen: UInt16?
        var isOneUnknown = false
        for index in 0..<count {
            let adapter = adapters[index]
            let isMeant =
                switch name {
                case .number(let number): adapter.number == number
                case .bus(let bus): adapter.bus == bus
                case .address(let address): adapter.address == address
                }
            if isMeant { chosen = min(chosen ?? .max, adapter.number) }
            if adapter.address.isUnknown { isOneUnknown = true }
        }
        if let chosen { return .number(chosen) }
        if case .address = name, isOneUnknown { return .notKnownYet }
        return .absent
    }

    /// Writes all adapters, separated by commas; nothing if there are none.
    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        for index in 0..<count {
            if index > 0 { try sink.append(", ") }
            try adapters[index].write(to: &sink)
        }
    }

    public var isEmpty: Bool { count == 0 }

    /// Whether an adapter has one of the addresses that controllers show until they are given one.
    public var hasDefaultAddress: Bool {
        for index in 0..<count where adapters[index].address.isDefault { return true }
        return false
    }
}

/// The adapter that a name refers to.
public enum AdapterChoice: BitwiseCopyable, Equatable, Sendable {
    case number(UInt16)
    case absent
    /// No adapter has the address, but the address of one adapter is not known yet.
    case notKnownYet
}

extension AdapterName {
    /// Returns the number of the adapter to which the name refers now.
    func number() throws(SystemError) -> UInt16 {
        // The kernel itself reports whether an adapter with this number exists.
        if case .number(let number) = self { return number }
        switch try AdapterList.ofKernel().choose(self) {
        case .number(let number): return number
        case .absent: throw SystemError(number: Int32(CLINUX_ENODEV))
        case .notKnownYet: throw SystemError(number: Int32(CLINUX_EAGAIN))
        }
    }
}
