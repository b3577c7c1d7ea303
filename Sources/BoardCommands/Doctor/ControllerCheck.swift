import BoardCommandLine
import CLinux
import Configuration
import DeviceSync
import EncounterLog
import FixedMemory
import LinuxPlatform

/// Checks the way to the Bluetooth controller, and who else wants it.
struct ControllerCheck {
    let files: SystemFiles

    func run(
        _ configuration: AgentConfiguration, _ status: BoardStatus?, _ diagnosis: inout Diagnosis
    ) {
        switch configuration.radio.hci {
        case .hciSocket(let name):
            if checkAdapters(name, configuration.radio.address, &diagnosis) { checkKernel(&diagnosis) }
            checkBluetoothd(&diagnosis)
        case .unixStream(let path): checkPresence(files.path("", path.span), &diagnosis)
        case .unixSequencedPackets(let path): checkPresence(files.path("", path.span), &diagnosis)
        case .serial(let device, _, _): checkPresence(files.path("", device.span), &diagnosis)
        case .tcpClient: break
        }
        if let status { checkRadio(status, &diagnosis) }
    }

    private func checkPresence(_ path: SystemPath, _ diagnosis: inout Diagnosis) {
        guard !path.exists else { return }
        diagnosis.report(
            .fault, "controller", .advice("start what makes it, or set radio.hci to another controller")
        ) {
            line throws(CapacityError) in
            try line.append(path.span)
            try line.append(" of radio.hci is not there")
        }
    }

    /// - Returns: whether the adapter that the configuration names is there.
    private func checkAdapters(
        _ name: AdapterName, _ address: BeaconAddress?, _ diagnosis: inout Diagnosis
    ) -> Bool {
        guard files.exists("/sys/class/bluetooth") else {
            diagnosis.report(
                .fault, "controller", "the kernel's Bluetooth is not loaded", .run("sudo modprobe bluetooth"))
            return false
        }
        let adapters = present
        guard !adapters.isEmpty else {
            diagnosis.report(.fault, "controller", "the kernel has no Bluetooth adapter", remedyOfAbsence)
            return false
        }
        switch adapters.choose(name) {
        case .absent:
            diagnosis.report(.fault, "controller", .advice("set radio.hci to one of them")) {
                line throws(CapacityError) in
                try line.append("radio.hci: no adapter ")
                try name.write(to: &line)
                try line.append("; the kernel has ")
                try adapters.write(to: &line)
            }
            return false
        case .notKnownYet:
            diagnosis.report(
                .fault, "controller", "no adapter has the address of radio.hci, and one has no address yet",
                .advice("name the adapter by its bus, such as hci:uart"))
            return false
        case .number:
            diagnosis.report(.good, "controller") { line throws(CapacityError) in
                try adapters.write(to: &line)
            }
            if address == .ofController { checkAddress(adapters, &diagnosis) }
            return true
        }
    }

    /// The adapters of this system from its kernel, those of another from its files.
    private var present: AdapterList {
        if files.isThisSystem, let adapters = try? AdapterList.ofKernel(), !adapters.isEmpty {
            return adapters
        }
        var found = InlineArray<16, Adapter>(
            repeating: Adapter(number: 0, bus: nil, address: AdapterAddress(Bytes<6>())))
        var count = 0
        _ = files.forEachEntry(of: "/sys/class/bluetooth") { name in
            guard count < 16, let number = name.adapterNumber else { return false }
            found[count] = Adapter(number: number, bus: nil, address: AdapterAddress(Bytes<6>()))
            count += 1
            return false
        }
        return AdapterList(found.span.extracting(0..<count))
    }

    /// Why there may be no adapter: it is switched off, or its firmware is missing.
    private var remedyOfAbsence: Diagnosis.Remedy {
        if configurationOfBoot(has: "dtoverlay=disable-bt") {
            return .advice(
                "remove dtoverlay=disable-bt from the board's config.txt, and start the board again")
        }
        return KernelMessages(files: files).remedyOfMissingFirmware
            ?? .advice("plug an adapter in; sudo dmesg shows what the kernel says of Bluetooth")
    }

    private func configurationOfBoot(has line: StaticString) -> Bool {
        var bytes = Bytes<8192>()
        var count = files.path("/boot/firmware/config.txt").read(&bytes)
        if count == 0 { count = files.path("/boot/config.txt").read(&bytes) }
        return bytes.span.extracting(0..<count).hasLine(line)
    }

    /// Several devices have the addresses that controllers have without one of their own.
    private func checkAddress(_ adapters: AdapterList, _ diagnosis: inout Diagnosis) {
        guard adapters.hasDefaultAddress else { return }
        diagnosis.report(
            .warning, "controller", "its address is a default one that other controllers have too",
            .advice("set radio.address to \"\", and the board takes one of its own"))
    }

    /// Looks for switches, and for firmware that was not found although there is an adapter.
    private func checkKernel(_ diagnosis: inout Diagnosis) {
        var (isSoft, isHard) = (false, false)
        _ = files.forEachEntry(of: "/sys/class/rfkill") { name in
            if files.file(files.path("/sys/class/rfkill/", name, "/type"), beginsWith: "bluetooth") {
                isSoft =
                    isSoft || files.file(files.path("/sys/class/rfkill/", name, "/soft"), beginsWith: "1")
                isHard =
                    isHard || files.file(files.path("/sys/class/rfkill/", name, "/hard"), beginsWith: "1")
            }
            return false
        }
        if isHard {
            diagnosis.report(
                .fault, "rfkill", "a switch on the board has turned Bluetooth off",
                .advice("turn the switch on; rfkill list shows which"))
        } else if isSoft {
            diagnosis.report(
                .fault, "rfkill", "Bluetooth is blocked", .run("sudo rfkill unblock bluetooth"))
        }
        if let remedy = KernelMessages(files: files).remedyOfMissingFirmware {
            diagnosis.report(.fault, "firmware", "the kernel did not find the controller's firmware", remedy)
        }
    }

    private func checkBluetoothd(_ diagnosis: inout Diagnosis) {
        let isRunning = files.forEachEntry(of: "/proc") { name in
            guard name.isNumber else { return false }
            return files.file(files.path("/proc/", name, "/comm"), beginsWith: "bluetoothd\n")
        }
        guard isRunning else { return }
        diagnosis.report(
            .fault, "bluetoothd", "it runs, and only one program can have the controller",
            .run("sudo systemctl disable --now bluetooth"))
    }

    private func checkRadio(_ status: BoardStatus, _ diagnosis: inout Diagnosis) {
        switch status.radioState {
        case .up?, .quiet?:
            diagnosis.report(.good, "radio") { line throws(CapacityError) in
                try line.append("up, ")
                try line.append(decimal: status.peerCount)
                try line.append(" devices near")
            }
        case .unused?: break
        default:
            diagnosis.report(
                .fault, "radio",
                .advice("if it stays so, cut the board's power for a moment; then replace the adapter")
            ) {
                line throws(CapacityError) in
                try line.append(StatusValues.radio(status.radioState))
                guard let fault = status.radioFault else { return }
                try line.append("; last fault: ")
                try line.append(StatusValues.fault(fault))
            }
        }
    }
}

extension Span where Element == UInt8 {
    /// The number in a name such as `hci0`; links of an adapter, `hci0:64`, are none.
    fileprivate var adapterNumber: UInt16? {
        guard count > 3, count < 8, extracting(0..<3).isEqual(to: "hci") else { return nil }
        var number: UInt32 = 0
        for index in 3..<count {
            guard self[index] >= UInt8(ascii: "0"), self[index] <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + UInt32(self[index] - UInt8(ascii: "0"))
        }
        return UInt16(exactly: number)
    }

    fileprivate var isNumber: Bool {
        for index in indices where self[index] < UInt8(ascii: "0") || self[index] > UInt8(ascii: "9") {
            return false
        }
        return !isEmpty
    }

    /// Whether one of the lines is exactly `line`.
    fileprivate func hasLine(_ line: StaticString) -> Bool {
        var start = 0
        for index in 0...count where index == count || self[index] == UInt8(ascii: "\n") {
            if extracting(start..<index).isEqual(to: line) { return true }
            start = index + 1
        }
        return false
    }
}
