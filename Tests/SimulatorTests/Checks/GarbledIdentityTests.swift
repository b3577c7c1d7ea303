import Testing

@testable import Simulator

/// A board reads a false identity of a phone while the controller measures no signal strength, so that no
/// encounter can have it yet. The first encounter comes long after the read.
@Suite struct GarbledIdentityTests {
    private let checked = CheckedBoard(options: { $0.logSoon() })

    /// - Parameter isGarbled: whether a corrupted stream can explain the false answer.
    private func violations(isGarbled: Bool) -> [String] {
        let controller = checked.controller
        // The fault does nothing by itself.
        controller.faults.bytesPerCorruption = 1 << 60
        controller.faults.begin(.unknownRSSI)
        if isGarbled { controller.faults.begin(.corruptedStream) }
        let phone = checked.add("phone", .android)
        var identity = phone.payload
        identity[identity.count - 1] ^= 1
        var isAnswered = false
        checked.board.observeTraffic { packet, isFromBoard in
            // The byte after the heads of the packet and of L2CAP is the opcode of a read request.
            guard isFromBoard, !isAnswered, packet.count == 12, packet[0] == 2, packet[9] == 0x0a else {
                return
            }
            isAnswered = true
            let answer = [0x0b] + identity
            let count = UInt8(answer.count)
            controller.inject([2, packet[1], 0x20, count + 4, 0, count, 0, 4, 0] + answer)
        }
        checked.board.powerOn()
        for _ in 0..<3_000 where !isAnswered { checked.run(.milliseconds(100)) }
        #expect(isAnswered)
        controller.faults.end(.corruptedStream)
        checked.run(.seconds(40))
        controller.faults.end(.unknownRSSI)
        checked.run(.seconds(60))
        checked.board.stop()
        checked.run(.seconds(2))
        return checked.end().filter { $0.check == "PeersGetTheirOwn" }.map(\.description)
    }

    @Test func `an identity that was read over a corrupted stream may be logged much later`() {
        #expect(violations(isGarbled: true) == [])
    }

    @Test func `a false identity that was read over a sound stream is found`() {
        let found = violations(isGarbled: false)
        #expect(found.contains { $0.contains("phone is recorded as somebody that nobody is") })
    }
}
