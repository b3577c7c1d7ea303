import Foundation
import Testing

@testable import Cards

/// The other text files of a boot partition.
@Suite struct BootTextTests {
    private static let step = "sh /boot/firmware/tabard/first-boot.sh # tabard"

    @Test func `config.txt gets the lines of all boards behind its own`() {
        let new = BootText.configuration("arm_64bit=1\n[cm4]\notg_mode=1\n")
        let lines = BootText.lines(of: new)
        #expect(lines.prefix(3) == ["arm_64bit=1", "[cm4]", "otg_mode=1"])
        // The filter of the lines before must not hold for ours.
        #expect(lines[5] == "[all]")
        #expect(lines.contains("dtparam=krnbt=on"))
        #expect(BootText.configuration(new) == new)
    }

    /// The pages of the boards have the same lines for those who append them by hand.
    @Test func `each board's own config.txt says the same`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../boards")
        let filters = [
            "raspberry-pi-zero-w": "[pi0]", "raspberry-pi-zero-2-w": "[pi0]", "raspberry-pi-3": "[pi3]",
            "raspberry-pi-4": "[pi4]", "raspberry-pi-5": "[pi5]",
        ]
        for (board, filter) in filters {
            let text = try String(contentsOf: root.appending(path: "\(board)/config.txt"), encoding: .utf8)
            let own = BootText.lines(of: text).filter { !$0.isEmpty && !$0.hasPrefix("#") }
            var applies = true
            var ours: [String] = []
            for line in BootText.lines(of: BootText.boardLines) {
                if line.hasPrefix("[") {
                    applies = ["[all]", filter].contains(line)
                } else if applies {
                    ours.append(line)
                }
            }
            #expect(Set(ours) == Set(own), "\(board)")
        }
    }

    @Test func `the kernel writes nothing to the UART, and the first boot runs the script`() {
        let text =
            "console=serial0,115200 console=tty1 root=PARTUUID=4a-02 rootwait init=/usr/lib/firstboot\n"
        let kept = "console=tty1 root=PARTUUID=4a-02 rootwait init=/usr/lib/firstboot"
        let run =
            " systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot "
            + "systemd.unit=kernel-command-line.target"
        #expect(BootText.commandLine(text, runsScript: true) == kept + run + "\n")
        #expect(BootText.commandLine(text, runsScript: false) == kept + "\n")
        #expect(BootText.commandLine(kept + run, runsScript: true) == kept + run + "\n")
    }

    @Test func `a command line of Raspberry Pi Imager keeps its script`() {
        let text = "console=tty1 systemd.run=/boot/firstrun.sh systemd.run_success_action=reboot\n"
        #expect(BootText.commandLine(text, runsScript: true) == text)
    }

    @Test func `a script of Raspberry Pi Imager runs our step before it removes itself`() {
        let text = """
            #!/bin/bash
            set +e
            echo foyer >/etc/hostname
            rm -f /boot/firstrun.sh
            sed -i 's| systemd.run.*||g' /boot/cmdline.txt
            exit 0

            """
        let new = BootText.firstRunScript(text)
        #expect(
            BootText.lines(of: new)[2...4] == [
                "echo foyer >/etc/hostname", Self.step, "rm -f /boot/firstrun.sh",
            ])
        #expect(BootText.firstRunScript(new) == new)
    }

    @Test func `without a script there is one that removes itself`() {
        let new = BootText.firstRunScript(nil)
        #expect(BootText.lines(of: new)[1] == Self.step)
        #expect(new.contains("rm -f /boot/firmware/firstrun.sh\n"))
        #expect(BootText.firstRunScript(new) == new)
    }
}
