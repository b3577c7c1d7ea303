import HCI

/// A host without an agent: sends packets to a controller as told, and keeps what comes back. For tests, and for
/// comparing the model with another controller.
public final class ControllerHost {
    public struct Answer: Sendable {
        public let time: SimulatedTime
        public let bytes: [UInt8]
    }

    public let world: World
    public let controller: SimulatedController
    public private(set) var answers: [Answer] = []

    /// The transport is opened.
    public init(
        _ profile: ControllerProfile = ControllerProfile(), over kind: HCITransport.Kind = .packets,
        at place: Position = Position(0, 0), named name: String = "host", in world: World
    ) {
        self.world = world
        controller = SimulatedController(name, profile, over: kind, at: Route(standingAt: place), in: world)
        try? controller.transport.open()
    }

    /// Closes the transport and opens it anew.
    /// - Returns: whether that worked.
    public func reopen() -> Bool {
        do { try controller.transport.open() } catch { return false }
        return true
    }

    /// An H4 packet.
    public func send(_ packet: [UInt8]) { try? controller.transport.send(packet) }

    /// A command with its parameters.
    public func send(_ opCode: OpCode, _ parameters: [UInt8] = []) {
        let number = opCode.rawValue
        send(
            [
                PacketIndicator.command.rawValue, UInt8(number & 255), UInt8(number >> 8),
                UInt8(parameters.count),
            ] + parameters)
    }

    /// Lets time pass, a millisecond at a time, and reads what comes.
    /// - Returns: what came.
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

    /// What has come.
    @discardableResult
    public func read() -> [[UInt8]] {
        let firstNew = answers.count
        while let bytes = try? controller.transport.takePacket() {
            answers.append(Answer(time: world.now, bytes: bytes))
        }
        return answers[firstNew...].map(\.bytes)
    }

    /// Sends a command, and waits for its answer among all that comes.
    /// - Returns: the status; nil if there was no answer within two seconds.
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
