import FixedMemory

extension Bytes {
    init(repeating byte: UInt8) {
        self.init()
        for index in 0..<count { self[index] = byte }
    }
}
