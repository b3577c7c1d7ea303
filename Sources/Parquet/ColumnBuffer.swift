/// The values of a column in the current row group.
struct ColumnBuffer {
    /// A larger dictionary is dropped in the first row group.
    static let dictionaryByteCount = 1 << 20

    let column: ParquetColumn
    /// A definition level for each row: 0 for a null, 1 for a value. Empty unless the column is optional.
    private(set) var levels: [UInt8] = []
    /// The values in PLAIN encoding, but a byte for each boolean. Empty while the dictionary is used.
    private(set) var plain: [UInt8] = []
    /// Which entry of the dictionary each value is.
    private(set) var indices: [UInt32] = []
    private(set) var dictionary = ByteArrayDictionary()
    /// The first row group decides for all of the column. fastparquet 2026.9 loses strings without a message
    /// where a column has pages with a dictionary and pages without.
    private(set) var usesDictionary: Bool
    private var isDecided = false
    private(set) var valueCount = 0
    private(set) var nullCount = 0
    /// The size of all values in PLAIN encoding, whether or not they are stored so.
    private var plainByteCount = 0

    init(_ column: ParquetColumn) {
        self.column = column
        usesDictionary = column.type.physicalType == .byteArray
    }

    var rowCount: Int { valueCount + nullCount }

    mutating func appendNull() {
        levels.append(0)
        nullCount += 1
    }

    mutating func append(_ value: some FixedWidthInteger) {
        plain.appendLittleEndian(value)
        didAppendValue()
    }

    mutating func append(_ value: UnsafeRawBufferPointer) {
        didAppendValue()
        plainByteCount += value.count + 4
        if usesDictionary {
            if let index = dictionary.index(
                of: value, maximumByteCount: isDecided ? .max : Self.dictionaryByteCount)
            {
                indices.append(index)
                return
            }
            stopUsingDictionary()
        }
        plain.appendByteArray(value)
    }

    /// Drops the dictionary if it makes the first row group no smaller. Call it when a row group is complete.
    mutating func chooseEncoding() {
        let indexByteCount = valueCount * HybridEncoding.bitWidth(below: dictionary.count) / 8
        let isSmaller = dictionary.entries.count + indexByteCount < plainByteCount
        if usesDictionary, !isDecided, valueCount > 0, !isSmaller { stopUsingDictionary() }
        isDecided = true
    }

    /// Removes the values. The memory is kept for the next row group.
    mutating func removeAll() {
        levels.removeAll(keepingCapacity: true)
        plain.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        dictionary.removeAll()
        valueCount = 0
        nullCount = 0
        plainByteCount = 0
    }

    private mutating func didAppendValue() {
        valueCount += 1
        if column.isOptional { levels.append(1) }
    }

    private mutating func stopUsingDictionary() {
        for index in indices { dictionary.appendEntry(index, to: &plain) }
        usesDictionary = false
    }
}
