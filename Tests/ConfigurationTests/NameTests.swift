import FixedMemory
import TestSupport
import Testing

@testable import Configuration

@Suite struct TransportNameTests {
    static func parse(_ text: String) -> Result<TransportName, TransportNameError> {
        let bytes = Array(text.utf8)
        do throws(TransportNameError) {
            return .success(try TransportName(parsing: bytes.span))
        } catch {
            return .failure(error)
        }
    }

    /// Makes an address from little-endian bytes.
    private static func address(_ bytes: [UInt8]) -> AdapterAddress {
        AdapterAddress(Bytes<6>(bytes.span) ?? Bytes())
    }

    @Test(
        arguments: [
            ("hci0", .hciSocket(.number(0)), "hci0"),
            ("hci-socket:12", .hciSocket(.number(12)), "hci12"),
            ("hci:usb", .hciSocket(.bus(.usb)), "hci:usb"),
            ("hci:uart", .hciSocket(.bus(.uart)), "hci:uart"),
            ("hci:virtual", .hciSocket(.bus(.virtual)), "hci:virtual"),
            ("hci:ipc", .hciSocket(.bus(.ipc)), "hci:ipc"),
            (
                "hci@00:1a:7D:da:71:13",
                .hciSocket(.address(address([0x13, 0x71, 0xda, 0x7d, 0x1a, 0x00]))),
                "hci@00:1A:7D:DA:71:13"
            ),
            ("unix:/tmp/a b", .unixStream(path: FixedText("/tmp/a b")), "unix:/tmp/a b"),
            ("unix-seqpacket:x", .unixSequencedPackets(path: FixedText("x")), "unix-seqpacket:x"),
            (
                "tcp-client:192.168.0.1:9001", .tcpClient(address: FixedText("192.168.0.1"), port: 9001),
                "tcp-client:192.168.0.1:9001"
            ),
            (
                "tcp-client:localhost:1", .tcpClient(address: FixedText("127.0.0.1"), port: 1),
                "tcp-client:127.0.0.1:1"
            ),
            (
                "serial:/dev/ttyAMA0,921600",
                .serial(device: FixedText("/dev/ttyAMA0"), baud: 921_600, flowControl: false),
                "serial:/dev/ttyAMA0,921600"
            ),
            (
                "serial:/dev/ttyS1,115200,rtscts",
                .serial(device: FixedText("/dev/ttyS1"), baud: 115_200, flowControl: true),
                "serial:/dev/ttyS1,115200,rtscts"
            ),
        ] as [(String, TransportName, String)])
    func `Each kind is read and written`(text: String, transport: TransportName, written: String) throws {
        #expect(Self.parse(text) == .success(transport))
        var buffer = FixedBuffer<256>()
        try transport.write(to: &buffer)
        #expect(String(buffer) == written)
    }

    @Test(
        arguments: [
            ("", .unknownKind), ("usb:0", .unknownKind), ("HCI0", .unknownKind), ("/dev/ttyS0", .unknownKind),
            ("hci", .adapterNumber), ("hci-1", .adapterNumber), ("hci00", .adapterNumber),
            ("hci65535", .adapterNumber),
            ("hci:", .adapterBus), ("hci:0", .adapterBus), ("hci:USB", .adapterBus),
            ("hci:usb0", .adapterBus),
            ("hci:us", .adapterBus), ("hci: usb", .adapterBus),
            ("hci@", .adapterAddress), ("hci@0", .adapterAddress), ("hci@00:00:00:00:00:00", .adapterAddress),
            ("hci@00:1A:7D:DA:71:1", .adapterAddress), ("hci@00:1A:7D:DA:71:13:", .adapterAddress),
            ("hci@00:1A:7D:DA:71:1g", .adapterAddress), ("hci@001A7DDA7113", .adapterAddress),
            ("hci-socket:", .adapterNumber), ("hci-socket:usb", .adapterNumber),
            ("hci99999999999", .adapterNumber),
            ("unix:", .pathMissing), ("unix-seqpacket:", .pathMissing),
            ("unix:" + String(repeating: "x", count: 108), .pathTooLong),
            ("tcp-client:", .portNumber), ("tcp-client:127.0.0.1", .portNumber),
            ("tcp-client:127.0.0.1:", .portNumber),
            ("tcp-client:127.0.0.1:0", .portNumber), ("tcp-client:127.0.0.1:65536", .portNumber),
            ("tcp-client:example.org:1", .numericAddress), ("tcp-client:1.2.3:1", .numericAddress),
            ("tcp-client:1.2.3.256:1", .numericAddress), ("tcp-client:1.2.3.4.5:1", .numericAddress),
            ("tcp-client::1", .numericAddress), ("tcp-client:1.2.3.04:1", .numericAddress),
            ("serial:/dev/ttyS0", .baudRate), ("serial:/dev/ttyS0,", .baudRate),
            ("serial:/dev/ttyS0,fast", .baudRate),
            ("serial:/dev/ttyS0,9601", .baudRate), ("serial:/dev/ttyS0,115200,none", .baudRate),
            ("serial:,115200", .pathMissing),
            ("serial:" + String(repeating: "x", count: 128) + ",9600", .pathTooLong),
        ] as [(String, TransportNameError)])
    func `Each defect has its error`(text: String, error: TransportNameError) {
        #expect(Self.parse(text) == .failure(error))
    }

    @Test func `Each error has its own message`() {
        let errors: [TransportNameError] = [
            .unknownKind, .adapterNumber, .adapterBus, .adapterAddress, .pathMissing, .pathTooLong,
            .portNumber, .numericAddress, .baudRate,
        ]
        #expect(Set(errors.map { "\($0.explanation)" }).count == errors.count)
    }
}

@Suite struct SyncPortNameTests {
    static func parse(_ text: String) -> Result<SyncPortName, SyncPortNameError> {
        let bytes = Array(text.utf8)
        do throws(SyncPortNameError) {
            return .success(try SyncPortName(parsing: bytes.span))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        arguments: [
            ("", .off), ("/dev/ttyGS0", .device(path: FixedText("/dev/ttyGS0"))),
            ("./port", .device(path: FixedText("./port"))),
            ("pty:/tmp/sync", .pseudoTerminal(link: FixedText("/tmp/sync"))),
            ("pty:sync", .pseudoTerminal(link: FixedText("sync"))),
        ] as [(String, SyncPortName)])
    func `Each kind is read and written`(text: String, port: SyncPortName) throws {
        #expect(Self.parse(text) == .success(port))
        var buffer = FixedBuffer<256>()
        try port.write(to: &buffer)
        #expect(String(buffer) == text)
    }

    @Test(
        arguments: [
            ("pty:", .linkMissing), ("ttyGS0", .notAPath), ("off", .notAPath),
            ("/" + String(repeating: "x", count: 127), .pathTooLong),
            ("pty:" + String(repeating: "x", count: 128), .pathTooLong),
        ] as [(String, SyncPortNameError)])
    func `Each defect has its error`(text: String, error: SyncPortNameError) {
        #expect(Self.parse(text) == .failure(error))
    }
}

@Suite struct StaticRandomAddressTests {
    @Test(
        arguments: [
            ("C0:00:00:00:00:00", .addressNotRandom), ("FF:FF:FF:FF:FF:FF", .addressNotRandom),
            ("BF:FF:FF:FF:FF:FF", .addressNotStatic), ("00:00:00:00:00:00", .addressNotStatic),
            ("C0:00:00:00:00:0g", .addressMalformed), ("C0-00-00-00-00-01", .addressMalformed),
            ("C0:00:00:00:00:1", .addressMalformed), ("C00000000001", .addressMalformed),
            ("C0:00:00:00:00:01:", .addressMalformed),
        ] as [(String, ConfigurationProblem)])
    func `Each defect has its error`(text: String, problem: ConfigurationProblem) {
        let bytes = Array(text.utf8)
        #expect(throws: problem) { _ = try StaticRandomAddress(parsing: bytes.span) }
    }

    @Test(arguments: ["C0:00:00:00:00:01", "FF:FF:FF:FF:FF:FE", "C0:00:00:00:01:00", "FE:FF:FF:FF:FF:FF"])
    func `An address with one bit that differs from the rest is valid`(text: String) throws {
        let bytes = Array(text.utf8)
        let address = try StaticRandomAddress(parsing: bytes.span)
        var buffer = FixedBuffer<32>()
        try address.write(to: &buffer)
        #expect(String(buffer) == text)
    }

    @Test func `An empty text in a file means no address`() throws {
        var configuration = EffectiveConfiguration()
        try configuration.apply(text: "radio.address=C0:00:00:00:00:01")
        #expect(configuration.values.radio.address != nil)
        try configuration.apply(text: "radio.address=")
        #expect(configuration.values.radio.address == nil)
    }

    @Test func `The word public means the controller's own address`() throws {
        var configuration = EffectiveConfiguration()
        try configuration.apply(text: "radio.address=public")
        #expect(configuration.values.radio.address == .ofController)
        var buffer = FixedBuffer<32>()
        try configuration.values.radio.address?.write(to: &buffer)
        #expect(String(buffer) == "public")
    }
}

@Suite struct FixedTextTests {
    @Test func `Text is stored with room for its terminator`() throws {
        let fitting: [UInt8] = Array("abc".utf8)
        let copy = FixedText<4>(fitting.span)
        let text = try #require(copy)
        #expect(text.withCString { String(cString: $0) } == "abc")
        #expect(FixedText<4>().withCString { String(cString: $0) } == "")
        #expect(FixedText<4>.maximumByteCount == 3)
    }

    @Test(arguments: [Array("abcd".utf8), [0x61, 0x00], [0xc3], [0xff]] as [[UInt8]])
    func `Long text, zero bytes and invalid UTF-8 are refused`(bytes: [UInt8]) {
        let copy = FixedText<4>(bytes.span)
        #expect(copy == nil)
    }
}
