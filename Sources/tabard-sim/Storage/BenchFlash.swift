import EncounterLog

/// NOR flash in memory that counts its operations. Programming can only clear bits.
struct BenchFlash: FlashDevice {
    struct Counts {
        var reads = 0
        var readBytes = 0
        var programs = 0
        var programmedBytes = 0
        var erasures = 0
        var syncs = 0
    }

    final class Chip {
        let geometry: FlashGeometry
        var counts = Counts()
        fileprivate let bytes: UnsafeMutableRawBufferPointer

        init(_ geometry: FlashGeometry) {
            self.geometry = geometry
            bytes = .allocate(byteCount: geometry.byteCount, alignment: 8)
            bytes.initializeMemory(as: UInt8.self, repeating: 0xff)
        }

        deinit { bytes.deallocate() }
    }

    private let chip: Chip

    init(_ chip: Chip) { self.chip = chip }

    var geometry: FlashGeometry { chip.geometry }

    func read(block: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let start = block * geometry.blockByteCount + offset
        let count = destination.count
        destination.withUnsafeMutableBytes {
            $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: chip.bytes[start..<start + count]))
        }
        chip.counts.reads += 1
        chip.counts.readBytes += count
    }

    func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError) {
        let start = block * geometry.blockByteCount + offset
        for index in bytes.indices { chip.bytes[start + index] &= bytes[index] }
        chip.counts.programs += 1
        chip.counts.programmedBytes += bytes.count
    }

    func erase(segment: Int) throws(FlashError) {
        let start = segment * geometry.segmentByteCount
        UnsafeMutableRawBufferPointer(rebasing: chip.bytes[start..<start + geometry.segmentByteCount])
            .initializeMemory(as: UInt8.self, repeating: 0xff)
        chip.counts.erasures += 1
    }

    func sync() throws(FlashError) { chip.counts.syncs += 1 }
}
