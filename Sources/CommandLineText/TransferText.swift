/// The progress of a transfer for people.
public enum TransferText {
    /// The rate of the first seconds predicts nothing.
    private static let predictionMilliseconds = 3_000

    /// "4 %, 39 KiB of 800 KiB, 5.4 KiB/s, about 3 min left".
    public static func text(done: Int, of total: Int, milliseconds: Int) -> String {
        let rate = done * 1_000 / max(milliseconds, 1)
        var text = "\(done * 100 / max(total, 1)) %, \(ByteText.text(done)) of \(ByteText.text(total)), "
        text += ByteText.rate(rate)
        if milliseconds >= predictionMilliseconds, rate > 0, done < total {
            text += ", about \(duration((total - done + rate - 1) / rate)) left"
        }
        return text
    }

    /// Rounded up, because a transfer that takes longer than announced is worse than one that ends early.
    private static func duration(_ seconds: Int) -> String {
        if seconds <= 50 { return "\((seconds + 9) / 10 * 10) s" }
        let minutes = (seconds + 59) / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
