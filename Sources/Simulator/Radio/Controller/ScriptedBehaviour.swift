import FixedMemory
import HCI

/// The behaviour that a test prescribes to a controller: reactions to commands, records of them, and more.
///
/// A fault lasts until the host cures it. A scripted reaction has no cause and no cure: the test sets it
/// for a number of commands, and ends it.
package final class ScriptedBehaviour {
    package enum Reaction {
        /// The controller refuses the command with this status.
        case refuse(Status)
        /// It answers success with these return parameters, and does nothing.
        case succeed([UInt8] = [])
        /// It neither executes the command nor answers it.
        case ignore
        /// It executes the command and sends no answer.
        case loseAnswer
    }

    /// What injected packets may have made the host believe. The controller then cannot tell its host's
    /// errors from the consequences of that belief.
    package struct FalseBeliefs: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A command was answered.
        package static let answers = FalseBeliefs(rawValue: 1)
        /// There are more or longer buffers for data.
        package static let buffers = FalseBeliefs(rawValue: 2)
    }

    private struct Rule {
        let opCode: OpCode
        let isIncluded: ([UInt8]) -> Bool
        let reaction: Reaction
        var remaining: Int
    }

    private var rules: [Rule] = []
    /// The commands that the host has sent, and the parameters of each.
    package private(set) var commands: [OpCode] = []
    package private(set) var parameters: [[UInt8]] = []
    /// The reaction to the next command, whatever it is; nil if that is executed.
    package var nextReaction: Reaction?
    package var falseBeliefs: FalseBeliefs = []
    /// Called before a command is executed, and after.
    package var beforeCommand: (OpCode, [UInt8]) -> Void = { _, _ in }
    package var afterCommand: (OpCode, [UInt8]) -> Void = { _, _ in }
    /// Whether the credits of delivered data packets are held back until `releaseCredits()`.
    package var holdsCredits = false
    var heldCredits: [AirLink] = []
    /// Whether the answer of the command in execution is lost.
    fileprivate(set) var losesAnswer = false
    /// The last command that was ignored.
    fileprivate var ignored: (opCode: OpCode, parameters: [UInt8])?

    package init() {}

    /// Sets the reaction to the next commands with this opcode, in place of an earlier one.
    ///
    /// - Parameter isIncluded: Tells by the parameters which commands the reaction is for.
    package func set(
        _ reaction: Reaction, to opCode: OpCode, times: Int = .max,
        where isIncluded: @escaping ([UInt8]) -> Bool = { _ in true }
    ) {
        end(opCode)
        rules.append(Rule(opCode: opCode, isIncluded: isIncluded, reaction: reaction, remaining: times))
    }

    /// Ends the reaction to an opcode.
    package func end(_ opCode: OpCode) { rules.removeAll { $0.opCode == opCode } }

    /// Ends all reactions.
    package func endAll() { rules = [] }

    func record(_ opCode: OpCode, _ parameters: [UInt8]) {
        commands.append(opCode)
        self.parameters.append(parameters)
    }

    /// The reaction to a command; nil if the controller just executes it.
    func reaction(to opCode: OpCode, _ parameters: [UInt8]) -> Reaction? {
        if let nextReaction {
            self.nextReaction = nil
            return nextReaction
        }
        let index = rules.firstIndex {
            $0.opCode == opCode && $0.remaining > 0 && $0.isIncluded(parameters)
        }
        guard let index else { return nil }
        rules[index].remaining -= 1
        return rules[index].reaction
    }
}

extension SimulatedController {
    func react(_ reaction: ScriptedBehaviour.Reaction, to opCode: OpCode, _ parameters: [UInt8]) {
        switch reaction {
        case .refuse(let status): answer(opCode, status)
        case .succeed(let returned): answer(opCode, .success, returned)
        case .ignore: script?.ignored = (opCode, parameters)
        case .loseAnswer:
            script?.losesAnswer = true
            execute(opCode, parameters)
            script?.losesAnswer = false
        }
    }

    /// Executes the command that was ignored last, as a controller does that answers late.
    package func performIgnored() {
        guard let ignored = script?.ignored else { return }
        script?.ignored = nil
        execute(ignored.opCode, ignored.parameters)
    }

    /// Refuses the command that was ignored last.
    package func refuseIgnored(_ status: Status) {
        guard let ignored = script?.ignored else { return }
        script?.ignored = nil
        answer(ignored.opCode, status)
    }

    /// Returns the credits that were held back.
    package func releaseCredits() {
        guard let script else { return }
        let (links, holds) = (script.heldCredits, script.holdsCredits)
        script.heldCredits = []
        script.holdsCredits = false
        for link in links { acknowledged(on: link) }
        script.holdsCredits = holds
    }

    /// Sends any bytes to the host as a packet.
    package func inject(_ packet: [UInt8]) { transport.sendToHost(packet, after: .zero) }

    /// Sends an event that the host may not have asked for.
    package func injectEvent(_ code: UInt8, _ parameters: [UInt8]) {
        inject([PacketIndicator.event.rawValue, code, UInt8(parameters.count)] + parameters)
    }

    /// Sends any bytes to the host, and notes what they may make the host believe.
    package func injectForgery(_ bytes: [UInt8]) {
        defer { inject(bytes) }
        let isPacket = transport.kind == .packets && bytes.count >= 5
        let isData =
            isPacket && bytes[0] == PacketIndicator.aclData.rawValue
            && Int(bytes.span.loadUInt16(at: 3)) == bytes.count - 5
        let isEvent =
            isPacket && bytes[0] == PacketIndicator.event.rawValue && Int(bytes[2]) == bytes.count - 3
        if isData || isEvent && bytes[1] == 0x3e && [0x02, 0x0d].contains(bytes[3]) { return }
        // Any event but a report may return credits, end or begin links, or give sizes.
        script?.falseBeliefs.insert(.buffers)
        // Other bytes may be several packets, or on a UART a part of one.
        if !isEvent { script?.falseBeliefs.insert(.answers) }
    }

    /// Ends all links without an event to the host.
    package func loseLinks() {
        for handled in handles { handled.link.forget(by: self) }
        handles = []
    }
}
