/// Where a partitioned export goes. One or two files are open at a time.
public protocol PartitionStore {
    /// Begins a new file.
    ///
    /// - Parameter path: relative to the export, with its folders, such as
    ///   `encounters/day=2026-11-20/bucket=03/part-0.parquet`.
    func open(_ path: String) throws -> any PartitionFile
}

/// A file of a partitioned export.
public protocol PartitionFile: AnyObject {
    func write(_ bytes: [UInt8]) throws
    func finish() throws
}
