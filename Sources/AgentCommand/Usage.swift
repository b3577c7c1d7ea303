import BoardCommandLine
import Configuration
import FixedMemory

/// The text of `tabard --help`.
enum Usage {
    static func write() {
        // As long as the listing of a configuration, so that the image has the code for one length.
        var text = FixedBuffer<8192>()
        try? text.append(head)
        Output.write(text.span, to: 1)
        text.removeAll()
        try? ConfigurationManual.writePlain(to: &text)
        try? text.append(tail)
        Output.write(text.span, to: 1)
    }

    private static let head: StaticString = """
        Usage: tabard COMMAND [OPTION]...

        Runs this board as a Herald venue beacon or as a wearable contact tracer.

        Examples:
          tabard run --config /etc/tabard/tabard.toml
          tabard config --set log.retention_days=14
          tabard replay capture.snoop --summary

        Commands:
          run        drive the controller, record encounters and serve the log
          setup      make this board a venue's beacon, or a wearable; asks, or takes
                     options; writes tabard.local.toml
          status     print what the running agent does: tabard status [--json]
          metrics    print the same for Prometheus: tabard metrics [--output FILE]
          doctor     say what keeps this board from its work, and what mends it:
                     tabard doctor [--json]
          mark       mark this moment in the log, as the board's button does
          panel      show the board's state by a light, take presses of its button, and
                     watch its battery; the service tabard-panel runs it
          config     print the effective configuration and each value's origin
          replay     print what run would record of a btsnoop capture:
                     tabard replay FILE [--summary]; FILE - is standard input
          selftest   check cryptography, schemes and table sizes on this board
          --version  print the version
          --help     print this text

        Options of run, doctor, config and replay:
          --config FILE            configuration; default: /etc/tabard/tabard.toml
          --hci TRANSPORT          controller: hci0, hci:usb or another bus,
                                   hci@ADDRESS, unix:PATH, unix-seqpacket:PATH,
                                   tcp-client:ADDRESS:PORT, serial:DEVICE,BAUD[,rtscts]
          --sync PORT              port that serves the log: serial device or pty:LINK
          --log FILE               log file or device
          --snoop FILE             btsnoop file for all HCI traffic
          --set SECTION.KEY=VALUE  one key of the configuration; may be repeated

        Options of setup:
          --role ROLE              beacon or wearable
          --venue-number NUMBER    number of the venue within the state
          --country NUMBER         ISO 3166-1 numeric; --state NUMBER; --name TEXT;
          --area TEXT; --url URL   for visitors
          --set SECTION.KEY=VALUE  another key; may be repeated
          --opening FILE           public keys of the log's owner and of the operator,
          --operator FILE          in PEM, as tabardctl keys new writes them
          --config FILE            the file beside which the local file is

        Options of panel; without them it takes what the board has:
          --light NAME             LED of /sys/class/leds, or off
          --button DEVICE          input device, /dev/input/event0, or off
          --hold WORD              what a hold of 3 s does: poweroff, or off
          --battery NAME           battery of /sys/class/power_supply, or off
          --battery-helper PROGRAM program that prints percent, millivolts and state
          --low-line CHIP:LINE     GPIO line that warns: /dev/gpiochip0:17, or with :low
          --low PERCENT            charge at which the battery is low; default 10
          --stop PERCENT           charge at which it powers off; default 3, 0: never

        Keys of the configuration with their defaults:

        """

    private static let tail: StaticString = """

        Signals: SIGTERM and SIGINT commit the log and stop the agent. SIGHUP starts it
        again with the configuration as it is now, unless that has a mistake.
        Exit codes: 0 done, 64 usage, 65 damaged configuration, log or capture,
        66 no such file, 69 controller or port unavailable, 70 self-test failed,
        74 input or output failed, 75 try again later, 77 permission denied.

        """
}
