import HCI
import Testing

@testable import Simulator

/// A host knows that scan parameters prove a scan only after a refusal of them has reached it whole.
@Suite struct GarbledRefusalTests {
    private let world = World(seed: 1)
    private let controller: SimulatedController
    private let parameters: [UInt8] = [0, 0x60, 0, 0x60, 0, 1, 0]

    init() {
        controller = SimulatedController(
            "controller", over: .stream, at: Route(standingAt: Position(0, 0)), in: world)
        controller.faults.damagesCommands = false
    }

    private func send(
        _ opCode: OpCode, _ parameters: [UInt8] = [], through radio: inout SimulatedRadio
    ) throws {
        let head = [UInt8(opCode.rawValue & 255), UInt8(opCode.rawValue >> 8), UInt8(parameters.count)]
        try radio.send(([PacketIndicator.command.rawValue] + head + parameters).span)
    }

    /// Sends a command, and returns the status of its answer as the host's framer completes it.
    private func status(
        _ opCode: OpCode, _ parameters: [UInt8] = [], through radio: inout SimulatedRadio
    ) throws -> Status? {
        try send(opCode, parameters, through: &radio)
        var status: Status?
        for _ in 0..<30 {
            world.run(for: .milliseconds(1))
            while try radio.receive() {
                let packet = [UInt8](radio.packet)
                if OpCode.answered(by: packet) == opCode { status = Status(answeredBy: packet) }
            }
        }
        return status
    }

    /// Opens the transport again, and starts a scan.
    private func startScan(through radio: inout SimulatedRadio) throws {
        try radio.reopen()
        #expect(try status(.reset, through: &radio) == .success)
        #expect(try status(.leSetRandomAddress, [1, 2, 3, 4, 5, 0xc6], through: &radio) == .success)
        #expect(try status(.leSetScanParameters, parameters, through: &radio) == .success)
        #expect(try status(.leSetScanEnable, [1, 0], through: &radio) == .success)
        #expect(!controller.truth.hasProvedScan)
    }

    /// Starts a scan, and asks for a proof of it.
    private func proof(
        through radio: inout SimulatedRadio, during fault: ControllerFault? = nil
    ) throws -> Status? {
        try startScan(through: &radio)
        fault.map { controller.faults.begin($0) }
        defer { controller.faults.endAll() }
        return try status(.leSetScanParameters, parameters, through: &radio)
    }

    @Test func `a refusal that arrives whole proves the scan`() throws {
        var radio = try SimulatedRadio(controller.transport)
        #expect(try proof(through: &radio) == .commandDisallowed)
        #expect(controller.truth.hasProvedScan)
    }

    @Test func `a refusal that is changed or lost on its way proves nothing`() throws {
        controller.faults.bytesPerCorruption = 10
        var radio = try SimulatedRadio(controller.transport)
        var (wholeCount, damagedCount) = (0, 0)
        for _ in 0..<50 {
            let isWhole = try proof(through: &radio, during: .corruptedStream) == .commandDisallowed
            #expect(controller.truth.hasProvedScan == isWhole)
            if isWhole { wholeCount += 1 } else { damagedCount += 1 }
        }
        #expect(wholeCount > 0 && damagedCount > 0)
    }

    /// Such a controller refuses scan parameters whether it scans or not.
    @Test func `a fault that refuses all parameters proves nothing`() throws {
        var radio = try SimulatedRadio(controller.transport)
        #expect(try proof(through: &radio, during: .disallowedParameters) == .commandDisallowed)
        #expect(!controller.truth.hasProvedScan)
    }

    /// The reset ends the fault before the refusal reaches the host.
    @Test func `a refusal by a fault that a reset ends proves nothing`() throws {
        var radio = try SimulatedRadio(controller.transport)
        try radio.reopen()
        controller.faults.begin(.disallowedParameters, cure: .reset)
        controller.faults.end(.disallowedParameters)
        try send(.leSetScanParameters, parameters, through: &radio)
        #expect(try status(.reset, through: &radio) == .success)
        #expect(!controller.faults.isAny)
        #expect(!controller.truth.hasProvedScan)
        #expect(try status(.leSetScanParameters, parameters, through: &radio) == .success)
    }

    /// A host that has sent a reset expects no other answer.
    @Test func `a refusal that arrives after a reset proves nothing`() throws {
        var radio = try SimulatedRadio(controller.transport)
        try startScan(through: &radio)
        try send(.leSetScanParameters, parameters, through: &radio)
        #expect(try status(.reset, through: &radio) == .success)
        #expect(!controller.truth.hasProvedScan)
    }
}
