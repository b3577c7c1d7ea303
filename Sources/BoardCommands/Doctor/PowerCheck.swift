import FixedMemory

/// Checks the board's power supply, where the kernel measures it.
struct PowerCheck {
    let files: SystemFiles

    /// A Raspberry Pi's kernel driver raises an alarm while the voltage is below its limit.
    func run(_ diagnosis: inout Diagnosis) {
        let isLow = files.forEachEntry(of: "/sys/class/hwmon") { name in
            files.file(files.path("/sys/class/hwmon/", name, "/name"), beginsWith: "rpi_volt")
                && files.file(files.path("/sys/class/hwmon/", name, "/in0_lcrit_alarm"), beginsWith: "1")
        }
        guard isLow else { return }
        diagnosis.report(
            .warning, "power", "the supply's voltage is too low, which damages cards and resets controllers",
            .advice("use the board's own power supply, and a short cable"))
    }
}
