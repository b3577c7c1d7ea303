import HCI

/// A host without an agent: it sends the given packets to a controller and keeps all that comes back. Tests
/// use it, and so does the comparison of the model with another controller.
public final class ControllerHost {
    public struct Answer: Sendable {
        public let time: SimulatedTime
        public let bytes: [UInt8]
    }

    public let world: World
    public let controller: SimulatedController
    public private(set) var answers: [Answer] = []

    /// Makes the host and its controller, and opens the transport.
    public init(
        _ profile: ControllerProfile = ControllerProfile(), over kind: HCITransport.Kind = .packets,
        at place: Position = Position(0, 0), named name: String = "host", in world: World
    ) {
        self.world = world
        controller = SimulatedController(name, profile, over: kind, at: Route(standingAt: place), in: world)
        try? controller.transport.open()
    }

    /// Closes the transport and opens it again.
    /// - Returns: Whether that worked.
    public func reopen() -> Bool {
        do { try controller.transport.open() } catch { return false }
        return true
    }

    /// Sends an H4 packet.
    public func send(_ packet: [UInt8]) { try? controller.transport.send(packet) }

    /// Sends a command with its parameters.
    public func send(_ opCode: OpCode, _ parameters: [UInt8] = []) {
        let number = opCode.rawValue
        send(
            [
                PacketIndicator.command.rawValue, UInt8(number & 255), UInt8(number >> 8),
                UInt8(parameters.count),
            ] + parameters)
    }

    /// Advances time by `duration`, one millisecond at a time, and reads the packets that arrive.
    /// - Returns: The packets that arrived.
    @discardableResult
    public func run(for duration: SimulatedDuration) -> [[UInt8]] {
        let firstNew = answers.count
        let end = world.now + duration
        repeat {
            world.run(until: min(end, world.now + .milliseconds(1)))
            read()
        } while world.now < end
        return answers[firstNew...].map(\.bytes)
    }

    /// Reads the packets that have arrived.
    @discardableResult
    public func read() -> [[UInt8]] {
        let firstNew = answers.count
        while let bytes = try? controller.transport.takePacket() {
            answers.append(Answer(time: world.now, bytes: bytes))
        }
        return answers[firstNew...].map(\.bytes)
    }

    /// Sends a command and waits for its answer among all packets that arrive.
    /// - Returns: The status; nil if no answer came within two seconds.
    public func perform(_ opCode: OpCode, _ parameters: [UInt8] = []) -> Status? {
        send(opCode, parameters)
        for _ in 0..<200 {
            for packet in run(for: .milliseconds(10)) where OpCode.answered(by: packet) == opCode {
                return Status(answeredBy: packet)
            }
        }
        return nil
    }
}
