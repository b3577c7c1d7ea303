import Agent
import CLinux
import Configuration
import FixedMemory
import HCI
import Radio

/// A controller behind a kernel socket, a UNIX or TCP socket, or a UART.
public struct LinuxRadio: PacketRadio, ~Copyable {
    private let name: TransportName
    /// Whether each read returns one packet; otherwise the framer cuts packets from a stream.
    private let keepsPackets: Bool
    private let readiness: Readiness
    private var descriptor: Int32 = -1
    private var framer: H4Framer
    private var range = 0..<0
    /// A packet, or the rest of one, that the transport has not accepted yet.
    private var pending = FixedBuffer<1100>()
    private var pendingOffset = 0
    /// The reason why it could not be written, thrown when the transport is used next.
    private var failure: RadioError?
    private var snoop: Snoop
    /// The number of the kernel adapter that was opened last.
    private var lastNumber: UInt16?

    /// `snoopPath` is the file for a capture; empty for none.
    public init(
        _ name: TransportName, snoopPath: FixedText<256>, readiness: Readiness
    ) throws(SystemError) {
        let snoop = try Snoop(path: snoopPath)
        let keepsPackets =
            switch name {
            case .hciSocket, .unixSequencedPackets: true
            case .unixStream, .tcpClient, .serial: false
            }
        let framer: H4Framer
        do throws(MemoryError) { framer = try H4Framer(keepsBorders: keepsPackets) } catch {
            throw SystemError(number: Int32(CLINUX_ENOMEM))
        }
        self.name = name
        self.keepsPackets = keepsPackets
        self.readiness = readiness
        self.framer = framer
        self.snoop = snoop
    }

    // MARK: PacketRadio

    public mutating func reopen() throws(RadioError) {
        do throws(SystemError) { try open() } catch { throw .system(error.number) }
    }

    /// Closes the transport, if it is open, and opens it.
    public mutating func open() throws(SystemError) {
        close()
        failure = nil
        let descriptor: Int32
        do throws(SystemError) { descriptor = try connect() } catch {
            failure = .system(error.number)
            throw error
        }
        do throws(SystemError) { try readiness.add(descriptor) } catch {
            _ = clinux_close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    private mutating func connect() throws(SystemError) -> Int32 {
        switch name {
        case .hciSocket(let adapter): try openAdapter(adapter)
        case .unixStream(let path):
            try SystemError.check(path.withCString { clinux_unix_connect($0, 0) })
        case .unixSequencedPackets(let path):
            try SystemError.check(path.withCString { clinux_unix_connect($0, 1) })
        case .tcpClient(let address, let port):
            try SystemError.check(address.withCString { clinux_tcp_connect($0, port, 3_000) })
        case .serial(let device, let baud, let flowControl):
            try SystemError.check(
                device.withCString { clinux_serial_open($0, baud, flowControl ? 1 : 0) })
        }
    }

    private mutating func openAdapter(_ adapter: AdapterName) throws(SystemError) -> Int32 {
        let number = try adapter.number()
        // A user channel opens only on an adapter that is down. Taking down an adapter that another program,
        // such as bluetoothd, has up would leave that program running as if it still owned it. So only an
        // adapter that this agent had before is taken down: that is better than a dead radio.
        if number == lastNumber { try SystemError.check(clinux_hci_device_down(number)) }
        let descriptor = try SystemError.check(clinux_hci_user_channel(number))
        if number != lastNumber, adapter != .number(number) { Self.tell(adapter, is: number) }
        lastNumber = number
        return descriptor
    }

    private static func tell(_ adapter: AdapterName, is number: UInt16) {
        var line = FixedBuffer<256>()
        try? line.append("radio.hci: ")
        try? adapter.write(to: &line)
        try? line.append(" is ")
        try? AdapterName.number(number).write(to: &line)
        StandardError.write(line.span)
    }

    public mutating func receive() throws(RadioError) -> Bool {
        while true {
            if let next = framer.next() {
                range = next
                Self.record(framer, at: next, into: &snoop)
                return true
            }
            if let failure { throw failure }
            // A packet that contradicts its own length must not be completed with the bytes of the next one.
            if keepsPackets { framer.removeAll() }
            let descriptor = descriptor
            let count = framer.fill { bytes in
                Int(truncatingIfNeeded: clinux_read(descriptor, bytes.baseAddress, bytes.count))
            }
            if count == -Int(CLINUX_EAGAIN) {
                snoop.flush()
                return false
            }
            guard count > 0 else {
                close()
                throw count == 0 ? .gone : .system(Int32(truncatingIfNeeded: -count))
            }
        }
    }

    private static func record(_ framer: borrowing H4Framer, at range: Range<Int>, into snoop: inout Snoop) {
        snoop.record(framer.packet(at: range), .controllerToHost)
    }

    public var packet: Span<UInt8> {
        @_lifetime(borrow self) get { framer.packet(at: range) }
    }

    public var skippedByteCount: UInt64 { framer.skippedByteCount }

    public var isReadyToSend: Bool {
        mutating get {
            if !pending.isEmpty { flushPending() }
            return descriptor >= 0 && pending.isEmpty
        }
    }

    public mutating func send(_ packet: Span<UInt8>) throws(RadioError) {
        guard let copy = FixedBuffer<1100>(packet) else { return }
        snoop.record(packet, .hostToController)
        pending = copy
        pendingOffset = 0
        flushPending()
        if let failure { throw failure }
    }

    private mutating func flushPending() {
        let (descriptor, offset) = (descriptor, pendingOffset)
        let count = pending.span.withUnsafeBytes { bytes in
            clinux_write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        }
        if count < 0, count != -Int64(CLINUX_EAGAIN) {
            close()
            failure = .system(Int32(truncatingIfNeeded: -count))
            return
        }
        pendingOffset += max(0, Int(count))
        if pendingOffset == pending.count {
            if pendingOffset > 0, wantsToWrite { readiness.setWantsToWrite(false, descriptor) }
            wantsToWrite = false
            pending.removeAll()
        } else if !wantsToWrite {
            wantsToWrite = true
            readiness.setWantsToWrite(true, descriptor)
        }
    }

    private var wantsToWrite = false

    public mutating func close() {
        if descriptor >= 0 { _ = clinux_discard_and_close(descriptor) }
        descriptor = -1
        framer.removeAll()
        pending.removeAll()
        wantsToWrite = false
        snoop.flush()
    }

    // An ordinary close, unlike `close()`, does not discard output, so a stopping agent's last packet, a
    // reset, is still sent.
    deinit { if descriptor >= 0 { _ = clinux_close(descriptor) } }
}
