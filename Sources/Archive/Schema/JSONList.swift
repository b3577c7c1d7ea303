/// Numbers of rows as SQL takes a list of any length: `IN (SELECT value FROM json_each(?))`.
enum JSONList {
    static func text(_ numbers: some Sequence<some BinaryInteger>) -> String {
        "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
    }
}
