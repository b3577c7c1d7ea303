/// The pending alarms of all actors: a binary heap that is first in, first out among equal times.
struct WakeQueue {
    struct Wake {
        let microseconds: UInt64
        let order: UInt64
        let inhabitant: Int32
        let alarm: UInt32

        func isBefore(_ other: Wake) -> Bool {
            microseconds != other.microseconds ? microseconds < other.microseconds : order < other.order
        }
    }

    private var heap: [Wake] = []
    private var nextOrder: UInt64 = 0

    var count: Int { heap.count }
    var first: Wake? { heap.first }

    mutating func push(_ time: SimulatedTime, inhabitant: Int32, alarm: UInt32) {
        let wake = Wake(
            microseconds: time.microseconds, order: nextOrder, inhabitant: inhabitant, alarm: alarm)
        nextOrder += 1
        var index = heap.count
        heap.append(wake)
        heap.withUnsafeMutableBufferPointer { heap in
            while index > 0 {
                let parent = (index - 1) / 2
                guard wake.isBefore(heap[parent]) else { break }
                heap[index] = heap[parent]
                index = parent
            }
            heap[index] = wake
        }
    }

    mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap.withUnsafeMutableBufferPointer { heap in
            var index = 0
            while true {
                var child = 2 * index + 1
                guard child < heap.count else { break }
                if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
                guard heap[child].isBefore(last) else { break }
                heap[index] = heap[child]
                index = child
            }
            heap[index] = last
        }
    }
}
