import Authority

extension Submission {
    /// The wearer's own identities.
    ///
    /// - Parameter days: the days that they belong to, counted from 1970 in UTC.
    public static func bleProximity(
        _ own: BLEProximitySubmission, ofDays days: ClosedRange<UInt32>
    ) -> Submission {
        var contents = [
            "\(own.positives.entries.count) identities of \(days.daysText), each with its time"
        ]
        if own.undatedCount > 0 {
            contents.append("not \(own.undatedCount) identities of boots without a wall clock")
        }
        return Submission(
            own.positives.json.line,
            SubmissionText(recipient: "a BLE-Proximity authority", contents: contents))
    }
}
