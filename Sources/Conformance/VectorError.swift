/// Why a vector fails, or cannot be parsed.
struct VectorError: Error, Equatable {
    /// The path in the file: `vectors.cases[0].tx_power`.
    let path: String
    let reason: String
}
