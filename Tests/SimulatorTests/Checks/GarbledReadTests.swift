import Testing

@testable import Simulator

/// A phone reads the board's payload three times, two minutes apart. Some of the answers are false, and some
/// of those come over a corrupted stream. Such a stream may have changed an answer on its way, so the check
/// must not compare any other answer with it, however much later.
@Suite struct GarbledReadTests {
    private let checked = CheckedBoard()

    /// - Parameters:
    ///   - wrong: the reads to which the phone gets a false answer.
    ///   - garbled: the reads during which the stream is corrupted.
    private func violations(wrong: Set<Int>, garbled: Set<Int>) -> Set<String> {
        let controller = checked.controller
        // The fault does nothing by itself.
        controller.faults.bytesPerCorruption = 1 << 60
        var answersFalsely = false
        checked.board.observeTraffic { packet, isFromBoard in
            // The byte after the heads of the packet and of L2CAP is the opcode of a read request.
            guard answersFalsely, !isFromBoard, packet.count == 12, packet[0] == 2, packet[9] == 0x0a,
                let link = controller.links.first
            else { return }
            link.send(LinkFragment(bytes: [3, 0, 4, 0, 0x0b, 1, 2], isFirst: true), from: controller)
        }
        var kind = PhoneKind.android
        kind.readsBoardsEvery = .minutes(2)
        checked.board.powerOn()
        let phone = checked.add("phone", kind)
        for number in 0..<3 {
            answersFalsely = wrong.contains(number)
            if garbled.contains(number) { controller.faults.begin(.corruptedStream) }
            let start = checked.world.now
            for _ in 0..<3_000 where phone.boardsRead.allSatisfy({ $0.time <= start }) {
                checked.run(.milliseconds(100))
            }
            #expect(phone.boardsRead.contains { $0.time > start })
            #expect(phone.boardsRead.contains { $0.payload == [1, 2] } == answersFalsely)
            controller.faults.end(.corruptedStream)
        }
        checked.run(.seconds(2))
        return Set(checked.end().map(\.check))
    }

    @Test(arguments: [0, 1, 2])
    func `a false answer over a corrupted stream is compared with no other`(read: Int) {
        #expect(violations(wrong: [read], garbled: [read]) == [])
    }

    @Test(arguments: [0, 1, 2])
    func `a false answer over a sound stream is found`(read: Int) {
        #expect(violations(wrong: [read], garbled: []) == ["PeersGetTheirOwn"])
    }

    @Test func `a false answer is found even if a corrupted stream brought the same one before`() {
        #expect(violations(wrong: [1, 2], garbled: [1]) == ["PeersGetTheirOwn"])
    }
}
