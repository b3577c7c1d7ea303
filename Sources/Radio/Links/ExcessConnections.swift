import HCI

/// Connections that the controller reports although no link slot is free. Each advertising set may accept one
/// in the same moment. The radio ends them.
struct ExcessConnections: BitwiseCopyable {
    private var handles = InlineArray<4, ConnectionHandle?>(repeating: nil)
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ handle: ConnectionHandle) {
        for index in handles.indices where handles[index] == nil {
            handles[index] = handle
            count += 1
            return
        }
    }

    /// The next connection to be ended.
    mutating func takeNext() -> ConnectionHandle? {
        guard count > 0 else { return nil }
        for index in handles.indices {
            guard let handle = handles[index] else { continue }
            handles[index] = nil
            count -= 1
            return handle
        }
        return nil
    }
}
