import Analysis
import CommandLineText
import FixedMemory
import Foundation
import LogContents

/// A phone of a formal test by its own files, `detection.csv` and `contacts.csv`.
struct HeraldPhone {
    /// A row that one other device caused.
    struct Event {
        enum Content {
            case detection
            case rssi(Int8)
            /// Short names of Herald, of six characters.
            case payload(of: String)
            case sharedPayload(of: String)
        }

        let seconds: Int64
        let content: Content
    }

    let device: FormalDevice
    /// By the device's identifier, in the order of the file.
    private(set) var events: [String: [Event]] = [:]
    private(set) var firstSecond = Int64.max
    private(set) var lastSecond = Int64.min

    init(folder: URL) throws {
        let name = folder.lastPathComponent
        let detection = try Self.bytes(folder.appending(path: "detection.csv"))
        guard let device = FormalDevice(name: name, detectionLog: detection) else {
            throw Failure(
                .data, "\(folder.path)/detection.csv: the first line is not model,system,version,name")
        }
        self.device = device
        let contacts = try Self.bytes(folder.appending(path: "contacts.csv"))
        var reader = ContactsReader()
        do throws(ContactsError) {
            try reader.read(contacts) { append($0) }
            try reader.finish { append($0) }
        } catch {
            throw Failure(.data, "\(folder.path)/contacts.csv: not Herald's contacts.csv")
        }
        guard firstSecond <= lastSecond else {
            throw Failure(.data, "\(folder.path)/contacts.csv: no events")
        }
    }

    private mutating func append(_ row: ContactsRow) {
        firstSecond = min(firstSecond, row.seconds)
        lastSecond = max(lastSecond, row.seconds)
        guard let content = content(of: row) else { return }
        events[String(decoding: row.device, as: UTF8.self), default: []]
            .append(Event(seconds: row.seconds, content: content))
    }

    private func content(of row: ContactsRow) -> Event.Content? {
        let data = String(decoding: row.data, as: UTF8.self)
        switch row.event {
        case .detect: return .detection
        case .measure:
            // "RSSI:-48.0" or "RSSI:-48.0[BLETransmitPower:8.0]".
            let number = data.split(separator: ":").dropFirst().first?.prefix { $0 != "[" }
            return number.flatMap { Double($0) }.map { .rssi(Self.rssi($0)) }
        case .read: return .payload(of: String(data.prefix(6)))
        case .share: return .sharedPayload(of: String(data.prefix(6)))
        case .visit, .detectHerald, .delete: return nil
        }
    }

    /// iPhones write 127 where they have no RSSI. It becomes the weakest one, so that the reading still
    /// counts (Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.2).
    private static func rssi(_ number: Double) -> Int8 {
        (-127...20).contains(number) ? Int8(number.rounded()) : -127
    }

    private static func bytes(_ file: URL) throws(Failure) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw Failure(.noInput, "\(file.path): no such file, or it cannot be read")
        }
        return [UInt8](data)
    }

    /// A payload of Herald with this short name: the base64 of the bytes after its header of three bytes.
    static func payload(named shortName: String) -> [UInt8] {
        let padded = shortName + String(repeating: "A", count: max(0, 8 - shortName.count))
        let bytes = [UInt8](Data(base64Encoded: padded) ?? Data(shortName.utf8))
        let content =
            bytes + [UInt8](repeating: 0, count: max(0, MeetingPlan.identityByteCount - 3 - bytes.count))
        return [0x10, 0x3a, 0x03] + content
    }
}
