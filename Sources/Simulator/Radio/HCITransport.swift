import Agent
import HCI

/// Between a controller and its board: packets, as a user channel's socket keeps them, or the bytes of a UART.
///
/// Packets need time to pass, and keep their order.
public final class HCITransport {
    public enum Kind: Sendable {
        /// One read, one packet. Opening it powers the controller up anew, as the kernel does.
        case packets
        /// H4 on a UART. Opening it changes nothing for the controller.
        case stream
    }

    public let kind: Kind
    public private(set) var isOpen = false
    public private(set) var openCount = 0
    let world: World
    weak var controller: SimulatedController?
    /// Called when something will be there for the host.
    var onPacket: (SimulatedTime) -> Void = { _ in }

    struct Packet {
        let bytes: [UInt8]
        let isReport: Bool
        let time: SimulatedTime
    }

    private var queue: [Packet] = []
    private var head = 0
    private(set) var waitingReportCount = 0

    init(_ kind: Kind, in world: World) {
        self.kind = kind
        self.world = world
    }

    // MARK: The controller's end

    func sendToHost(_ bytes: [UInt8], isReport: Bool = false, after delay: SimulatedDuration) {
        guard isOpen else { return }
        var time = world.now + delay
        if let last = queue.last, head < queue.count { time = max(time, last.time) }
        queue.append(Packet(bytes: bytes, isReport: isReport, time: time))
        if isReport { waitingReportCount += 1 }
        onPacket(time)
    }

    // MARK: The host's end

    /// When the next packet comes, as far as it is known.
    var nextPacketTime: SimulatedTime? { head < queue.count ? queue[head].time : nil }

    func takePacket() throws(RadioError) -> [UInt8]? {
        guard isOpen else { throw .gone }
        guard head < queue.count, queue[head].time <= world.now else { return nil }
        let packet = queue[head]
        head += 1
        if head == queue.count {
            queue.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 4_096 {
            queue.removeFirst(head)
            head = 0
        }
        if packet.isReport {
            waitingReportCount -= 1
            controller?.hostTookReport()
        }
        world.note(.toHost, packet.bytes)
        return packet.bytes
    }

    func send(_ packet: [UInt8]) throws(RadioError) {
        guard isOpen else { throw .gone }
        world.note(.toController, packet)
        controller?.receive(packet)
    }

    func open() throws(RadioError) {
        close()
        openCount += 1
        guard let controller, controller.isPresent else { throw .system(19) }
        isOpen = true
        if kind == .packets { controller.powerUp() }
    }

    func close() {
        isOpen = false
        queue.removeAll(keepingCapacity: true)
        head = 0
        waitingReportCount = 0
        if kind == .packets { controller?.powerUp() }
    }
}
