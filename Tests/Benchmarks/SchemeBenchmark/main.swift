import CLinux
import FixedMemory
import Foundation
import Matching
import Schemes

/// scheme-benchmark FILE PASSES: writes the C program's input to the file, and measures so many passes over
/// it.
///
/// It prints a line for each scheme: its name, the number of operations in a pass, the processor time of the
/// quickest pass in nanoseconds, and a sum over the results. The sum must equal the C program's.

let arguments = CommandLine.arguments
guard arguments.count == 3, let passCount = Int(arguments[2]) else {
    FileHandle.standardError.write(Data("scheme-benchmark FILE PASSES\n".utf8))
    exit(64)
}
let input = try SchemeInput(seed: 20_201)
try input.file.write(to: URL(fileURLWithPath: arguments[1]))

func processorNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func measure(_ name: String, _ count: Int, _ pass: () throws -> UInt64) rethrows {
    var (best, sum) = (UInt64.max, UInt64(0))
    for _ in 0..<passCount {
        let start = processorNanoseconds()
        sum = try pass()
        best = min(best, processorNanoseconds() - start)
    }
    print(name, count, best, sum)
}

/// The first eight bytes of an identity.
@inline(__always)
func start<Identity: BitwiseCopyable>(_ identity: Identity) -> UInt64 {
    withUnsafeBytes(of: identity) { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
}

var keyExpander = try ExposureKeyExpander()
try measure("exposure-identifiers", input.keys.count * 144) {
    var sum: UInt64 = 0
    for key in input.keys {
        try keyExpander.expand(key)
        let identifiers = keyExpander.identifiers
        for index in identifiers.indices { sum &+= start(identifiers[index]) }
    }
    return sum
}

var matcher = try ExposureKeyMatcher(input.heard)
try measure("exposure-keys-matched", input.keys.count) {
    var sum: UInt64 = 0
    for key in input.keys {
        try matcher.match(key) { place, interval in sum &+= UInt64(place + 1) &* UInt64(interval.number) }
    }
    return sum
}

var heraldExpander = HeraldKeyExpander()
measure("herald-days", input.heraldDays.count) {
    var sum: UInt64 = 0
    for day in input.heraldDays {
        heraldExpander.expand(day)
        for identifier in heraldExpander.identifiers { sum &+= start(identifier) }
    }
    return sum
}

var covidTracerExpander = CovidTracerExpander()
measure("covidtracer-days", input.roots.count) {
    var sum: UInt64 = 0
    for root in input.roots {
        covidTracerExpander.expand(root.key, root.date)
        for identifier in covidTracerExpander.identifiers { sum &+= start(identifier) }
    }
    return sum
}

var resolver = try SonarBulkResolver(scalar: input.authority)
let secrets = Dictionary(uniqueKeysWithValues: input.installations.map { (start($0.number), $0) })
try measure("sonar-resolutions", input.payloads.count) {
    let readings = try input.payloads.map { try SonarReading($0.bytes.span, observedAt: $0.observedAt) }
    let answers = resolver.resolve(readings) { number in
        guard let known = secrets[start(number)], known.number == number else { return nil }
        return known.secret
    }
    var sum: UInt64 = 0
    for answer in answers {
        switch answer {
        case .success(let message): sum &+= start(message.installation)
        case .failure(.staleTransmissionTime): sum &+= 1
        case .failure(let refusal): throw refusal
        }
    }
    return sum
}
