/// Makes names unique by a number at the end: "walk", "walk (2)", "walk (3)".
public struct UniqueNames: Sendable {
    private var taken: Set<String>

    /// - Parameter taken: names that are in use already.
    public init(taken: Set<String> = []) { self.taken = taken }

    public mutating func name(like name: String) -> String {
        let name = free(like: name)
        taken.insert(name)
        return name
    }

    /// A name that is not in use; it does not become so.
    public func free(like name: String) -> String {
        var result = name
        var number = 2
        while taken.contains(result) {
            result = "\(name) (\(number))"
            number += 1
        }
        return result
    }
}
