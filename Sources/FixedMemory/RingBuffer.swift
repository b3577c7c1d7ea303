/// A first-in, first-out queue of fixed capacity. It never grows: `push` throws when the queue is full. An
/// element that has left it is overwritten.
public struct RingBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var storage: FixedArray<Element>
    private var head = 0
    public private(set) var count = 0

    public init(capacity: Int, filledWith element: Element) throws(MemoryError) {
        storage = try FixedArray(count: capacity, repeating: element)
    }

    public var capacity: Int { storage.count }
    public var isEmpty: Bool { count == 0 }
    public var isFull: Bool { count == storage.count }

    public mutating func push(_ element: Element) throws(CapacityError) {
        guard count < storage.count else { throw CapacityError() }
        storage[wrapped(head + count)] = element
        count += 1
    }

    public mutating func pop() -> Element? {
        guard count > 0 else { return nil }
        let element = storage[head]
        storage.wipe(head)
        head = wrapped(head + 1)
        count -= 1
        return element
    }

    /// The oldest element, which stays in the queue.
    public var first: Element? { count > 0 ? storage[head] : nil }

    private func wrapped(_ index: Int) -> Int { index >= storage.count ? index - storage.count : index }
}
