import BoardCommandLine
import CLinux
import FixedMemory

/// Keeps the agent's memory, which has keys and what is not in the log yet, out of swap files, core dumps
/// and other processes of the same user.
enum MemoryProtection {
    /// Applies what the system allows, and writes a line for the rest. The agent runs without it.
    static func apply() {
        let missing = clinux_protect_memory()
        if missing & CLINUX_NOT_LOCKED != 0 {
            Output.error { line throws(CapacityError) in
                try line.append(
                    "memory: not locked, so a swap file may keep keys; give the service LimitMEMLOCK=infinity"
                )
            }
        }
        if missing & CLINUX_DUMPABLE != 0 {
            Output.error { line throws(CapacityError) in
                try line.append("memory: other processes of this user may read it, and a crash may dump it")
            }
        }
    }

    /// The report of the self-test; the program must end soon after it.
    static func report() {
        let missing = clinux_protect_memory()
        Output.line { line throws(CapacityError) in
            try line.append(missing & CLINUX_NOT_LOCKED == 0 ? "ok      " : "WARNING ")
            try line.append(
                missing & CLINUX_NOT_LOCKED == 0
                    ? "memory can be locked" : "memory cannot be locked (LimitMEMLOCK)")
        }
    }
}
