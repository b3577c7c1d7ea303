/// The text files of a boot partition, changed so that the board serves Tabard. Each change can be repeated.
enum BootText {
    private static let begin = "# Begin of the lines of tabardctl prepare"
    private static let end = "# End of the lines of tabardctl prepare"

    /// `config.txt` with the lines of all boards. The firmware passes over those of other models.
    static func configuration(_ text: String) -> String {
        var lines = lines(of: text)
        if let first = lines.firstIndex(of: begin), let last = lines[first...].firstIndex(of: end) {
            lines.removeSubrange(first...last)
            while lines.last?.isEmpty ?? false { lines.removeLast() }
        }
        return (lines + ["", begin, boardLines, end]).joined(separator: "\n") + "\n"
    }

    /// Attaches the controller to the kernel, and makes the USB device port a serial port. A Raspberry Pi 3
    /// has no such port, so its UART carries the sync line.
    static let boardLines = """
        [all]
        dtparam=krnbt=on
        [pi0]
        dtoverlay=dwc2,dr_mode=peripheral
        [pi4]
        dtoverlay=dwc2,dr_mode=peripheral
        [pi5]
        dtoverlay=dwc2,dr_mode=peripheral
        [pi3]
        enable_uart=1
        [all]
        """

    /// The kernel's command line, without a console on the UART, which may carry the sync line.
    /// - Parameter runsScript: whether the first boot is to run `firstrun.sh`.
    static func commandLine(_ text: String, runsScript: Bool) -> String {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        words.removeAll { $0.hasPrefix("console=serial0") || $0.hasPrefix("console=ttyAMA") }
        if runsScript, !words.contains(where: { $0.hasPrefix("systemd.run=") }) {
            words += [
                "systemd.run=\(BootPartition.mountPoint)/firstrun.sh",
                "systemd.run_success_action=reboot", "systemd.unit=kernel-command-line.target",
            ]
        }
        return words.joined(separator: " ") + "\n"
    }

    /// `firstrun.sh` with our step: before the line by which that of Raspberry Pi Imager removes itself. The
    /// system replaces what follows that line.
    /// - Parameter text: the present script; nil if there is none.
    static func firstRunScript(_ text: String?) -> String {
        let place = BootPartition.mountPoint
        let step = "\(FirstBootScript.command.joined(separator: " ")) \(FirstBootScript.mark)"
        guard let text else {
            return """
                #!/bin/sh
                \(step)
                rm -f \(place)/firstrun.sh
                sed -i 's| systemd\\.[^ ]*||g' \(place)/cmdline.txt
                exit 0

                """
        }
        var lines = lines(of: text)
        lines.removeAll { $0.hasSuffix(FirstBootScript.mark) }
        let end =
            lines.firstIndex { $0.contains("rm ") && $0.hasSuffix("firstrun.sh") }
            ?? lines.lastIndex { $0.hasPrefix("exit") } ?? lines.endIndex
        lines.insert(step, at: end)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines without their ends, of whatever kind, and without the empty one at the end.
    static func lines(of text: String) -> [String] {
        var lines = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines
    }
}
