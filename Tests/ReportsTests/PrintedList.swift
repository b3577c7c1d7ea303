import Foundation
import Testing

/// A list among the JSON outputs, read as a program of another maker reads it.
enum PrintedList {
    /// - Returns: the rows, of a list with this schema.
    static func rows(_ data: Data, _ member: String, schema: String) throws -> [[String: Any]] {
        let list = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set(list.keys) == ["schema", member])
        #expect(list["schema"] as? String == schema)
        return try #require(list[member] as? [[String: Any]])
    }
}
