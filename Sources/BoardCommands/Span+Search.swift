import FixedMemory

extension Span where Element == UInt8 {
    /// Where `text` begins in these bytes.
    func offset(of text: StaticString) -> Int? {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return nil }
        for start in 0...(count - length) where extracting(start..<start + length).isEqual(to: text) {
            return start
        }
        return nil
    }
}
