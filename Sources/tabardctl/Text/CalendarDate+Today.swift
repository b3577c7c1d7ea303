import FixedMemory
import Foundation

extension CalendarDate {
    /// The day (UTC) by this computer's clock, counted from 1970-01-01.
    static var today: UInt32 { UInt32(clamping: Int64(Date().timeIntervalSince1970) / 86_400) }
}
