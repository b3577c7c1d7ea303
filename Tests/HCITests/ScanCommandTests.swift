import FixedMemory
import HCI
import TestSupport
import Testing

@Suite struct ScanCommandTests {
    @Test func `HP-C27: scan commands turn the duplicate filter off`() {
        #expect(hex(.leSetScanEnable(true)) == "010c20020100")
        #expect(hex(.leSetExtendedScanEnable(true)) == "01422006010000000000")
    }

    private func hex(_ command: Command) -> String {
        (0..<command.packet.count).map { command.packet[$0] }.hex
    }
}
