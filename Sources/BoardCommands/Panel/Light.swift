import BoardCommandLine
import CLinux
import FixedMemory

/// One of the kernel's LEDs. While the panel runs, the LED shows nothing else.
struct Light {
    private let brightness: SystemPath
    private let trigger: SystemPath
    /// The kernel's trigger that set the LED before, such as "mmc0".
    private let formerTrigger: FixedBuffer<64>
    /// The largest brightness, as the kernel writes it.
    private let full: FixedBuffer<16>
    private var isOn: Bool?

    private static let folder: StaticString = "/sys/class/leds/"

    /// The LEDs that are taken unasked: one with our name, and those by which a Raspberry Pi shows that it
    /// works.
    static func find(in files: SystemFiles) -> Light? {
        Light("tabard", in: files) ?? Light("ACT", in: files) ?? Light("led0", in: files)
    }

    private init?(_ name: StaticString, in files: SystemFiles) {
        var text = FixedBuffer<256>()
        try? text.append(name)
        self.init(name: text.span, in: files)
    }

    /// - Returns: nil if the kernel has no such LED, or does not let this program set it.
    init?(name: Span<UInt8>, in files: SystemFiles) {
        brightness = files.path(Self.folder, name, "/brightness")
        trigger = files.path(Self.folder, name, "/trigger")
        var bytes = Bytes<4096>()
        var count = trigger.read(&bytes)
        formerTrigger = Self.chosen(bytes.span.extracting(0..<count))
        count = files.path(Self.folder, name, "/max_brightness").read(&bytes)
        while count > 0, bytes[count - 1] <= UInt8(ascii: " ") { count -= 1 }
        guard count > 0, let full = FixedBuffer<16>(bytes.span.extracting(0..<count)) else { return nil }
        self.full = full
        // Without this the kernel would go on changing the brightness.
        if !formerTrigger.isEmpty { _ = Self.put("none", to: trigger) }
        guard set(false) else { return nil }
    }

    /// The word in brackets: "none [mmc0] timer".
    private static func chosen(_ list: Span<UInt8>) -> FixedBuffer<64> {
        var (name, isInside) = (FixedBuffer<64>(), false)
        for index in list.indices {
            switch list[index] {
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "]"): isInside = false
            default: if isInside { try? name.append(list[index]) }
            }
        }
        return name
    }

    /// - Returns: whether the LED took it.
    @discardableResult
    mutating func set(_ isOn: Bool) -> Bool {
        guard isOn != self.isOn else { return true }
        self.isOn = isOn
        return isOn ? Self.put(full.span, to: brightness) : Self.put("0", to: brightness)
    }

    /// Gives the LED back.
    mutating func release() {
        set(false)
        if !formerTrigger.isEmpty { _ = Self.put(formerTrigger.span, to: trigger) }
    }

    private static func put(_ text: StaticString, to path: SystemPath) -> Bool {
        var bytes = FixedBuffer<16>()
        try? bytes.append(text)
        return put(bytes.span, to: path)
    }

    private static func put(_ text: Span<UInt8>, to path: SystemPath) -> Bool {
        path.withCString { path in text.withUnsafeBytes { clinux_put(path, $0.baseAddress, $0.count) } } > 0
    }
}
