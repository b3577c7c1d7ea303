import Foundation

/// The keys in a file in whatever form people have them: PEM with lines of any length, or with other text
/// around it, such as what a mail program or a web page adds; Base64 alone; or DER.
enum EncodedKeys {
    private static let boundary = "-----"

    /// The DER encodings that the file may contain, in its order.
    static func found(in bytes: [UInt8]) -> [Data] {
        let text = String(decoding: bytes, as: UTF8.self)
        let blocks = Self.blocks(text)
        if !blocks.isEmpty { return blocks }
        return [Self.decoded(text[...]), Data(bytes)].compactMap(\.self)
    }

    /// The content of each block from BEGIN to END.
    private static func blocks(_ text: String) -> [Data] {
        var found: [Data] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "\(boundary)BEGIN ") {
            rest = rest[start.upperBound...]
            guard let label = rest.firstRange(of: boundary) else { break }
            rest = rest[label.upperBound...]
            guard let end = rest.firstRange(of: "\(boundary)END ") else { break }
            if let data = decoded(rest[..<end.lowerBound]) { found.append(data) }
            rest = rest[end.upperBound...]
        }
        return found
    }

    private static func decoded(_ text: Substring) -> Data? {
        Data(base64Encoded: text.filter { !$0.isWhitespace && $0 != "\u{feff}" })
    }
}
