import Archive
import FixedMemory
import Schemes

/// The short name that Herald's logs give a payload.
enum HeraldShortName {
    static func text(_ payload: [UInt8]) -> String {
        var text = FixedBuffer<8>()
        do throws(CapacityError) {
            try HeraldLabel.writeShortName(payload.span, to: &text)
        } catch {
            // Six characters at most.
            return ""
        }
        return String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
