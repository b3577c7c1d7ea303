/// Byte counts for people.
public enum ByteText {
    public static func text(_ count: Int) -> String {
        switch count {
        case ..<10_240: "\(count) B"
        case ..<10_485_760: "\((count + 512) / 1_024) KiB"
        default: "\((count + 524_288) / 1_048_576) MiB"
        }
    }

    /// A rate. Slow lines, below 10 KiB/s, have a decimal.
    public static func rate(_ bytesPerSecond: Int) -> String {
        switch bytesPerSecond {
        case ..<1_024: return "\(bytesPerSecond) B/s"
        case ..<10_240:
            let tenths = bytesPerSecond * 10 / 1_024
            return "\(tenths / 10).\(tenths % 10) KiB/s"
        default: return "\(text(bytesPerSecond))/s"
        }
    }
}
