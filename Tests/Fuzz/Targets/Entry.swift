import Glibc

/// The target that this process fuzzes. An environment variable selects it, because libFuzzer uses the
/// command line.
private let chosenTarget: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        say("FUZZ_TARGET must be one of: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
        exit(64)
    }
    return target
}()

/// The function that libFuzzer calls with each input. Ordinary builds contain it but never call it.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    do throws(FuzzFinding) {
        try chosenTarget.run(input)
    } catch {
        say("\(chosenTarget.rawValue): \(error)")
        abort()
    }
    return 0
}

private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(2, bytes, bytes.count)
}
