import FlashSimulator

/// The current faults of a medium, as a ``FaultScript`` sets them.
///
/// A bit may flip at rest in any page, also in one with a segment header. A bit may read wrong in any read.
final class FlashTrouble {
    private let medium: SimulatedMedium
    private var random: RandomStream
    private var faults: Set<BoardFault> = []
    private var wornSegment = -1

    init(of medium: SimulatedMedium, random: RandomStream) {
        self.medium = medium
        self.random = random
        medium.programFails = { [unowned self] block in
            let segment = block / self.medium.geometry.blocksPerSegment
            return faults.contains(.full) || isWorn(segment) || fails(.programFailure)
        }
        medium.eraseFails = { [unowned self] segment in
            faults.contains(.full) || isWorn(segment) || fails(.eraseFailure)
        }
        medium.syncFails = { [unowned self] in fails(.lostWrite) }
        medium.failedSyncLands = { [unowned self] in self.random.chance(0.5) }
        // The whole device fails. If only one page failed, the log would treat that like a bit flip.
        medium.readFails = { [unowned self] _ in faults.contains(.readFailure) }
        medium.flippedBit = { [unowned self] bitCount in
            guard faults.contains(.bitFlip), self.random.chance(0.1) else { return nil }
            return Int(self.random.below(UInt64(bitCount)))
        }
    }

    func begin(_ fault: BoardFault) {
        faults.insert(fault)
        switch fault {
        case .wornSegment where wornSegment < 0:
            wornSegment = Int(random.below(UInt64(medium.geometry.segmentCount)))
        case .programFailure:
            medium.failingProgramLands = random.chance(0.5)
            medium.failingProgramIsPartial = medium.isOverwritable && random.chance(0.5)
        default: break
        }
    }

    func end(_ fault: BoardFault) { faults.remove(fault) }

    func heal() {
        faults = []
        wornSegment = -1
    }

    func flipAtRest() {
        let geometry = medium.geometry
        medium.flip(
            bit: Int(random.below(UInt64(geometry.blockByteCount * 8))),
            inBlock: Int(random.below(UInt64(geometry.blockCount))))
    }

    func tear(_ random: inout RandomStream) -> SimulatedMedium.Tear {
        switch random.below(5) {
        case 0: .nothing
        case 1: .everything
        case 2: .prefix(Int(random.below(UInt64(medium.geometry.blockByteCount))))
        case 3: .partly(random.split("tear \(medium.changeCount)"))
        default: .reordered(random.split("tear \(medium.changeCount)"))
        }
    }

    private func isWorn(_ segment: Int) -> Bool {
        faults.contains(.wornSegment) && segment == wornSegment
    }

    private func fails(_ fault: BoardFault) -> Bool { faults.contains(fault) && random.chance(0.5) }
}
