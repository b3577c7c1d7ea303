import Agent
import FixedMemory
import HCI
import Radio

/// The board's end of an ``HCITransport``.
public struct SimulatedRadio: PacketRadio, ~Copyable {
    private let transport: HCITransport
    private var framer: H4Framer
    private var range = 0..<0

    public init(_ transport: HCITransport) throws(MemoryError) {
        self.transport = transport
        framer = try H4Framer(keepsBorders: transport.kind == .packets)
    }

    public mutating func receive() throws(RadioError) -> Bool {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        while true {
            let next = framer.next()
            if transport.kind == .stream {
                transport.controller?.truth.bytesSkipped = framer.skippedByteCount
            }
            if let next {
                range = next
                transport.controller?.hostFramed(framer.packet(at: next))
                if let onTaken = transport.onTaken { onTaken([UInt8](framer.packet(at: next))) }
                return true
            }
            if transport.kind == .packets { framer.removeAll() }
            guard let bytes = try transport.takePacket() else { return false }
            _ = framer.fill { room in
                let count = min(room.count, bytes.count)
                room.copyBytes(from: bytes.prefix(count))
                return count
            }
        }
    }

    public var packet: Span<UInt8> { @_lifetime(borrow self) get { framer.packet(at: range) } }

    public var skippedByteCount: UInt64 { framer.skippedByteCount }

    public var isReadyToSend: Bool { mutating get { transport.isOpen } }

    public mutating func send(_ packet: Span<UInt8>) throws(RadioError) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        try transport.send([UInt8](packet))
    }

    public mutating func reopen() throws(RadioError) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        framer.removeAll()
        try transport.open()
        transport.onReopening?(true)
    }

    public mutating func close() {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        framer.removeAll()
        transport.close()
        transport.onReopening?(false)
    }

    deinit { transport.close() }
}

extension [UInt8] {
    init(_ span: Span<UInt8>) { self = span.withUnsafeBufferPointer { [UInt8]($0) } }
}
