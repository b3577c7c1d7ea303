import HCI

/// What a ``Flood`` has shown, and whether it is as it must be.
public struct FloodOutcome: Sendable {
    /// One encounter of somebody who stays, as the log has it.
    public struct Stay: Equatable, Sendable {
        public var openedMilliseconds: UInt64
        public var lastHeardMilliseconds: UInt64
        public var readingCount: Int
        /// It was ended: nothing was heard for longer than the gap, or the peer had to make room.
        public var isClosed: Bool

        public init(
            openedMilliseconds: UInt64, lastHeardMilliseconds: UInt64? = nil, readingCount: Int = 0,
            isClosed: Bool = false
        ) {
            self.openedMilliseconds = openedMilliseconds
            self.lastHeardMilliseconds = lastHeardMilliseconds ?? openedMilliseconds
            self.readingCount = readingCount
            self.isClosed = isClosed
        }

        /// The end of one who is not heard any more may be noticed a moment sooner or later.
        fileprivate func isSame(as other: Stay) -> Bool {
            openedMilliseconds == other.openedMilliseconds
                && lastHeardMilliseconds == other.lastHeardMilliseconds && readingCount == other.readingCount
        }
    }

    /// Reports that the board took, in each whole second of the flood.
    public var reportsBySecond: [UInt64] = []
    /// Reports for which the controller or the board's kernel had no room.
    public var lostReportCount: UInt64 = 0
    /// Packets of all kinds for which the kernel had none.
    public var lostPacketCount: UInt64 = 0
    /// Different addresses that the board heard while the flood lasted, but for stayers and visitors.
    public var randomAddressCount = 0
    /// Commands sent while the flood lasted, and those of them that were answered before the next was sent.
    public var commandCount = 0
    public var answerCount = 0
    /// Answers that no command was waiting for.
    public var strayAnswerCount = 0
    /// Phones that came in the middle of it, and those of them that were read.
    public var visitorCount = 0
    public var readVisitorCount = 0
    public var recoveryActions: UInt64 = 0
    /// The encounters of each who stayed, in the order of the log; none for one who is not in it.
    public var stays: [DeviceAddress: [Stay]] = [:]
    /// When the board was asked to stop, some seconds after the flood.
    public var endMilliseconds: UInt64 = 0

    /// 10,000 a second, and so many commands that an answer could get lost.
    public static let leastReportsPerSecond: UInt64 = 10_000
    public static let leastCommandCount = 200
    public static let leastRandomAddressCount = 100_000
    /// Who was not heard for longer has another encounter when he is heard again.
    public static let gapSeconds: UInt64 = 30

    public init() {}

    public var reportCount: UInt64 { reportsBySecond.reduce(0, +) }
    public var stayCount: Int { stays.values.reduce(0) { $0 + $1.count } }

    /// What is not as it must be of a flood in which phones come; nil: all is.
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

    /// What is not as it must be of a flood of addresses into a table that is full of those who stay, `calm` being the
    /// same world without it; nil: all is.
    public func complaint(beside calm: FloodOutcome) -> String? {
        if randomAddressCount < Self.leastRandomAddressCount {
            return "that was no flood: \(randomAddressCount) random addresses"
        }
        if stays.isEmpty || Set(stays.keys) != Set(calm.stays.keys) {
            return "others stayed in the calm world"
        }
        return loss ?? complaintOfStays(beside: calm)
    }

    /// What no flood may cost.
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
        return first("have no encounter") { $1.isEmpty }
            ?? first("had to make room") { wasEvicted($1) }
            ?? first("have other encounters than without the flood") {
                !$1.elementsEqual(calm.stays[$0] ?? []) { $0.isSame(as: $1) }
            }
    }

    /// Whether an encounter was closed though he was heard again, or the flood over, before the gap was.
    private func wasEvicted(_ stays: [Stay]) -> Bool {
        stays.indices.contains { index in
            let next = index + 1 < stays.count ? stays[index + 1].openedMilliseconds : endMilliseconds
            return stays[index].isClosed
                && next <= stays[index].lastHeardMilliseconds + 1_000 * Self.gapSeconds
        }
    }
}
