import FixedMemory

extension ExposureKeyExport {
    /// Keys in a file at least, so that few people's are not alone in it.
    public static let minimumKeyCount = 1_000

    /// Adds random keys until there are enough, and sorts all. Each has its dates and what else is said of it from one of the
    /// true ones, chosen by lot, so that nothing tells them apart but that nobody was ever heard to have them. So does
    /// google/exposure-notifications-server; revised keys, which stood in a file before, cannot be hidden.
    ///
    /// A file without keys stays as it is: there is nobody to hide in it. And what is published again has to be the same file:
    /// padded twice, only the true keys would be in both.
    ///
    /// - Parameter generator: one that nobody can foresee.
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
