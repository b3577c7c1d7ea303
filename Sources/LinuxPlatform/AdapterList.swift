import CLinux
import Configuration
import FixedMemory

/// The adapters there are at one moment, sixteen at most.
public struct AdapterList: Sendable {
    public static let capacity = 16

    private var adapters = InlineArray<16, Adapter>(
        repeating: Adapter(number: 0, bus: nil, address: AdapterAddress(Bytes<6>())))
    private var count = 0

    /// Those of `adapters` for which there is room.
    public init(_ adapters: Span<Adapter>) {
        for index in 0..<min(adapters.count, Self.capacity) { append(adapters[index]) }
    }

    /// What the kernel says now.
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

    /// The number of the adapter that is meant. Of several on one bus it is the lowest, in whatever order they stand.
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

    /// All of them with commas between; nothing if there are none.
    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        for index in 0..<count {
            if index > 0 { try sink.append(", ") }
            try adapters[index].write(to: &sink)
        }
    }

    public var isEmpty: Bool { count == 0 }
}

/// Which adapter a name means.
public enum AdapterChoice: BitwiseCopyable, Equatable, Sendable {
    case number(UInt16)
    case absent
    /// None has the address, but one has not told its own yet.
    case notKnownYet
}

extension AdapterName {
    /// The number that the name means at this moment.
    func number() throws(SystemError) -> UInt16 {
        // The kernel says by itself whether there is one of a number.
        if case .number(let number) = self { return number }
        switch try AdapterList.ofKernel().choose(self) {
        case .number(let number): return number
        case .absent: throw SystemError(number: Int32(CLINUX_ENODEV))
        case .notKnownYet: throw SystemError(number: Int32(CLINUX_EAGAIN))
        }
    }
}
