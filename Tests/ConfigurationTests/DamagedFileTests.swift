import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite struct DamagedFileTests {
    /// Byte sequences with a meaning for the reader, so that damage reaches all of its code.
    static let tokens: [[UInt8]] = [
        "\"", "'", "\\", "\\u", "\\U0001F35", "=", "[", "]", "#", "\n", "\r\n", ".", "_",
        "-", "+", "9", "true", "hci", "serial:", ",", "pty:", "C0:", "é", "\u{FEFF}",
    ].map { Array($0.utf8) }

    @Test(arguments: ["beacon.toml", "wearable.toml", "every-key.toml", "windows.toml"])
    func `A damaged file is read, or refused with a message of one line`(name: String) throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let original = [UInt8](try Data(contentsOf: Vectors.url("configuration/" + name)))
        for round in 0..<2000 {
            var file = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) { Self.damage(&file, &generator) }
            var configuration = EffectiveConfiguration()
            do throws(ConfigurationError) {
                try configuration.read(file.span)
                try configuration.validate()
            } catch {
                let message = error.message
                #expect(
                    message.hasPrefix("f:") && message.contains("; ") && !message.contains("\n"),
                    "seed \(seed), round \(round): \(message)")
            }
        }
    }

    @Test func `Every truncated file is read or refused`() throws {
        let original = [UInt8](try Data(contentsOf: Vectors.url("configuration/every-key.toml")))
        for count in original.indices {
            var configuration = EffectiveConfiguration()
            try? configuration.read(original.span.extracting(0..<count))
        }
    }

    private static func damage(_ file: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0...file.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where index < file.count: file[index] = .random(in: .min ... .max, using: &generator)
        case 1 where index < file.count: file.remove(at: index)
        case 2: file.removeSubrange(index..<min(file.count, index + 8))
        case 3: file.insert(contentsOf: file[index..<min(file.count, index + 24)], at: index)
        default:
            file.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &generator)], at: index)
        }
    }
}
