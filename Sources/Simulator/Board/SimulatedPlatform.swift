import Agent
import AgentText
import Cryptography
import FixedMemory
import FlashSimulator
import Schemes

/// The platform of an agent in a ``World``. Every part of it forwards to the ``SimulatedBoard``.
public enum SimulatedPlatform: Platform {
    public typealias Clock = SimulatedClock
    public typealias Radio = SimulatedRadio
    public typealias Flash = MeteredFlash
    public typealias Serial = SimulatedSerialPort
    public typealias Randomness = SimulatedEntropy
    public typealias Board = SimulatedBoardControl
}

public struct SimulatedEntropy: RandomSource {
    var stream: RandomStream
    /// The board's entropy, which outlives its agents.
    let source: SeededEntropy

    public mutating func next() -> UInt64 { stream.next() }

    public var entropy: Entropy { source.entropy }
}

public struct SimulatedBoardControl: BoardControl {
    unowned let board: SimulatedBoard

    public var isStopRequested: Bool { board.isStopRequested }

    public mutating func setRadioPower(_ isOn: Bool) -> Bool {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        return board.setRadioPower(isOn)
    }

    public mutating func store(_ keys: BoardKeys) -> Bool {
        if let store = board.store {
            store.keys = keys
            return true
        }
        guard let kept = board.keys else { return false }
        kept.boardKeys = keys
        return true
    }

    public mutating func store(configuration changes: Span<UInt8>) -> Bool {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        if let store = board.store { return store.keep(configuration: [UInt8](changes)) }
        board.configurationChanges = [UInt8](changes)
        return true
    }

    public mutating func store(_ keys: DayKeys) -> Bool { board.store?.keep(keys) ?? false }

    public mutating func store(sonarRegistration record: Span<UInt8>) -> Bool {
        board.store?.keep(sonarRegistration: [UInt8](record)) ?? false
    }

    public mutating func copySecrets(of scheme: SchemeID, to record: inout FixedBuffer<2048>) -> Bool {
        guard let store = board.store else { return true }
        guard let stored = store.secretRecord(of: scheme) else { return false }
        record = FixedBuffer(stored.span) ?? FixedBuffer()
        return true
    }

    public mutating func dayKey(
        of scheme: SchemeID, on day: UInt32, erasingBefore current: UInt32
    ) -> DayKeyOffer? {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        if let store = board.store { return store.dayKey(of: scheme, on: day, erasingBefore: current) }
        return board.dayKey(of: scheme, on: day)
    }

    public mutating func takeRequest() -> BoardRequest? {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        guard let store = board.store, !store.requests.isEmpty else { return nil }
        return store.requests.removeFirst()
    }

    public mutating func answer(_ answer: Span<UInt8>) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        board.store?.answers.append([UInt8](answer))
    }

    public var updateSlot: UInt8? { board.store?.updates.slot }
    /// No processor is simulated.
    public var architecture: Bytes<16> { Bytes() }
    public var isOnTrial: Bool { board.store?.updates.isOnTrial ?? false }

    public mutating func beginUpdate() -> Bool {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        guard let store = board.store, store.updates.keepsFiles else { return false }
        store.updates.file = []
        return true
    }

    public mutating func append(update piece: Span<UInt8>) -> Bool {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        guard let store = board.store, store.updates.keepsFiles else { return false }
        store.updates.file += [UInt8](piece)
        return true
    }

    public mutating func finishUpdate(version: Bytes<3>, operatorKey: Bytes<65>) -> Bool {
        guard let store = board.store, store.updates.keepsFiles else { return false }
        store.updates.finishedVersion = version
        return true
    }

    public mutating func confirmUpdate() -> Bool {
        board.store?.updates.isOnTrial = false
        return board.store != nil
    }

    public mutating func report(_ notice: AgentNotice) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        board.record(notice)
    }

    public func explain(_ refusal: StoreRefusal, to reason: inout FixedBuffer<1024>) {
        board.store?.refusals.append(refusal)
        try? refusal.write(to: &reason)
    }
}
