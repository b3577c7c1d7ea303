import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Plays a script to the controller model, for comparison with other controllers.
struct ControllerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "controller",
        abstract: "Send HCI packets to the simulated controller.",
        discussion: """
            Examples:
              tabard-sim controller script.hci

            A line of the script is an H4 packet in hexadecimal. The prefix "peer" sends it to a \
            second controller one metre away. The line "wait" with a number waits for that many \
            milliseconds. A line of output is the virtual time in milliseconds and the received \
            packet.
            """)

    @Argument(help: "Script of HCI packets.") var script: String

    func run() throws {
        guard let data = FileManager.default.contents(atPath: script) else {
            throw Failure(.noInput, "\(script): cannot read the file; check the name")
        }
        let steps: ControllerScript
        do {
            steps = try ControllerScript(String(decoding: data, as: UTF8.self))
        } catch {
            throw Failure(.data, "\(script):\(error.line): \(error.text)")
        }
        for answer in steps.play(in: World(seed: 1)) {
            let sender = answer.isFromPeer ? "peer " : ""
            print(answer.time.microseconds / 1_000, sender + answer.bytes.map(Self.hexadecimal).joined())
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
