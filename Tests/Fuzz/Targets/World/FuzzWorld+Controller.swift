import HCI
import Simulator

/// What the controller does beside its work.
extension FuzzWorld {
    // MARK: Forged packets

    func inject(_ packet: [UInt8]) { controller.injectForgery(packet) }

    func event(_ code: UInt8, _ parameters: [UInt8]) {
        let parameters = parameters.prefix(255)
        inject([PacketIndicator.event.rawValue, code, UInt8(parameters.count)] + parameters)
    }

    func data(_ handle: UInt8, _ flags: UInt8, _ bytes: [UInt8]) {
        inject([PacketIndicator.aclData.rawValue, handle, flags, UInt8(bytes.count), 0] + bytes)
    }

    // MARK: Reactions

    func refuseNext(_ status: UInt8) {
        // A host believes in a reset that had no effect.
        if status == 0 { script.falseBeliefs.insert(.buffers) }
        script.nextReaction = .refuse(Status(rawValue: status))
    }

    func react(_ choice: UInt8, returning parameters: [UInt8]) {
        switch choice & 7 {
        case 0: script.nextReaction = .ignore
        case 1: script.nextReaction = .loseAnswer
        case 2:
            script.falseBeliefs.insert(.buffers)
            script.nextReaction = .succeed(Array(parameters.prefix(200)))
        case 3: controller.performIgnored()
        case 4: controller.refuseIgnored(Status(rawValue: choice >> 3))
        case 5: script.holdsCredits = true
        case 6: controller.releaseCredits()
        default: controller.loseLinks()
        }
    }

    // MARK: Faults

    /// Begins a fault, or ends it if it has begun.
    func toggleFault(_ choice: UInt8) {
        let faults = ControllerFault.allCases
        let fault = faults[Int(choice) % faults.count]
        if controller.faults.has(fault) {
            controller.faults.end(fault)
        } else {
            controller.faults.begin(fault)
        }
    }

    /// Takes the adapter away, or brings it back.
    func toggleAdapter() { controller.switchPower(!controller.isPresent) }
}
