import FixedMemory
import GATT
import TestSupport
import Testing

/// The codec against PDUs that an independent implementation made.
@Suite struct ATTCodecTests {
    struct File: Decodable {
        struct PDU: Decodable { var direction, pdu, meaning: String }
        var pdus: [PDU]
    }

    @Test func `PDUs of another implementation are read and written`() throws {
        let file = try Vectors.load("att.json", as: File.self)
        #expect(file.pdus.count == 32)
        for vector in file.pdus {
            let bytes = [UInt8](hex: vector.pdu)
            var written = ATTBuffer()
            if vector.direction == "request" {
                let request = try ATTRequest(bytes.span)
                #expect(meaning(of: request) == vector.meaning)
                try request.append(to: &written)
            } else if let response = ATTResponse(bytes.span) {
                #expect(meaning(of: response) == vector.meaning)
                try response.append(to: &written)
            }
            #expect(written.span.array.hex == vector.pdu, "\(vector.meaning)")
        }
    }

    @Test func `every truncated list is refused`() {
        for pdu in [
            "09 07 010002", "09 01 01", "09 00", "11 06 01000200", "07 010002", "05 03 0100", "05 01",
        ] {
            let isRefused = ATTResponse([UInt8](hex: pdu).span) == nil
            #expect(isRefused, "\(pdu)")
        }
    }

    private func meaning(of request: ATTRequest) -> String {
        switch request {
        case .exchangeMTU(let mtu): "exchangeMTU \(mtu)"
        case .findInformation(let range): "findInformation \(text(range))"
        case .findByTypeValue(let range, let type, let value):
            "findByTypeValue \(text(range)) \(text(type)) \(value.array.hex)"
        case .readByType(let range, let type): "readByType \(text(range)) \(text(type))"
        case .read(let handle): "read \(text(handle))"
        case .readBlob(let handle, let offset): "readBlob \(text(handle)) \(offset)"
        case .readMultiple(let handles): "readMultiple \(handles.array.hex)"
        case .readByGroupType(let range, let type): "readByGroupType \(text(range)) \(text(type))"
        case .write(let handle, let value): "write \(text(handle)) \(value.array.hex)"
        case .prepareWrite(let handle, let offset, let value):
            "prepareWrite \(text(handle)) \(offset) \(value.array.hex)"
        case .executeWrite(let commits): "executeWrite \(commits ? "commit" : "cancel")"
        case .confirmation: "confirmation"
        case .writeCommand(let handle, let value): "writeCommand \(text(handle)) \(value.array.hex)"
        }
    }

    private func meaning(of response: ATTResponse) -> String {
        switch response {
        case .error(let opcode, let handle, let error):
            "error \([opcode].hex) \(text(handle)) \([error.rawValue].hex)"
        case .exchangeMTU(let mtu): "exchangeMTU \(mtu)"
        case .findInformation(let byteCount, let entries):
            "findInformation \(byteCount) \(entries.array.hex)"
        case .findByTypeValue(let entries): "findByTypeValue \(entries.array.hex)"
        case .readByType(let byteCount, let entries): "readByType \(byteCount) \(entries.array.hex)"
        case .read(let value): "read \(value.array.hex)"
        case .readBlob(let value): "readBlob \(value.array.hex)"
        case .readMultiple(let values): "readMultiple \(values.array.hex)"
        case .readByGroupType(let byteCount, let entries):
            "readByGroupType \(byteCount) \(entries.array.hex)"
        case .write: "write"
        case .prepareWrite(let handle, let offset, let value):
            "prepareWrite \(text(handle)) \(offset) \(value.array.hex)"
        case .executeWrite: "executeWrite"
        case .notification(let handle, let value): "notification \(text(handle)) \(value.array.hex)"
        case .indication(let handle, let value): "indication \(text(handle)) \(value.array.hex)"
        }
    }

    private func text(_ value: UInt16) -> String {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)].hex
    }

    private func text(_ range: HandleRange) -> String { "\(text(range.first))-\(text(range.last))" }

    private func text(_ uuid: BluetoothUUID) -> String {
        var buffer = FixedBuffer<16>()
        try? uuid.append(to: &buffer)
        return buffer.span.array.hex
    }
}
