import Agent
import FlashSimulator
import HCI
import Radio

/// The transport between a controller and its board: packets, as a user channel's socket delivers them, or
/// the bytes of a UART.
///
/// Packets take time, and keep their order. Data that the host does not read waits in a ``ReceiveBuffer``,
/// and is lost when that is full.
public final class HCITransport {
    public enum Kind: Sendable {
        /// Each read returns one packet. Opening the transport powers the controller up again, as the
        /// kernel does.
        case packets
        /// H4 on a UART. Opening it has no effect on the controller.
        case stream
    }

    public let kind: Kind
    public private(set) var isOpen = false
    public private(set) var openCount = 0
    let world: World
    weak var controller: SimulatedController?
    /// Called with the time at which the next packet will arrive at the host.
    var onPacket: (SimulatedTime) -> Void = { _ in }
    /// Called with each packet that the host's framer completes.
    var onTaken: (([UInt8]) -> Void)?
    /// Called when the host closes the transport, and when it has opened it again.
    package var onReopening: ((_ isOpen: Bool) -> Void)?
    /// Called with each packet that the host sends.
    var onSent: (([UInt8]) -> Void)?

    /// The kind of a packet, for comparison with the agent.
    enum Content: UInt8 {
        case other
        /// A report with data and RSSI; a report without one of them; a report damaged on its way.
        case good, useless, damaged
    }

    struct Packet {
        var bytes: [UInt8]
        var content: Content
        /// The number of advertising reports in the packet, if it is an event with reports.
        var reportCount = 1
        /// The command that the packet answers, if any.
        var answered: OpCode?
        var time: SimulatedTime
        /// Whether the packet found the kernel's buffer full.
        var isLost = false
    }

    private var queue: [Packet] = []
    private var head = 0
    /// The packets before this index have arrived in the host's kernel.
    private var arrivedEnd = 0
    private var buffer: ReceiveBuffer
    /// The number of packets lost in whole or in part because the kernel's buffer was full.
    public private(set) var lostPacketCount: UInt64 = 0
    private(set) var waitingReportCount = 0
    /// The number of packets and pieces of packets that the host has read.
    private(set) var takenCount = 0

    private var random: RandomStream
    private var damageToHost: StreamDamage
    private var damageToController: StreamDamage

    init(_ kind: Kind, _ name: String, in world: World) {
        random = world.random("transport of \(name)")
        damageToHost = StreamDamage(world.random("overruns of \(name)'s host"))
        damageToController = StreamDamage(world.random("overruns of \(name)"))
        self.kind = kind
        self.world = world
        buffer = ReceiveBuffer(kind)
    }

    /// Adds an observer; existing ones stay.
    func observe(_ take: @escaping (_ packet: [UInt8], _ isFromBoard: Bool) -> Void) {
        let (taken, sent) = (onTaken, onSent)
        onTaken = { packet in
            taken?(packet)
            take(packet, false)
        }
        onSent = { packet in
            sent?(packet)
            take(packet, true)
        }
    }

    /// Single corruptions per overrun on the way to the host. On the way to the controller both are equally
    /// frequent.
    private static let corruptionsPerOverrun: UInt64 = 10

    // MARK: The controller's end

    func sendToHost(
        _ bytes: [UInt8], _ content: Content = .other, reportCount: Int = 1, after delay: SimulatedDuration
    ) {
        guard isOpen else { return }
        var time = world.now + delay
        if let last = queue.last, head < queue.count { time = max(time, last.time) }
        var packet = Packet(
            bytes: bytes, content: content, reportCount: reportCount, answered: .answered(by: bytes),
            time: time)
        if kind == .stream, let faults = controller?.faults, faults.has(.corruptedStream) {
            corrupt(&packet, oneIn: faults.bytesPerCorruption)
            let overrunOneIn = faults.bytesPerCorruption * Self.corruptionsPerOverrun
            if damageToHost.overrun(&packet.bytes, oneIn: overrunOneIn, at: time), content != .other {
                packet.content = .damaged
            }
            if packet.bytes.isEmpty {
                if content != .other { controller?.hostMissed(reportCount: UInt64(reportCount)) }
                return
            }
        }
        queue.append(packet)
        if content != .other { waitingReportCount += reportCount }
        onPacket(time)
    }

    // MARK: The host's kernel

    /// Admits the packets that have arrived by now. Only reads by the host free space, so admitting before
    /// a read is early enough.
    private func admit() {
        while arrivedEnd < queue.count, queue[arrivedEnd].time <= world.now {
            let byteCount = queue[arrivedEnd].bytes.count
            let kept = buffer.take(byteCount)
            if kept < byteCount { lose(byteCount - kept, ofPacketAt: arrivedEnd) }
            arrivedEnd += 1
        }
    }

    private func lose(_ byteCount: Int, ofPacketAt index: Int) {
        lostPacketCount += 1
        let content = queue[index].content
        queue[index].bytes.removeLast(byteCount)
        if !queue[index].bytes.isEmpty {
            if content != .other { queue[index].content = .damaged }
            return
        }
        queue[index].isLost = true
        guard content != .other else { return }
        waitingReportCount -= queue[index].reportCount
        controller?.hostMissed(reportCount: UInt64(queue[index].reportCount))
    }

    // MARK: The host's end

    /// When the next known packet arrives.
    var nextPacketTime: SimulatedTime? { head < queue.count ? queue[head].time : nil }

    func takePacket() throws(RadioError) -> [UInt8]? {
        guard isOpen else { throw .gone }
        admit()
        while head < arrivedEnd, queue[head].isLost { passHead() }
        guard head < arrivedEnd, queue[head].time <= world.now else { return nil }
        if kind == .stream { splitPacket() }
        let packet = queue[head]
        takenCount += 1
        buffer.give(back: packet.bytes.count)
        passHead()
        if packet.content != .other {
            waitingReportCount -= packet.reportCount
            controller?.hostTook(packet.content, reportCount: UInt64(packet.reportCount))
        }
        if let opCode = packet.answered { controller?.hostTookAnswer(to: opCode) }
        world.record(.toHost, packet.bytes)
        return packet.bytes
    }

    private func passHead() {
        head += 1
        if head == queue.count {
            empty()
        } else if head > 4_096 {
            queue.removeFirst(head)
            arrivedEnd -= head
            head = 0
        }
    }

    private func empty() {
        queue.removeAll(keepingCapacity: true)
        (head, arrivedEnd) = (0, 0)
    }

    /// Splits a packet in two now and then, because a UART delivers the bytes that have arrived.
    private func splitPacket() {
        var packet = queue[head]
        if packet.bytes.count > 1, random.below(8) == 0 {
            let count = 1 + Int(random.below(UInt64(packet.bytes.count - 1)))
            let piece = Packet(bytes: Array(packet.bytes[..<count]), content: .other, time: packet.time)
            packet.bytes.removeFirst(count)
            packet.time = world.now + .microseconds(100)
            queue[head] = packet
            queue.insert(piece, at: head)
            arrivedEnd += 1
        }
    }

    private func corrupt(_ packet: inout Packet, oneIn byteCount: UInt64) {
        for index in packet.bytes.indices.reversed() where random.below(byteCount) == 0 {
            if random.below(2) == 0 {
                packet.bytes.remove(at: index)
            } else {
                packet.bytes[index] ^= 1 << UInt8(random.below(8))
            }
            if packet.content != .other { packet.content = .damaged }
        }
    }

    /// Closes the transport because the adapter is gone.
    func lose() {
        isOpen = false
        empty()
        buffer = ReceiveBuffer(kind)
        waitingReportCount = 0
    }

    func send(_ packet: [UInt8]) throws(RadioError) {
        guard isOpen else { throw .gone }
        world.record(.toController, packet)
        onSent?(packet)
        guard let controller else { return }
        guard kind == .stream else { return controller.receive(packet) }
        var bytes = packet
        var isDamaged = false
        if controller.faults.has(.corruptedStream), controller.faults.damagesCommands {
            let byteCount = controller.faults.bytesPerCorruption * 2
            isDamaged = damageToController.changeHead(of: &bytes, oneIn: byteCount)
            isDamaged = damageToController.overrun(&bytes, oneIn: byteCount, at: world.now) || isDamaged
        }
        controller.receive(stream: bytes, isDamaged: isDamaged)
    }

    func open() throws(RadioError) {
        close()
        openCount += 1
        guard let controller, controller.isPresent else { throw .system(19) }
        controller.faults.hostDid(.reopen)
        if controller.faults.has(.vanishedAdapter), kind == .packets { throw .system(19) }
        isOpen = true
        controller.truth.hasProvedScan = false
        if kind == .packets { controller.powerUp() }
    }

    func close() {
        lose()
        if kind == .packets { controller?.powerUp() }
    }
}
