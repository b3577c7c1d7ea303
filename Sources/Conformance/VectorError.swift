/// Why a vector does not hold, or cannot be understood.
struct VectorError: Error, Equatable {
    /// Where in the file: `vectors.cases[0].tx_power`.
    let path: String
    let reason: String
}
