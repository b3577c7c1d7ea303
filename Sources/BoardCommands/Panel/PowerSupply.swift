import BoardPanel
import CLinux
import EncounterLog
import FixedMemory

/// Where the battery's readings come from.
enum PowerSupply {
    /// Nothing measures the battery.
    case none
    /// A battery of the kernel's class power_supply, by its name.
    case kernel(FixedBuffer<64>)
    /// A program that prints a reading (``BatteryText/reading(_:)``), for circuits without a kernel driver.
    case helper(SystemPath)

    private static let folder: StaticString = "/sys/class/power_supply"
    private static let helperMilliseconds: Int32 = 2_000

    /// The first battery of the board itself. Batteries of mice and the like have the scope "Device".
    static func find(in files: SystemFiles) -> PowerSupply {
        var supply = PowerSupply.none
        _ = files.forEachEntry(of: folder) { name in
            guard files.file(path(name, "/type", files), beginsWith: "Battery"),
                !files.file(path(name, "/scope", files), beginsWith: "Device"),
                let name = FixedBuffer<64>(name)
            else { return false }
            supply = .kernel(name)
            return true
        }
        return supply
    }

    /// A battery of this name; nil if there is none.
    static func named(_ name: Span<UInt8>, in files: SystemFiles) -> PowerSupply? {
        guard path(name, "/type", files).exists, let name = FixedBuffer<64>(name) else { return nil }
        return .kernel(name)
    }

    /// The present reading; nil if there is none.
    func read(_ files: SystemFiles) -> BatteryReading? {
        switch self {
        case .none: return nil
        case .kernel(let name):
            let percent = Self.number(name.span, "/capacity", files)
            let microvolts = Self.number(name.span, "/voltage_now", files)
            guard percent != nil || microvolts != nil else { return nil }
            var bytes = Bytes<32>()
            let count = Self.path(name.span, "/status", files).read(&bytes)
            return BatteryReading(
                percent: percent.map { UInt8(truncatingIfNeeded: min($0, 100)) },
                millivolts: microvolts.map { UInt16(truncatingIfNeeded: min($0 / 1_000, 0xffff)) },
                state: BatteryText.state(bytes.span.extracting(0..<count)) ?? .unknown, isLow: false)
        case .helper(let program):
            var bytes = Bytes<128>()
            var output = bytes.mutableSpan
            let count = output.withUnsafeMutableBufferPointer { buffer in
                program.withCString {
                    clinux_run($0, buffer.baseAddress, buffer.count, Self.helperMilliseconds)
                }
            }
            guard count > 0 else { return nil }
            return BatteryText.reading(bytes.span.extracting(0..<Int(count)))
        }
    }

    private static func number(
        _ name: Span<UInt8>, _ file: StaticString, _ files: SystemFiles
    ) -> UInt32? {
        var bytes = Bytes<32>()
        let count = path(name, file, files).read(&bytes)
        return BatteryText.decimal(bytes.span.extracting(0..<count))
    }

    private static func path(
        _ name: Span<UInt8>, _ file: StaticString, _ files: SystemFiles
    ) -> SystemPath {
        files.path("/sys/class/power_supply/", name, file)
    }
}
