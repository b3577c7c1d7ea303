import FixedMemory
import HCI

/// The outcome of a ``Flood``, and its verdict.
public struct FloodOutcome: Sendable {
    /// One encounter of a stayer, according to the log.
    public struct Stay: Equatable, Sendable {
        public var opened: Instant
        public var lastHeard: Instant
        public var readingCount: Int
        /// Whether the encounter was closed: by its encounter timeout, or because the peer was evicted.
        public var isClosed: Bool

        public init(
            opened: Instant, lastHeard: Instant? = nil, readingCount: Int = 0, isClosed: Bool = false
        ) {
            self.opened = opened
            self.lastHeard = lastHeard ?? opened
            self.readingCount = readingCount
            self.isClosed = isClosed
        }

        /// Compares two encounters except for their closing. The agent may notice a moment sooner or later
        /// that a device is gone.
        fileprivate func isSame(as other: Stay) -> Bool {
            opened == other.opened
                && lastHeard == other.lastHeard && readingCount == other.readingCount
        }
    }

    /// The reports that the board read, in each whole second of the flood.
    public var reportsBySecond: [UInt64] = []
    /// The reports for which the controller or the board's kernel had no space.
    public var lostReportCount: UInt64 = 0
    /// The packets of all kinds for which the kernel had no space.
    public var lostPacketCount: UInt64 = 0
    /// The number of different addresses received during the flood, without stayers and visitors.
    public var randomAddressCount = 0
    /// The commands sent during the flood.
    public var commandCount = 0
    /// The commands of the flood that were answered before the next was sent.
    public var answerCount = 0
    /// The answers that no command was waiting for.
    public var strayAnswerCount = 0
    /// The phones that came during the flood.
    public var visitorCount = 0
    /// The visiting phones that the board read.
    public var readVisitorCount = 0
    public var recoveryActions: UInt64 = 0
    /// The encounters of each stayer in the order of the log; empty for a stayer that is not in it.
    public var stays: [DeviceAddress: [Stay]] = [:]
    /// When the agent got the request to stop, some seconds after the flood.
    public var end = Instant.start

    /// At least 10,000 reports per second, and enough commands that an answer could get lost.
    public static let leastReportsPerSecond: UInt64 = 10_000
    public static let leastCommandCount = 200
    public static let leastRandomAddressCount = 100_000
    /// The encounter timeout. A device that was silent for longer gets another encounter when it is heard
    /// again.
    public static let gapSeconds: UInt64 = 30

    public init() {}

    public var reportCount: UInt64 { reportsBySecond.reduce(0, +) }
    public var stayCount: Int { stays.values.reduce(0) { $0 + $1.count } }

    /// The first requirement that a flood with visiting phones does not meet; nil if it meets all.
    public var complaint: String? {
        guard let least = reportsBySecond.min(), least >= Self.leastReportsPerSecond else {
            return "that was no flood: in some second \(reportsBySecond.min() ?? 0) reports"
        }
        if commandCount < Self.leastCommandCount { return "too few commands: \(commandCount)" }
        if readVisitorCount < visitorCount {
            return "\(visitorCount - readVisitorCount) of \(visitorCount) phones were not read"
        }
        return loss
    }

    /// The first requirement that a flood of addresses into a table full of stayers does not meet; nil if
    /// it meets all.
    ///
    /// - Parameter calm: The outcome of the same world without a flood.
    public func complaint(beside calm: FloodOutcome) -> String? {
        if randomAddressCount < Self.leastRandomAddressCount {
            return "that was no flood: \(randomAddressCount) random addresses"
        }
        if stays.isEmpty || Set(stays.keys) != Set(calm.stays.keys) {
            return "others stayed in the calm world"
        }
        return loss ?? complaintOfStays(beside: calm)
    }

    /// A description of lost reports, packets, answers, or recovery actions; nil if no flood damage
    /// occurred.
    private var loss: String? {
        if lostReportCount > 0 { return "\(lostReportCount) reports were lost" }
        if lostPacketCount > 0 { return "\(lostPacketCount) packets found the kernel's buffer full" }
        if answerCount != commandCount || strayAnswerCount > 0 {
            return "\(answerCount) of \(commandCount) commands were answered in time, "
                + "and \(strayAnswerCount) answers came to none"
        }
        if recoveryActions > 0 { return "\(recoveryActions) recovery actions" }
        return nil
    }

    private func complaintOfStays(beside calm: FloodOutcome) -> String? {
        func first(_ what: String, _ isWrong: (DeviceAddress, [Stay]) -> Bool) -> String? {
            let wrong = stays.filter { isWrong($0.key, $0.value) }.map(\.key)
            guard let one = wrong.min(by: { $0.key < $1.key }) else { return nil }
            return "\(wrong.count) of \(stays.count) who stayed \(what), such as "
                + String(one.value, radix: 16)
        }
        // The log's allowance for peers without identity lets some wait, with a flood and without.
        return first("have no encounter") { $1.isEmpty && calm.stays[$0]?.isEmpty == false }
            ?? first("had to make room") { wasEvicted($1) }
            ?? first("have other encounters than without the flood") {
                !$1.elementsEqual(calm.stays[$0] ?? []) { $0.isSame(as: $1) }
            }
    }

    /// Whether an encounter was closed before its timeout. The device was heard again, or the run ended,
    /// within that time.
    private func wasEvicted(_ stays: [Stay]) -> Bool {
        stays.indices.contains { index in
            let next = index + 1 < stays.count ? stays[index + 1].opened : end
            return stays[index].isClosed
                && next <= stays[index].lastHeard + .seconds(Self.gapSeconds)
        }
    }
}
