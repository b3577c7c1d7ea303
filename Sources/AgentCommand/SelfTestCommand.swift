import Agent
import BoardCommandLine
import CLinux
import Cryptography
import FixedMemory
import Peers
import Schemes

/// The command `tabard selftest`: known-answer tests of all cryptography and every scheme, and the sizes of
/// the tables that the agent allocates at start-up.
enum SelfTestCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        var cases = 0
        // There are two closures because a local function that counts would put its variable on the heap.
        let failedCryptography = CryptographySelfTest.run(entropy: .system) { name, passed in
            cases += 1
            report(name, passed)
        }
        let failedScheme = SchemeSelfTest.run { name, passed in
            cases += 1
            report(name, passed)
        }
        let failed = failedCryptography ?? failedScheme
        size("a peer", MemoryLayout<Peer>.stride)
        size("an identity", MemoryLayout<FixedBuffer<512>>.stride)
        size("a link", AgentSizes.linkByteCount)
        let settings = RecorderSettings()
        size("all tables at default capacity, when full", AgentSizes.tableByteCount(settings))
        MemoryProtection.report()
        if let failed {
            Output.error { line throws(CapacityError) in
                try line.append("self-test failed: ")
                try line.append(failed)
                try line.append("; do not use this build on this board")
            }
            return ExitCode.software
        }
        Output.line { line throws(CapacityError) in
            try line.append("self-test passed, ")
            try line.append(decimal: cases)
            try line.append(" cases, ")
            try line.append(cString: clinux_architecture())
        }
        return ExitCode.success
    }

    @inline(never)
    private static func report(_ name: StaticString, _ passed: Bool) {
        Output.line { line throws(CapacityError) in
            try line.append(passed ? "ok      " : "FAILED  ")
            try line.append(name)
        }
    }

    @inline(never)
    private static func size(_ name: StaticString, _ byteCount: Int) {
        Output.line { line throws(CapacityError) in
            try line.append("size    ")
            try line.append(name)
            try line.append(": ")
            try line.append(decimal: byteCount)
            try line.append(" bytes")
        }
    }
}
