import CommandLineText
import FixedMemory
import Foundation
import HCI
import Simulator

/// The HCI traffic of a simulated board as a btsnoop file, for tshark and others. The world begins at 1970.
final class SnoopFile {
    private let handle: FileHandle
    private unowned let board: SimulatedBoard

    init(path: String, of board: SimulatedBoard) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw Failure(.cannotCreate, "\(path): cannot write the file") }
        self.handle = handle
        self.board = board
        var header = FixedBuffer<16>()
        try? Btsnoop.appendFileHeader(to: &header)
        write(header.span)
        board.observeTraffic { [unowned self] in record($0, $1) }
    }

    func close() { try? handle.close() }

    private func record(_ packet: [UInt8], _ isFromBoard: Bool) {
        var header = FixedBuffer<24>()
        try? Btsnoop.appendRecordHeader(
            for: packet.span, direction: isFromBoard ? .hostToController : .controllerToHost,
            wallClockNanoseconds: board.world.now.microseconds * 1_000, to: &header)
        write(header.span)
        write(packet.span)
    }

    private func write(_ bytes: Span<UInt8>) {
        let data = bytes.withUnsafeBufferPointer { Data($0) }
        handle.write(data)
    }
}
