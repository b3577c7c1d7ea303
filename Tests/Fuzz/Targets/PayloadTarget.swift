import FixedMemory
import Schemes

/// The input is a Herald payload.
enum PayloadTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        try label(input)
        guard let payload = try? HeraldPayload(parsing: input.span) else { return }
        _ = payload.isIdentity
        if case .fixed(let fixed) = payload {
            try require(fixed.encoded().span.array == input, "a fixed payload written and read is the same")
        }
        guard case .venue(let venue) = payload, let encoded = try? venue.encoded() else { return }
        try require(encoded.count <= HeraldVenue.maximumByteCount, "a venue fits an attribute")
        try require(
            (try? HeraldVenue(parsing: encoded.span)) == venue, "a venue written and read is the same")
    }

    /// A label must be one line without control characters, and fit a buffer of the documented size.
    private static func label(_ payload: [UInt8]) throws(FuzzFinding) {
        var label = FixedBuffer<320>()
        let isWritten = (try? HeraldLabel.write(payload.span, to: &label)) != nil
        try require(isWritten, "a label has room")
        for byte in label.span.array {
            try require(byte >= 0x20 && byte != 0x7f, "no control characters in a label")
        }
        let text = String(decoding: label.span.array, as: UTF8.self)
        try require(Array(text.utf8) == label.span.array, "a label is UTF-8")
    }
}
