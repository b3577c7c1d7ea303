import Glibc

/// Which target this process fuzzes: the environment says so, for libFuzzer has the command line to itself.
private let chosenTarget: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        say("FUZZ_TARGET must be one of: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
        exit(64)
    }
    return target
}()

/// What libFuzzer calls with each input. Ordinary builds have it too, and nobody calls it there.
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
