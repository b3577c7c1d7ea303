import Agent
import Configuration
import DeviceSync
import EncounterLog
import FixedMemory
import Foundation
import HCI
import Simulator
import TestSupport
import Testing

/// The identifiers of an all-zero secret, from Tests/Vectors/herald_key_schedule.py.
enum Identifiers {
    static let table: [String: String] = {
        guard
            let text = try? String(
                contentsOf: Vectors.url("herald-contact-identifiers.csv"), encoding: .utf8)
        else { preconditionFailure("the vectors are not there") }
        var table: [String: String] = [:]
        for row in text.split(separator: "\n").dropFirst() {
            let columns = row.split(separator: ",")
            table["\(columns[0]),\(columns[1])"] = String(columns[2])
        }
        return table
    }()

    static func payload(day: Int, period: Int) -> String {
        "103a030000" + (table["\(day),\(period)"] ?? "not in the vectors")
    }
}

/// The address and the payload that a phone observed.
struct Reading: Hashable {
    let address: String
    let payload: String
}

extension Scene {
    private static var epochMilliseconds: UInt64 { 20_454 * 86_400_000 }

    /// Makes a wearable that knows the time from the start.
    static func worn(
        day: UInt64, period: UInt64, second: UInt64 = 0, _ options: String...
    ) throws -> Scene {
        let world = BoardWorld()
        world.setWallClock(day: day, period: period, second: second)
        return try Scene(options: ["agent.role=wearable"] + options, in: world)
    }

    /// Has a phone connect, read the payload, and disconnect.
    mutating func readOnce(by number: UInt64) throws -> Reading? {
        let phone = try ScriptedPhone(number)
        let address = controller.randomAddress.hex
        guard world.connect(phone) else { return nil }
        run { _ in phone.payloadRead != nil }
        phone.hangUp()
        settle()
        return phone.payloadRead.map { Reading(address: address, payload: $0.hex) }
    }
}

extension BoardWorld {
    func setWallClock(day: UInt64, period: UInt64, second: UInt64 = 0) {
        let time = 20_454 * 86_400_000 + day * 86_400_000 + period * 360_000 + second * 1_000
        wallOffset = time &- now.milliseconds
    }

    func stepWallClock(bySeconds step: Int64) {
        wallOffset = wallOffset.map { $0 &+ UInt64(bitPattern: step * 1_000) }
    }
}

extension SimulatedController {
    /// The host's commands after the first `count`.
    func commands(since count: Int) -> [OpCode] { Array(commands[count...]) }
}
