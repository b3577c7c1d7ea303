import Archive
import FixedMemory
import Schemes

/// The short name of a payload in Herald's logs.
enum HeraldShortName {
    static func text(_ payload: [UInt8]) -> String {
        var text = FixedBuffer<8>()
        do throws(CapacityError) {
            try HeraldLabel.writeShortName(payload.span, to: &text)
        } catch {
            // Unreachable: a short name has at most six characters.
            return ""
        }
        return String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
