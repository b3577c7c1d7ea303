import Authority

/// What somebody who fell ill hands over to an authority. Nothing of it leaves but what somebody was shown and agreed to.
public struct Submission: Sendable {
    public let text: SubmissionText
    private let content: [UInt8]

    init(_ content: [UInt8], _ text: SubmissionText) {
        self.content = content
        self.text = text
    }

    /// What is handed over, if whoever is shown the text agrees; nil if not. There is no other way to it.
    public func bytes<Failure: Error>(
        ifAgreed agrees: (SubmissionText) throws(Failure) -> Bool
    ) throws(Failure) -> [UInt8]? {
        try agrees(text) ? content : nil
    }
}
