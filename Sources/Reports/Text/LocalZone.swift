import FixedMemory
import Foundation

/// A time zone: its offset from UTC at each time.
///
/// Foundation knows only zones with a name, and takes UTC for any other. People also set `TZ` in POSIX form,
/// such as `CET-1CEST,M3.5.0,M10.5.0/3`. So this computer's zone is the C library's, as for date(1).
public struct LocalZone: Sendable {
    public static let utc = LocalZone(name: "UTC") { _ in 0 }

    /// The zone's name; a POSIX form has none that means anything to people.
    let name: String?
    /// Takes seconds since 1970, and returns seconds from UTC.
    private let offset: @Sendable (Int64) -> Int64

    private init(name: String?, offset: @escaping @Sendable (Int64) -> Int64) {
        self.name = name
        self.offset = offset
    }

    public init(_ zone: TimeZone) {
        // The names of zones with a fixed offset, such as GMT+0100, only repeat that.
        self.init(name: zone.identifier.hasPrefix("GMT") && zone != .gmt ? nil : zone.identifier) {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval($0))))
        }
    }

    /// The zone of this computer, or that of the environment variable `TZ`.
    public static let current: LocalZone = {
        tzset()
        let given = environmentName
        let name = given.map { isKnown($0) ? $0 : nil } ?? TimeZone.current.identifier
        return LocalZone(name: name) { seconds in
            var time = time_t(seconds)
            var parts = tm()
            return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
        }
    }()

    /// The value of `TZ` if nothing is known of it, so that the C library takes it for UTC.
    public static var unknownName: String? {
        guard let name = environmentName, !isKnown(name), name.wholeMatch(of: posixForm) == nil else {
            return nil
        }
        return name
    }

    private static var environmentName: String? {
        ProcessInfo.processInfo.environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
            .flatMap { $0.isEmpty ? "UTC" : $0 }
    }

    /// Whether this computer knows a zone with this name.
    public static func isKnown(_ name: String) -> Bool {
        name == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(name)
            || !name.contains("..") && isFile("/usr/share/zoneinfo/" + name)
    }

    /// Continents are folders.
    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// A name of letters or in angle brackets, then hours from UTC; the rest is about daylight saving time.
    private static var posixForm: Regex<Substring> { #/(?:[A-Za-z]{3,}|<[^>]+>)[+-]?\d.*/# }

    func secondsFromUTC(at time: WallClockTime) -> Int64 { offset(Int64(clamping: time.seconds)) }

    /// The seconds since 1970 at which clocks show this local time: none while clocks go forward, two while
    /// they go back.
    ///
    /// - Parameter local: the seconds from 1970-01-01T00:00 local time.
    func seconds(ofLocal local: Int64) -> [Int64] {
        let offsets = Set([local - 86_400, local + 86_400].map(offset))
        return offsets.map { local - $0 }.filter { $0 + offset($0) == local }.sorted()
    }

    /// "UTC" or "Europe/London (UTC+01:00)", with the offset of the given time.
    func text(at time: WallClockTime) -> String {
        let seconds = secondsFromUTC(at: time)
        guard let name else { return "UTC" + offsetText(at: time) }
        if seconds == 0, ["UTC", "GMT", "Etc/UTC"].contains(name) { return "UTC" }
        return "\(name) (UTC\(offsetText(at: time)))"
    }

    /// "+01:00"
    func offsetText(at time: WallClockTime) -> String {
        let seconds = secondsFromUTC(at: time)
        let minutes = abs(seconds) / 60
        let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (seconds < 0 ? "-" : "+") + digits.joined(separator: ":")
    }
}
