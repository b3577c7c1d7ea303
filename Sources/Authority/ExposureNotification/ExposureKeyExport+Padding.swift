import FixedMemory

extension ExposureKeyExport {
    /// The least number of keys in a file, so that a few people's keys do not stand alone in it.
    public static let minimumKeyCount = 1_000

    /// Adds random keys until there are enough, and sorts all.
    ///
    /// Each random key copies the dates and other fields of a true one, chosen at random. Then only its never
    /// having been received distinguishes it. google/exposure-notifications-server does the same. Revised
    /// keys appeared in an earlier file, so they cannot be hidden.
    ///
    /// A file without keys stays as it is, because it has nobody to hide. A repeated publication must be the
    /// same file: if it were padded again, only the true keys would be in both.
    ///
    /// - Parameter generator: an unpredictable one.
    public mutating func pad(
        to minimumKeyCount: Int = minimumKeyCount, using generator: inout some RandomNumberGenerator
    ) {
        let trueKeys = keys
        while keys.count < minimumKeyCount, var key = trueKeys.randomElement(using: &generator) {
            key.data = (0..<key.data.count).map { _ in .random(in: .min ... .max, using: &generator) }
            keys.append(key)
        }
        sortKeys()
    }
}
