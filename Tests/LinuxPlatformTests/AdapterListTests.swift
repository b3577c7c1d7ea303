import Configuration
import FixedMemory
import LinuxPlatform
import TestSupport
import Testing

/// Tests of the choice of an adapter by its name.
@Suite struct AdapterListTests {
    private static let builtIn = Adapter(number: 0, bus: .uart, address: address(0x01))
    private static let dongle = Adapter(number: 1, bus: .usb, address: address(0x02))
    private static let other = Adapter(number: 2, bus: .usb, address: address(0x03))
    private static let new = Adapter(number: 3, bus: .sdio, address: AdapterAddress(Bytes<6>()))
    private static let strange = Adapter(number: 4, bus: nil, address: address(0x04))

    /// Returns the address B8:27:EB:00:00:`last`.
    private static func address(_ last: UInt8) -> AdapterAddress {
        let bytes: [UInt8] = [last, 0, 0, 0xeb, 0x27, 0xb8]
        return AdapterAddress(Bytes<6>(bytes.span) ?? Bytes())
    }

    private static func choice(_ name: AdapterName, among adapters: [Adapter]) -> AdapterChoice {
        AdapterList(adapters.span).choose(name)
    }

    private static func text(_ adapters: [Adapter]) throws -> String {
        var buffer = FixedBuffer<1024>()
        try AdapterList(adapters.span).write(to: &buffer)
        return String(decoding: buffer.span.indices.map { buffer.span[$0] }, as: UTF8.self)
    }

    @Test func `A number is that number`() {
        let all = [Self.builtIn, Self.dongle]
        #expect(Self.choice(.number(1), among: all) == .number(1))
        #expect(Self.choice(.number(2), among: all) == .absent)
        #expect(Self.choice(.number(0), among: []) == .absent)
    }

    @Test(
        arguments: [
            ([0xac, 0x1f, 0x12, 0xa0, 0x43, 0x43], true), ([0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa], true),
            ([0, 0, 0, 0, 0, 0], false), ([0xac, 0x1f, 0, 0, 0, 0x44], false),
        ] as [([UInt8], Bool)])
    func `An address is a default one by its pattern, and not before it is known`(
        bytes: [UInt8], isDefault: Bool
    ) {
        let adapter = Adapter(
            number: 1, bus: .uart, address: AdapterAddress(Bytes<6>(bytes.span) ?? Bytes()))
        #expect(AdapterList([Self.builtIn, adapter].span).hasDefaultAddress == isDefault)
    }

    @Test func `A bus is its adapter, and of several that of the lowest number in any order`() {
        for all in [
            [Self.builtIn, Self.dongle, Self.other], [Self.other, Self.dongle, Self.builtIn],
        ] {
            #expect(Self.choice(.bus(.uart), among: all) == .number(0))
            #expect(Self.choice(.bus(.usb), among: all) == .number(1))
            #expect(Self.choice(.bus(.sdio), among: all) == .absent)
        }
        #expect(Self.choice(.bus(.virtual), among: [Self.strange]) == .absent)
    }

    @Test func `An address is its adapter whatever number it has got`() {
        #expect(Self.choice(.address(Self.address(2)), among: [Self.builtIn, Self.dongle]) == .number(1))
        let moved = Adapter(number: 7, bus: .usb, address: Self.address(2))
        #expect(Self.choice(.address(Self.address(2)), among: [moved, Self.builtIn]) == .number(7))
        #expect(Self.choice(.address(Self.address(9)), among: [moved, Self.builtIn]) == .absent)
    }

    @Test func `An address is waited for while an adapter's address is unknown, and no other name is`() {
        let all = [Self.builtIn, Self.new]
        #expect(Self.choice(.address(Self.address(9)), among: all) == .notKnownYet)
        #expect(Self.choice(.address(Self.address(1)), among: all) == .number(0))
        #expect(Self.choice(.bus(.usb), among: all) == .absent)
        #expect(Self.choice(.bus(.sdio), among: all) == .number(3))
        #expect(Self.choice(.number(9), among: all) == .absent)
    }

    @Test func `They are listed by number, bus and address`() throws {
        #expect(try Self.text([]) == "")
        #expect(
            try Self.text([Self.builtIn, Self.dongle, Self.new, Self.strange]) == """
                hci0 (uart, B8:27:EB:00:00:01), hci1 (usb, B8:27:EB:00:00:02), \
                hci3 (sdio, no address yet), hci4 (unknown bus, B8:27:EB:00:00:04)
                """)
    }

    @Test func `Sixteen are kept, and as many fit a line`() throws {
        let all = (0..<20).map {
            Adapter(number: 65_000 + $0, bus: .virtual, address: Self.address(UInt8($0)))
        }
        #expect(Self.choice(.number(65_015), among: all) == .number(65_015))
        #expect(Self.choice(.number(65_016), among: all) == .absent)
        #expect(try Self.text(all).utf8.count < 800)
    }
}
