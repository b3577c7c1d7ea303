import Testing

@testable import Simulator

/// A controller that has forgotten its event masks, and then scans again, sends no reports.
@Suite struct MaskedScanTests {
    private let checked = CheckedBoard()
    private var controller: SimulatedController { checked.controller }

    /// Lets the controller forget everything, and scan again.
    private func forget() {
        controller.forgetEverything()
        controller.settings.isScanning = true
        controller.updateAir()
    }

    @Test func `a scan without event masks counts as blind until the agent tells them again`() {
        checked.board.powerOn()
        (0..<5).forEach { checked.add("phone \($0)", .frequent) }
        checked.run(.seconds(50))
        #expect(!controller.isScanMasked)
        forget()
        #expect(controller.truth.scanningSince != nil)
        #expect(controller.isScanMasked)
        checked.run(.seconds(30))
        #expect(!controller.isScanMasked)
        checked.board.stop()
        checked.run(.seconds(2))
        #expect(checked.end().map(\.check) == [])
    }

    @Test func `a controller that does not scan has no masked scan`() {
        controller.forgetEverything()
        #expect(!controller.isScanMasked)
        checked.world.end()
    }
}
