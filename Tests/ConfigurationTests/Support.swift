import FixedMemory
import Foundation
import TestSupport

@testable import Configuration

extension EffectiveConfiguration {
    mutating func read(text: String) throws(ConfigurationError) {
        let bytes = Array(text.utf8)
        try read(bytes.span)
    }

    mutating func apply(text: String) throws(ConfigurationError) {
        let bytes = Array(text.utf8)
        try apply(bytes.span)
    }

    mutating func override(_ key: ConfigurationKey, text: String) throws(ConfigurationError) {
        let bytes = Array(text.utf8)
        try override(key, with: bytes.span)
    }

    /// The lines that report renamed keys, for a file called f.
    var renameReports: [String] {
        let fileName: [UInt8] = [UInt8(ascii: "f")]
        var reports: [String] = []
        reportRenamedKeys(fileName: fileName.span) {
            reports.append(String(decoding: $0.array, as: UTF8.self))
        }
        return reports
    }

    static func vector(_ name: String) throws -> EffectiveConfiguration {
        let bytes = [UInt8](try Data(contentsOf: Vectors.url("configuration/" + name)))
        var configuration = EffectiveConfiguration()
        try configuration.read(bytes.span)
        return configuration
    }
}

extension ConfigurationError {
    /// The error as the agent prints it, for a file with the name f.
    var message: String {
        let fileName: [UInt8] = [UInt8(ascii: "f")]
        var line = FixedBuffer<1024>()
        do { try write(to: &line, fileName: fileName.span) } catch { return "does not fit its room" }
        return String(line)
    }
}

extension String {
    init<let capacity: Int>(_ buffer: FixedBuffer<capacity>) {
        self.init(decoding: buffer.span.array, as: UTF8.self)
    }

    init<let capacity: Int>(_ text: FixedText<capacity>) {
        self.init(decoding: text.span.array, as: UTF8.self)
    }
}

extension Span where Element == UInt8 {
    var array: [UInt8] { indices.map { self[$0] } }
}

extension ConfigurationKey {
    static var allKeys: [ConfigurationKey] { (0..<UInt8(count)).compactMap(ConfigurationKey.init) }

    /// The name `section.key`.
    var fullName: String { "\(section.name).\(name)" }
}

/// Returns the error from reading and validating `text`; nil if it is valid.
func message(for text: String) -> String? {
    var configuration = EffectiveConfiguration()
    do throws(ConfigurationError) {
        try configuration.read(text: text)
        try configuration.validate()
        return nil
    } catch {
        return error.message
    }
}

/// Returns the error from setting one key on the command line; nil if it is valid.
func message(forAssignment text: String) -> String? {
    var configuration = EffectiveConfiguration()
    do throws(ConfigurationError) {
        try configuration.apply(text: text)
        return nil
    } catch {
        return error.message
    }
}
