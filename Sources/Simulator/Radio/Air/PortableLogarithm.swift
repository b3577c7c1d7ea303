/// A logarithm computed only with basic arithmetic. A C library's result may differ in the last bit between
/// machines, and one different bit would change the whole simulation.
enum PortableLogarithm {
    /// The decimal logarithm of a positive number, to about 1e-11.
    static func log10(_ value: Double) -> Double {
        // `value` is the significand times 2^exponent, with the significand in 1..<2.
        let exponent = Double(value.exponent)
        let ratio = (value.significand - Self.rootOfTwo) / (value.significand + Self.rootOfTwo)
        let square = ratio * ratio
        // The series gives ln(significand/√2) = 2 atanh(ratio), where |ratio| < 0.172.
        var series = 1.0 / 11
        series = series * square + 1.0 / 9
        series = series * square + 1.0 / 7
        series = series * square + 1.0 / 5
        series = series * square + 1.0 / 3
        series = series * square + 1
        let natural = 2 * ratio * series + (exponent + 0.5) * 0.693_147_180_559_945_3
        return natural * 0.434_294_481_903_251_8
    }

    private static let rootOfTwo = 1.414_213_562_373_095_1
}
