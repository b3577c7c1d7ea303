import HCI

/// A conversation with two controllers one metre apart, as text. A line is one of:
///
/// - an H4 packet in hexadecimal, for the first controller or, after the word `peer`, for the second one.
///   The word `handle` in it stands for the handle of that controller's latest link;
/// - `wait` and a number of milliseconds.
///
/// A comment begins with `#`.
public struct ControllerScript: Sendable {
    enum Step: Sendable {
        /// A packet to send; a nil byte stands for a handle of two bytes.
        case send([UInt8?], toPeer: Bool)
        case wait(SimulatedDuration)
    }

    public struct Problem: Error {
        public let line: Int
        public let text: String
    }

    let steps: [Step]

    public init(_ text: String) throws(Problem) {
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.prefix { $0 != "#" }
            let words = code.split(whereSeparator: \.isWhitespace)
            guard let first = words.first else { continue }
            if first == "wait" {
                guard words.count == 2, let milliseconds = UInt64(words[1]), milliseconds <= 3_600_000 else {
                    throw Problem(line: index + 1, text: "wait needs milliseconds")
                }
                steps.append(.wait(.milliseconds(milliseconds)))
            } else {
                let isForPeer = first == "peer"
                guard let packet = Self.bytes(isForPeer ? words.dropFirst() : words[...]) else {
                    throw Problem(line: index + 1, text: "neither a packet in hexadecimal nor wait")
                }
                steps.append(.send(packet, toPeer: isForPeer))
            }
        }
        self.steps = steps
    }

    private static func bytes(_ words: ArraySlice<Substring>) -> [UInt8?]? {
        var bytes: [UInt8?] = []
        for word in words {
            if word == "handle" {
                bytes.append(nil)
            } else if word.utf8.count == 2, let byte = UInt8(word, radix: 16) {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return bytes
    }

    public struct Answer: Sendable {
        public let time: SimulatedTime
        public let isFromPeer: Bool
        public let bytes: [UInt8]
    }

    /// Plays the script. After each packet there is time for its answer.
    public func play(in world: World) -> [Answer] {
        var profile = ControllerProfile()
        profile.version = 9
        profile.hasExtendedCommands = true
        let host = ControllerHost(profile, named: "first", in: world)
        profile.publicAddress = DeviceAddress(value: profile.publicAddress.value + 1, isRandom: false)
        let peer = ControllerHost(profile, at: Position(1, 0), named: "peer", in: world)
        var answers: [Answer] = []
        for step in steps {
            var duration = Self.timeForAnswer
            switch step {
            case .send(let packet, let toPeer): Self.send(packet, to: toPeer ? peer : host)
            case .wait(let longer): duration = longer
            }
            let end = world.now + duration
            while world.now < end {
                world.run(for: .milliseconds(1))
                for (isPeer, host) in [(false, host), (true, peer)] {
                    answers += host.read().map { Answer(time: world.now, isFromPeer: isPeer, bytes: $0) }
                }
            }
        }
        return answers
    }

    private static func send(_ packet: [UInt8?], to host: ControllerHost) {
        let opened = host.answers.last { $0.bytes.starts(with: [4, 0x3e]) && $0.bytes[3...4] == [1, 0] }
        let handle = opened.map { Array($0.bytes[5...6]) } ?? [0, 0]
        host.send(packet.flatMap { byte in byte.map { [$0] } ?? handle })
    }

    private static let timeForAnswer = SimulatedDuration.milliseconds(50)
}
