import FixedMemory

/// The client's side: an answer, read in place from a frame.
public struct SyncResponse: ~Escapable {
    let body: CBORMap

    /// - Parameter request: The request to which the frame should be the answer.
    /// - Throws: `.unexpected` for a well-formed packet that answers something else (a late answer: keep
    ///   waiting), `.malformed`, or `.refused` if the board refused the request.
    @_lifetime(copy frame)
    public init(_ frame: Span<UInt8>, to request: SMPPacket) throws(SyncResponseError) {
        var reader = ByteReader(frame)
        let header: SMPHeader
        do throws(MalformedPacket) { header = try SMPHeader(&reader) } catch { throw .malformed }
        guard header.operation == request.header.response.operation, header.address == request.header.address,
            header.sequence == request.header.sequence
        else { throw .unexpected }
        guard Int(header.bodyByteCount) == reader.remainingCount else { throw .malformed }
        let refusal: SMPRefusal?
        do throws(MalformedCBOR) {
            body = try CBORMap(orEmpty: reader.readRest())
            refusal = try Self.refusal(in: body)
        } catch {
            throw .malformed
        }
        if let refusal { throw .refused(refusal) }
    }

    public func parameters() throws(SyncResponseError) -> SyncParameters {
        guard let byteCount = try unsigned("buf_size"), byteCount <= 0xFFFF,
            let packetCount = try unsigned("buf_count"), packetCount <= 0xFF
        else { throw .malformed }
        return SyncParameters(
            packetByteCount: Int(truncatingIfNeeded: byteCount),
            packetCount: Int(truncatingIfNeeded: packetCount))
    }

    @_lifetime(copy self)
    public func echo() throws(SyncResponseError) -> Span<UInt8> {
        do throws(MalformedCBOR) {
            guard let text = try body.text("r") else { throw MalformedCBOR() }
            return text
        } catch {
            throw .malformed
        }
    }

    /// Returns the board's wall-clock time.
    public func dateTime() throws(SyncResponseError) -> WallClockTime {
        do throws(MalformedCBOR) {
            guard let text = try body.text("datetime"), let time = DateTimeText.time(text)
            else {
                throw MalformedCBOR()
            }
            return time
        } catch {
            throw .malformed
        }
    }

    @_lifetime(copy self)
    public func download() throws(SyncResponseError) -> FileChunk {
        do throws(MalformedCBOR) {
            guard let offset = try body.unsigned("off"), let data = try body.bytes("data") else {
                throw MalformedCBOR()
            }
            return FileChunk(offset: offset, data: data, fileByteCount: try body.unsigned("len"))
        } catch {
            throw .malformed
        }
    }

    /// Returns the file length from the answer to a status request.
    public func fileByteCount() throws(SyncResponseError) -> UInt64 {
        guard let byteCount = try unsigned("len") else { throw .malformed }
        return byteCount
    }

    /// Returns the hash and the number of bytes that it covers.
    public func fileHash() throws(SyncResponseError) -> (hash: FileHash, byteCount: UInt64) {
        do throws(MalformedCBOR) {
            guard let name = try body.text("type"), let type = FileHashType(name),
                let byteCount = try body.unsigned("len")
            else { throw MalformedCBOR() }
            switch type {
            case .sha256:
                guard let digest = try body.block("output", of: Bytes<32>.self) else { throw MalformedCBOR() }
                return (.sha256(digest), byteCount)
            case .crc32:
                guard let checksum = try body.unsigned("output"), checksum <= 0xFFFF_FFFF else {
                    throw MalformedCBOR()
                }
                return (.crc32(UInt32(truncatingIfNeeded: checksum)), byteCount)
            }
        } catch {
            throw .malformed
        }
    }

    public func boardStatus() throws(SyncResponseError) -> BoardStatus {
        do throws(MalformedCBOR) { return try BoardStatus(body) } catch { throw .malformed }
    }

    public func time() throws(SyncResponseError) -> TimeAnswer {
        guard let boot = try unsigned("boot"), let received = try unsigned("in"),
            let sent = try unsigned("out"), received <= sent
        else { throw .malformed }
        return TimeAnswer(
            bootIdentifier: boot, received: Instant(milliseconds: received), sent: Instant(milliseconds: sent)
        )
    }

    /// Returns a message's delivery state.
    public func messageReport() throws(SyncResponseError) -> MessageReport {
        var report = MessageReport(
            number: try count("id"), queuedCount: try count("queued"), leftOutCount: try count("left"))
        report.deliveredCount = try count("delivered")
        report.failedCount = try count("failed")
        return report
    }

    private func count(_ key: StaticString) throws(SyncResponseError) -> UInt32 {
        guard let value = try unsigned(key), value <= 0xFFFF_FFFF else { throw .malformed }
        return UInt32(truncatingIfNeeded: value)
    }

    private func unsigned(_ key: StaticString) throws(SyncResponseError) -> UInt64? {
        do throws(MalformedCBOR) { return try body.unsigned(key) } catch { throw .malformed }
    }

    /// Parses `{"err": {"group": g, "rc": code}}` or `{"rc": code}`; a code of 0 is not a refusal.
    private static func refusal(in body: CBORMap) throws(MalformedCBOR) -> SMPRefusal? {
        if let error = try body.map("err") {
            guard let group = try error.unsigned("group"), group <= 0xFFFF else { throw MalformedCBOR() }
            return try refusal(error, group: UInt16(truncatingIfNeeded: group))
        }
        return try refusal(body, group: nil)
    }

    private static func refusal(_ map: CBORMap, group: UInt16?) throws(MalformedCBOR) -> SMPRefusal? {
        guard let code = try map.unsigned("rc"), code != 0 else { return nil }
        guard code <= 0xFFFF else { throw MalformedCBOR() }
        return SMPRefusal(group: group, code: UInt16(truncatingIfNeeded: code))
    }
}

/// The longest packet that a board accepts and sends, and the number of requests that it can hold at a time.
public struct SyncParameters: Equatable, Sendable {
    public let packetByteCount: Int
    public let packetCount: Int

    public init(packetByteCount: Int, packetCount: Int) {
        self.packetByteCount = packetByteCount
        self.packetCount = packetCount
    }
}

/// A chunk of a file.
public struct FileChunk: ~Escapable {
    public let offset: UInt64
    public let data: Span<UInt8>
    /// The length of the whole file; a board includes it with the chunk at offset 0.
    public let fileByteCount: UInt64?

    @_lifetime(copy data)
    init(offset: UInt64, data: Span<UInt8>, fileByteCount: UInt64?) {
        self.offset = offset
        self.data = data
        self.fileByteCount = fileByteCount
    }
}

public enum SyncResponseError: Error, Equatable {
    case malformed
    /// The packet answers another request, or is not an answer.
    case unexpected
    case refused(SMPRefusal)
}
