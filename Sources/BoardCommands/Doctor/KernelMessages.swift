import CLinux
import FixedMemory

/// The kernel's messages, in which a driver says which firmware it has not found. Only root may read them on
/// many systems.
struct KernelMessages {
    /// As many messages as the kernel keeps of a busy start, and a bound for a strange file.
    private static let messageLimit = 65_536

    let files: SystemFiles

    /// The package with the firmware that a Bluetooth driver did not find last; nil if none says so.
    var remedyOfMissingFirmware: Diagnosis.Remedy? {
        let descriptor = files.path("/dev/kmsg").withCString { clinux_open_messages($0) }
        guard descriptor >= 0 else { return nil }
        defer { _ = clinux_close(descriptor) }
        var remedy: Diagnosis.Remedy?
        var message = Bytes<8192>()
        for _ in 0..<Self.messageLimit {
            var span = message.mutableSpan
            let count = span.withUnsafeMutableBufferPointer {
                clinux_read(descriptor, $0.baseAddress, $0.count)
            }
            // A message that was overwritten meanwhile.
            if count == -Int64(CLINUX_EPIPE) { continue }
            guard count > 0 else { break }
            if let found = Self.remedy(in: message.span.extracting(0..<Int(count))) { remedy = found }
        }
        return remedy
    }

    private static func remedy(in message: Span<UInt8>) -> Diagnosis.Remedy? {
        guard message.has("irmware"), message.has("failed") || message.has("not found"),
            message.has("luetooth")
        else { return nil }
        if message.has("BCM") || message.has("brcm/") { return .run("sudo apt install bluez-firmware") }
        if message.has("rtl_bt/") || message.has("RTL") { return .run("sudo apt install firmware-realtek") }
        if message.has("intel/") { return .run("sudo apt install firmware-iwlwifi") }
        if message.has("qca/") || message.has("ar3k/") { return .run("sudo apt install firmware-atheros") }
        if message.has("mediatek/") { return .run("sudo apt install firmware-misc-nonfree") }
        return .advice("sudo dmesg names the file; install the package that has it")
    }
}

extension Span where Element == UInt8 {
    fileprivate func has(_ text: StaticString) -> Bool { offset(of: text) != nil }
}
