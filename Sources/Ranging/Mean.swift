extension Collection {
    /// The mean of a value of each element; zero if there is none.
    func mean(_ value: (Element) -> Double) -> Double {
        guard !isEmpty else { return 0 }
        return reduce(0) { $0 + value($1) } / Double(count)
    }
}
