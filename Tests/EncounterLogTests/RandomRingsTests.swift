import FixedMemory
import FlashSimulator
import Testing

@testable import EncounterLog

/// Rings as failing media leave them, made of segment headers alone. Bisection must find the newest and the
/// oldest segment that a look at every header finds, or leave the ring to that.
@Suite struct RandomRingsTests {
    /// The start of a slot, as mounting reads it.
    private enum Content: Equatable {
        case segment(UInt32)
        case erased
        case damaged
    }

    private struct Ring {
        var slots: [Content]
        var newest: UInt32

        /// The segments of the ring's last round, ascending, as a look at every header finds them.
        var retained: [UInt32] {
            let count = UInt32(slots.count)
            return slots.compactMap { if case .segment(let ordinal) = $0 { ordinal } else { nil } }
                .filter { newest - $0 < count }.sorted()
        }

        /// Whether segments follow one another with at most five unusable slots between: two that mounting
        /// could not read, two that the log gave up, and one that is damaged.
        var isPossible: Bool {
            let retained = retained
            return retained.last == newest && zip(retained, retained.dropFirst()).allSatisfy { $1 - $0 <= 6 }
        }

        /// Writes segments into a ring whose slots wear out and recover, cuts power while the last one
        /// begins, and damages slots.
        init(_ random: inout RandomStream) {
            let count = 6 + Int(random.below(40))
            slots = Array(repeating: .erased, count: count)
            newest = 0
            var worn: [Int: Content?] = [:]
            var next: UInt32 = 0
            for _ in 0..<1 + random.below(UInt64(4 * count)) {
                if random.chance(0.1) {
                    // A slot whose erasure fails keeps what it has; another has lost it, or half of it.
                    let left: [Content?] = [nil, nil, .erased, .damaged]
                    worn[Int(random.below(UInt64(count)))] = left[Int(random.below(4))]
                }
                if random.chance(0.05) { worn = [:] }
                var passed = 0
                let most = random.chance(0.1) ? 4 : 2
                while passed < most, let left = worn[Int(next) % count] {
                    if let left { slots[Int(next) % count] = left }
                    next += 1
                    passed += 1
                }
                slots[Int(next) % count] = .segment(next)
                newest = next
                next += 1
            }
            if random.chance(0.5) { slots[Int(next) % count] = random.chance(0.5) ? .erased : .damaged }
            for _ in 0..<random.below(3) {
                let slot = Int(random.below(UInt64(count)))
                if slot != Int(newest) % count { slots[slot] = .damaged }
            }
        }
    }

    private func medium(_ ring: Ring, isOverwritable: Bool) throws -> SimulatedMedium {
        let geometry = FlashGeometry.small(segments: ring.slots.count)
        let medium = SimulatedMedium(geometry, isOverwritable: isOverwritable)
        for (slot, content) in ring.slots.enumerated() where content != .erased {
            for block in slot * 4..<slot * 4 + SegmentMap.markingBlocks {
                var bytes = [UInt8](repeating: 0x55, count: 86)
                if case .segment(let ordinal) = content {
                    bytes = try SegmentHeader.unchecked(ordinal, geometry)
                }
                medium.bytes.replaceSubrange(medium.range(ofBlock: block).prefix(bytes.count), with: bytes)
            }
        }
        return medium
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `bisection finds the segments that a look at every header finds`(part: UInt64) throws {
        var foundCount = 0
        for seed in part * 500..<part * 500 + 500 {
            var random = RandomStream(seed: seed)
            let ring = Ring(&random)
            guard ring.isPossible else { continue }
            let medium = try medium(ring, isOverwritable: random.chance(0.5))
            var flash = SimulatedFlash(medium)
            var map = try SegmentMap(geometry: medium.geometry)
            guard try SegmentRing.findByBisection(&flash, &map) != nil else { continue }
            foundCount += 1
            let (newest, oldest) = (map.newestOrdinal, map.oldestRetained)
            #expect(newest == ring.newest, "seed \(seed): \(ring.slots)")
            #expect(oldest == ring.retained.first, "seed \(seed): \(ring.slots)")
        }
        // Else the ring is never bisected, and mounting takes long.
        #expect(foundCount > 50)
    }
}
