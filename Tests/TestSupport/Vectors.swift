import Foundation

/// Access to the files in Tests/Vectors.
public enum Vectors {
    public static func url(_ name: String, from file: String = #filePath) -> URL {
        URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors").appending(path: name)
    }

    public static func load<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: Data(contentsOf: url(name)))
    }
}
