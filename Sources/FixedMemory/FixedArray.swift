import CLinux

/// `count` elements in pages mapped from the kernel once, at start-up. The count never changes and no
/// allocator is involved, so the board's image needs none.
public struct FixedArray<Element: BitwiseCopyable>: ~Copyable {
    public let count: Int
    private let base: UnsafeMutablePointer<Element>

    public init(count: Int, repeating element: Element) throws(MemoryError) {
        precondition(count > 0)
        guard let address = clinux_map_memory(count * MemoryLayout<Element>.stride) else {
            throw MemoryError(byteCount: count * MemoryLayout<Element>.stride)
        }
        self.count = count
        base = address.bindMemory(to: Element.self, capacity: count)
        base.initialize(repeating: element, count: count)
    }

    /// Makes every element all zero bits; use it only for elements that allow this value. The kernel
    /// provides a page only when it is first written, so unused capacity costs no memory.
    public init(zeroed count: Int) throws(MemoryError) {
        precondition(count > 0)
        guard let address = clinux_map_memory(count * MemoryLayout<Element>.stride) else {
            throw MemoryError(byteCount: count * MemoryLayout<Element>.stride)
        }
        self.count = count
        base = address.bindMemory(to: Element.self, capacity: count)
    }

    public var indices: Range<Int> { 0..<count }

    public subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            check(index)
            return UnsafePointer(base + index)
        }
        @inline(__always) unsafeMutableAddress {
            check(index)
            return base + index
        }
    }

    /// The address of an element, for a type that lends its elements by a subscript of its own.
    @inline(__always)
    package func address(of index: Int) -> UnsafePointer<Element> {
        check(index)
        return UnsafePointer(base + index)
    }

    @inline(__always)
    package mutating func mutableAddress(of index: Int) -> UnsafeMutablePointer<Element> {
        check(index)
        return base + index
    }

    /// Needs only one comparison: a negative index, taken as an unsigned number, is too large as well.
    @inline(__always)
    private func check(_ index: Int) {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    }

    /// Overwrites elements with zero bits; use it only for elements that allow this value, or that are set
    /// before they are read.
    public mutating func wipe(_ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        UnsafeMutableRawPointer(base + range.lowerBound).initializeMemory(
            as: UInt8.self, repeating: 0, count: range.count * MemoryLayout<Element>.stride)
    }

    @inline(__always)
    public mutating func wipe(_ index: Int) {
        precondition(index >= 0 && index < count)
        UnsafeMutableRawPointer(base + index).initializeMemory(
            as: UInt8.self, repeating: 0, count: MemoryLayout<Element>.stride)
    }

    public var span: Span<Element> {
        @_lifetime(borrow self) get {
            _overrideLifetime(Span(_unsafeStart: UnsafePointer(base), count: count), borrowing: self)
        }
    }

    public var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self) mutating get {
            _overrideLifetime(MutableSpan(_unsafeStart: base, count: count), mutating: &self)
        }
    }

    /// Lends the elements of `range` as raw bytes, for example to a system call that fills them.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        in range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return try body(
            UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(start: base + range.lowerBound, count: range.count)))
    }

    deinit { clinux_unmap_memory(base, count * MemoryLayout<Element>.stride) }
}

/// Thrown when the kernel refuses memory at start-up.
public struct MemoryError: Error, BitwiseCopyable, Equatable, Sendable {
    public let byteCount: Int
}
