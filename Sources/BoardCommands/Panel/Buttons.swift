import CLinux
import FixedMemory
import LinuxPlatform

/// The input devices whose keys are the board's button.
struct Buttons {
    /// A device with more keys is a keyboard or a remote control.
    private static let keyLimit: Int32 = 8

    /// More devices with keys than a board has; negative where there is none.
    private var descriptors = InlineArray<8, Int32>(repeating: -1)

    var isEmpty: Bool {
        for index in descriptors.indices where descriptors[index] >= 0 { return false }
        return true
    }

    /// Takes all devices that have a few keys, and nothing else.
    static func find(in files: SystemFiles, readiness: Readiness) -> Buttons {
        var found = Buttons()
        _ = files.forEachEntry(of: "/dev/input") { name in
            if name.count > 5, name.extracting(0..<5).isEqual(to: "event") {
                _ = found.take(files.path("/dev/input/", name), keyLimit: keyLimit, readiness: readiness)
            }
            return false
        }
        return found
    }

    /// Takes a device.
    /// - Parameter keyLimit: the most keys that it may have.
    /// - Returns: 0, or the error number.
    mutating func take(_ device: SystemPath, keyLimit: Int32 = .max, readiness: Readiness) -> Int32 {
        let descriptor = device.withCString { clinux_open_keys($0) }
        guard descriptor >= 0 else { return -descriptor }
        guard keyLimit == .max || (1...keyLimit).contains(clinux_count_keys(descriptor)),
            let place = freePlace, (try? readiness.add(descriptor)) != nil
        else {
            _ = clinux_close(descriptor)
            return Int32(CLINUX_ENODEV)
        }
        descriptors[place] = descriptor
        return 0
    }

    private var freePlace: Int? {
        for index in descriptors.indices where descriptors[index] < 0 { return index }
        return nil
    }

    /// The next change of any button, true for down; nil if there is none.
    mutating func next() -> Bool? {
        for index in descriptors.indices where descriptors[index] >= 0 {
            switch clinux_read_key(descriptors[index]) {
            case 0: return false
            case 1: return true
            case -Int32(CLINUX_EAGAIN): continue
            default:
                // The device is gone.
                _ = clinux_close(descriptors[index])
                descriptors[index] = -1
            }
        }
        return nil
    }
}
