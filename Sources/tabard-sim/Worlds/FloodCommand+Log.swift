import Simulator

/// Floods that would push the evidence out of the log.
extension FloodCommand {
    /// - Returns: the requirements that are not met.
    func floodLog() -> [String] {
        let minutes = self.minutes
        func progress(_ what: String) -> (UInt64) -> Void {
            { ProgressText.show("\(what): minute \($0) of \(minutes)") }
        }
        let calm = LogFlood(of: nil, minutes: minutes, seed: seed, progress: progress("calm"))
        let new = LogFlood(
            of: FloodAdverts(), perSecond: addresses, minutes: minutes, seed: seed,
            progress: progress("new addresses"))
        let kept = LogFlood(
            of: FloodAdverts(addressCount: Self.keptAddressCount), perSecond: addresses, minutes: minutes,
            seed: seed, progress: progress("kept addresses"))
        ProgressText.clear()
        print(text("new addresses", new, beside: calm))
        print(text("\(Self.keptAddressCount) addresses that stay", kept, beside: calm))
        return [
            new.complaint(beside: calm),
            kept.complaint(beside: calm, hourlyLimit: Self.lastingByteLimit),
        ].compactMap(\.self)
    }

    private func text(_ what: String, _ flood: LogFlood, beside calm: LogFlood) -> String {
        "flood of the log, \(what): \(flood.advertCount) Herald adverts in \(minutes) min; "
            + "log bytes by hour \(flood.logBytesByHour), calm \(calm.logBytesByHour); "
            + "at most \(flood.additionalBytesPerHour(beside: calm)) an hour for the flood; "
            + "\(flood.additionalBytesPerDay(beside: calm)) bytes a day programmed for it; "
            + "\(flood.unloggedCount) encounters only counted; "
            + "\(flood.identifiedVisitorCount) of \(flood.visitorCount) visitors identified; "
            + "\(flood.overwrittenPageCount) pages overwritten"
    }

    /// Requests over the cable in a loop; at most an hour.
    /// - Returns: the requirements that are not met.
    func burnPages() -> [String] {
        let minutes = min(self.minutes, 60)
        let calm = CableFlood(minutes: minutes, isAsking: false, seed: seed)
        let asked = CableFlood(minutes: minutes, seed: seed) {
            ProgressText.show("requests in a loop: minute \($0) of \(minutes)")
        }
        ProgressText.clear()
        print(
            "flood of the cable: \(asked.requestCount) requests without a key in \(minutes) min, "
                + "\(asked.answerCount) answers; \(asked.programmedByteCount) bytes programmed, "
                + "\(calm.programmedByteCount) without the requests, limit \(asked.byteLimit) more")
        return [asked.complaint(beside: calm)].compactMap(\.self)
    }
}
