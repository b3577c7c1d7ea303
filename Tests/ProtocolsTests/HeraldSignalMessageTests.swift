import FixedMemory
import Protocols
import TestSupport
import Testing

/// The vectors of Tests/Vectors/herald-signals.json.
struct SignalVectors: Decodable {
    struct Message: Decodable, Sendable {
        let name: String
        let code: UInt8
        let rssi: Int16
        let data, bytes: String
    }
    struct Refused: Decodable, Sendable {
        let name, bytes: String
    }

    let messages: [Message]
    let refused: [Refused]

    static func load() throws -> SignalVectors { try Vectors.load("herald-signals.json") }
}

@Suite struct HeraldSignalMessageTests {
    /// The bytes of a message, or nil if it cannot be written.
    private func encoded(_ code: UInt8, rssi: Int16, _ data: [UInt8]) -> [UInt8]? {
        var bytes = FixedBuffer<517>()
        do throws(CapacityError) {
            switch code {
            case 1: try HeraldSignalMessage.payload(data.span).append(to: &bytes)
            case 2: try HeraldSignalMessage.rssi(dBm: rssi).append(to: &bytes)
            case 3: try HeraldSignalMessage.payloadSharing(rssiDBm: rssi, data.span).append(to: &bytes)
            default: try HeraldSignalMessage.immediateSend(data.span).append(to: &bytes)
            }
        } catch {
            return nil
        }
        return (0..<bytes.count).map { bytes[$0] }
    }

    @Test(arguments: try SignalVectors.load().messages)
    func `HP-C30, X3: messages are written as Herald's phones write them`(_ vector: SignalVectors.Message) {
        #expect(encoded(vector.code, rssi: vector.rssi, [UInt8](hex: vector.data))?.hex == vector.bytes)
    }

    @Test(arguments: try SignalVectors.load().messages)
    func `HP-C30, X3: messages are parsed as by phones`(_ vector: SignalVectors.Message) throws {
        let bytes = [UInt8](hex: vector.bytes)
        var assembler = HeraldSignalAssembler()
        let code = try #require(HeraldSignalCode(rawValue: vector.code))
        #expect(assembler.write(bytes.span, now: 0) == .complete(code))
        let data = assembler.payload
        #expect((0..<data.count).map { data[$0] }.hex == vector.data)
        #expect(assembler.rssiDBm == vector.rssi)
        for count in 1..<bytes.count {
            #expect(throws: HeraldSignalError.incomplete) {
                _ = try HeraldSignalMessage(Array(bytes[..<count]).span)
            }
        }
    }

    @Test(arguments: try SignalVectors.load().refused)
    func `HP-C41: bytes that are not a message are refused`(_ vector: SignalVectors.Refused) {
        #expect(throws: HeraldSignalError.malformed) {
            _ = try HeraldSignalMessage([UInt8](hex: vector.bytes).span)
        }
    }

    @Test func `data too long for any peer are not written`() {
        let most = HeraldSignalMessage.maximumDataByteCount
        #expect(encoded(4, rssi: 0, [UInt8](repeating: 1, count: most))?.count == most + 3)
        #expect(encoded(4, rssi: 0, [UInt8](repeating: 1, count: most + 1)) == nil)
    }

    // MARK: Cut into writes

    private func pieces(
        _ data: [UInt8], to characteristic: HeraldSignalCharacteristic
    ) throws -> [[UInt8]] {
        var writer = HeraldSignalWriter()
        try writer.begin(.immediateSend(data.span), to: characteristic)
        var pieces: [[UInt8]] = []
        while !writer.isDone {
            let copy = writer
            let piece = copy.piece
            pieces.append(piece.indices.map { piece[$0] })
            writer.pieceWritten()
        }
        return pieces
    }

    @Test(arguments: [1, 16, 17, 18, 37, 38, 129, 509])
    func `X4: a message to an Android phone is written in pieces of 20 bytes without headers`(
        _ byteCount: Int
    ) throws {
        let data = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        let pieces = try pieces(data, to: .compliant)
        #expect(pieces.dropLast().allSatisfy { $0.count == 20 })
        #expect((1...20).contains(pieces.last?.count ?? 0))
        #expect(pieces.flatMap { $0 } == encoded(4, rssi: 0, data))
    }

    @Test(arguments: [1, 18, 129, 509])
    func `HP-C39: a message to an iPhone is one write, however long`(_ byteCount: Int) throws {
        let data = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try pieces(data, to: .nonCompliant) == [encoded(4, rssi: 0, data)].compactMap { $0 })
    }

    @Test func `a message that does not fit an attribute is not written to an iPhone`() throws {
        let data = [UInt8](repeating: 7, count: 510)
        #expect(throws: CapacityError.self) { try pieces(data, to: .nonCompliant) }
        #expect(try pieces(data, to: .compliant).count == 26)
    }
}
