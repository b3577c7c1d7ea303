import Parquet
import Testing

@Suite struct ParquetErrorTests {
    private struct DiskFull: Error {}

    private func writer(sink: @escaping ParquetWriter.Sink = { _ in }) throws -> ParquetWriter {
        let columns = [ParquetColumn("number", .int64), ParquetColumn("text", .string, isOptional: true)]
        return try ParquetWriter(ParquetSchema(columns), createdBy: "x", rowGroupRowCount: 2, sink: sink)
    }

    /// Runs what must fail, and returns the error's text.
    private func refusal(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test func `schemas that readers cannot take are refused`() {
        #expect(refusal { _ = try ParquetSchema([]) } == "a Parquet schema needs at least one column")
        for name in ["", "a.b", "."] {
            let text = refusal { _ = try ParquetSchema([ParquetColumn(name, .int32)]) }
            #expect(text == "column name \"\(name)\": expected a name without dots")
        }
        let text = refusal {
            _ = try ParquetSchema([ParquetColumn("Ä", .int32), ParquetColumn("ä", .int64)])
        }
        #expect(text == "column \"ä\" exists twice: names must differ in more than case")
    }

    @Test func `a value of another type is refused, and another may follow`() throws {
        let writer = try writer()
        #expect(refusal { try writer.append("5") } == "column \"number\" holds int64 values, not string")
        #expect(refusal { try writer.append(Int32(5)) } == "column \"number\" holds int64 values, not int32")
        #expect(
            refusal { try writer.append(millisecondsSince1970: 5) }
                == "column \"number\" holds int64 values, not timestamp")
        #expect(
            refusal { try writer.appendNull() }
                == "column \"number\" is not optional, so it cannot hold a null")
        #expect(refusal { try writer.append(nil as Double?) }.contains("is not optional"))
        try writer.append(Int64(5))
        #expect(refusal { try writer.append([5]) } == "column \"text\" holds string values, not binary")
        try writer.append(nil as String?)
        #expect(refusal { try writer.appendNull() } == "the row has more values than the schema has columns")
        try writer.endRow()
        try writer.finish()
        #expect(writer.rowCount == 1)
    }

    @Test func `an incomplete row cannot end, and the file cannot end in it`() throws {
        let writer = try writer()
        #expect(refusal { try writer.endRow() } == "the row has no value for column \"number\"")
        try writer.append(Int64(1))
        #expect(refusal { try writer.endRow() } == "the row has no value for column \"text\"")
        #expect(refusal { try writer.finish() } == "the row has no value for column \"text\"")
        try writer.append("")
        #expect(refusal { try writer.finish() } == "the last row has all values, but has not ended")
        try writer.endRow()
        try writer.finish()
    }

    @Test func `a finished writer takes nothing more`() throws {
        let writer = try writer()
        try writer.finish()
        let closed = "the Parquet file is already finished, or writing it failed before"
        #expect(refusal { try writer.finish() } == closed)
        #expect(refusal { try writer.append(Int64(1)) } == closed)
        #expect(refusal { try writer.appendNull() } == closed)
        #expect(refusal { try writer.endRow() } == closed)
    }

    @Test func `an error of the sink is reported and closes the writer`() throws {
        let writer = try writer { _ in throw DiskFull() }
        for row in 0..<2 {
            try writer.append(Int64(row))
            try writer.append("\(row)")
            if row == 0 { try writer.endRow() }
        }
        do {
            try writer.endRow()
            Issue.record("no error")
        } catch {
            guard case .sinkFailed(let cause) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(cause is DiskFull)
            #expect("\(error)" == "the Parquet file could not be written: DiskFull()")
        }
        #expect(writer.byteCount == 0)
        #expect(refusal { try writer.finish() }.contains("failed before"))
    }

    @Test func `a value that no page can hold is refused`() throws {
        let writer = try ParquetWriter(ParquetSchema([ParquetColumn("blob", .binary)]), createdBy: "x") { _ in
        }
        let long = [UInt8](repeating: 0, count: ParquetWriter.maximumValueByteCount + 1)
        let text = refusal { try writer.append(long) }
        #expect(text == "a value in column \"blob\" has 1073741825 bytes: the limit is 1 GiB")
        try writer.append(long.prefix(3))
        try writer.endRow()
        try writer.finish()
    }
}
