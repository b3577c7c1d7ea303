import FixedMemory

/// The map of a request. Errors in it refuse the request.
struct RequestBody: ~Escapable {
    private let map: CBORMap

    /// Parses the map; an empty body counts as an empty map.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) throws(SMPRefusal) {
        do throws(MalformedCBOR) {
            map = try CBORMap(orEmpty: bytes)
        } catch {
            throw .invalidValue
        }
    }

    func unsigned(_ key: StaticString) throws(SMPRefusal) -> UInt64? {
        do throws(MalformedCBOR) { return try map.unsigned(key) } catch { throw .invalidValue }
    }

    @_lifetime(copy self)
    func text(_ key: StaticString) throws(SMPRefusal) -> Span<UInt8>? {
        do throws(MalformedCBOR) { return try map.text(key) } catch { throw .invalidValue }
    }

    @_lifetime(copy self)
    func bytes(_ key: StaticString) throws(SMPRefusal) -> Span<UInt8>? {
        do throws(MalformedCBOR) { return try map.bytes(key) } catch { throw .invalidValue }
    }

    /// Reads the path of a file, under the key `name`.
    func path() throws(SMPRefusal) -> FixedBuffer<128> {
        guard let name = try text("name") else { throw .invalidValue }
        guard let path = FixedBuffer<128>(name), !path.isEmpty else { throw .fileNameInvalid }
        return path
    }
}

extension SMPPacket {
    /// Writes the body of the answer; refuses the request if the answer does not fit the packet.
    mutating func answer(
        _ write: (inout SMPPacket) throws(CapacityError) -> Void
    ) throws(SMPRefusal) {
        do throws(CapacityError) { try write(&self) } catch { throw .answerTooLarge }
    }
}

/// Calls the store and turns its error into a refusal of the request.
func asking<Answer>(_ question: () throws(SyncStoreError) -> Answer) throws(SMPRefusal) -> Answer {
    do throws(SyncStoreError) { return try question() } catch { throw SMPRefusal(error) }
}
