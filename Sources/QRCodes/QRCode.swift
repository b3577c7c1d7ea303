import CQREncode
import Foundation

/// A QR code (ISO/IEC 18004, model 2): a square of dark and light modules, without the quiet zone around it.
public struct QRCode: Equatable, Sendable {
    /// The share of a code that may be unreadable.
    public enum Correction: Sendable {
        /// 15 % of the code.
        case medium
        /// 25 % of the code, for codes that hang on a wall.
        case quartile
    }

    /// The number of light modules that the standard requires on each side.
    public static let quietZone = 4

    /// The number of modules on each side: 21 to 177.
    public let width: Int
    private let isDark: [Bool]

    /// Makes the smallest code for a text.
    ///
    /// - Throws: `.tooLong` if no code holds the text; `.notEncodable` if the text is empty or contains a
    ///   NUL.
    public init(_ text: String, correction: Correction = .quartile) throws(QRCodeError) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw .notEncodable }
        let level = correction == .medium ? QR_ECLEVEL_M : QR_ECLEVEL_Q
        guard let code = QRcode_encodeString(text, 0, level, QR_MODE_8, 1) else {
            throw errno == ENOMEM ? .noMemory : .tooLong
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let data = code.pointee.data else { throw .notEncodable }
        self.width = width
        isDark = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark, counted from the upper left corner; modules outside the code are light.
    public func isDark(column: Int, row: Int) -> Bool {
        (0..<width).contains(column) && (0..<width).contains(row) && isDark[row * width + column]
    }
}

public enum QRCodeError: Error, Equatable, Sendable {
    case tooLong
    case notEncodable
    case noMemory
}
