import Configuration
import FixedMemory

/// The text of `tabard --help`.
enum Usage {
    static func write(to descriptor: Int32) {
        var text = FixedBuffer<16384>()
        try? text.append(head)
        try? ConfigurationManual.writePlain(to: &text)
        try? text.append(tail)
        Output.write(text.span, to: descriptor)
    }

    private static let head: StaticString = """
        Usage: tabard COMMAND [OPTION]...

        Makes this board a Herald venue beacon or a wearable contact tracer, in five schemes.

        Commands:
          run        drive the controller, record encounters, hand them over
          config     read the configuration as run would, and print it with the origin of each value
          replay     read a btsnoop capture and print what run would have recorded of it:
                     tabard replay FILE [--summary], with - for standard input
          selftest   check the cryptography, the schemes and the sizes of the tables on this board
          --version  print the version
          --help     print this

        Options of run, config and replay:
          --config FILE             read FILE instead of /etc/tabard/tabard.toml
          --hci TRANSPORT           the controller: hci0, hci:usb or another bus, hci@ADDRESS,
                                    unix:PATH, unix-seqpacket:PATH, tcp-client:ADDRESS:PORT, serial:DEVICE,BAUD[,rtscts]
          --sync PORT               hand logs over on PORT: a serial device, or pty:LINK
          --log FILE                keep the log in FILE
          --snoop FILE              write a btsnoop capture to FILE
          --set SECTION.KEY=VALUE   set any key of the configuration

        Keys of the configuration:

        """

    private static let tail: StaticString = """

        Signals: SIGTERM, SIGINT and SIGHUP commit the log and end the agent.
        Exit status: 0 ended as asked, 64 usage, 65 bad configuration, log or capture,
        66 no such configuration file or capture,
        69 controller or port unavailable, 70 self-test failed, 74 input or output failed, 75 try again later,
        77 permission denied.

        """
}
