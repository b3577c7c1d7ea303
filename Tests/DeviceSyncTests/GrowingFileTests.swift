import DeviceSync
import Testing

/// Downloads of files that change meanwhile. Stock clients take the length from the first answer and stop
/// when they have exactly that many bytes.
@Suite struct GrowingFileTests {
    private let path = "/log/00000012"
    private let file = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

    private func conversation(_ byteCount: Int) -> Conversation {
        Conversation(MemoryStore(files: [path: Array(file.prefix(byteCount)), "/log": file]))
    }

    /// Downloads one chunk of the file.
    private func piece(
        at offset: Int, _ conversation: inout Conversation, path: String? = nil
    ) throws -> (data: [UInt8], fileByteCount: UInt64?) {
        let path = Array((path ?? self.path).utf8)
        let request = try SyncRequest.download(path: path.span, offset: UInt64(offset), sequence: 1)
        let answer = try conversation.ask(request)
        let chunk = try SyncResponse(answer.span, to: request).download()
        return (array(chunk.data), chunk.fileByteCount)
    }

    @Test(arguments: [1, 100, 1900, 4096])
    func `a download ends at the announced length, even if the file grows`(growth: Int) throws {
        var conversation = conversation(5000)
        let first = try piece(at: 0, &conversation)
        #expect(first.fileByteCount == 5000)
        var received = first.data
        while received.count < 5000 {
            let length = try #require(conversation.store.files[path]?.count)
            conversation.store.files[path] = Array(file.prefix(length + growth))
            let data = try piece(at: received.count, &conversation).data
            try #require(!data.isEmpty)
            received += data
        }
        #expect(received == Array(file.prefix(5000)))
    }

    @Test func `a request behind the announced length gets the bytes that were added`() throws {
        var conversation = conversation(1000)
        _ = try piece(at: 0, &conversation)
        conversation.store.files[path] = Array(file.prefix(1500))
        #expect(try piece(at: 1000, &conversation).data == Array(file[1000..<1500]))
    }

    @Test func `a download that starts again announces the new length`() throws {
        var conversation = conversation(1000)
        _ = try piece(at: 0, &conversation)
        conversation.store.files[path] = Array(file.prefix(1500))
        let again = try piece(at: 0, &conversation)
        #expect(again.fileByteCount == 1500)
        #expect(again.data == Array(file.prefix(1500)))
    }

    @Test func `the announced length of one file does not limit another`() throws {
        var conversation = conversation(1000)
        _ = try piece(at: 0, &conversation)
        #expect(try piece(at: 500, &conversation, path: "/log").data.count > 500)
    }

    @Test func `a reset forgets the announced length`() throws {
        var conversation = conversation(1000)
        _ = try piece(at: 0, &conversation)
        conversation.store.files[path] = Array(file.prefix(1500))
        conversation.server.reset()
        #expect(try piece(at: 500, &conversation).data == Array(file[500..<1500]))
    }

    @Test(arguments: [2000, 2500])
    func `a file that became shorter is refused and never an empty chunk`(offset: Int) throws {
        var conversation = conversation(5000)
        _ = try piece(at: 0, &conversation)
        conversation.store.files[path] = Array(file.prefix(2000))
        #expect(throws: SyncResponseError.self) { try piece(at: offset, &conversation) }
    }
}
