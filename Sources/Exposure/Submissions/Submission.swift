import Authority

/// A report to an authority by a person who fell ill. Its content is only available after that person has
/// seen its description and agreed.
public struct Submission: Sendable {
    public let text: SubmissionText
    private let content: [UInt8]

    init(_ content: [UInt8], _ text: SubmissionText) {
        self.content = content
        self.text = text
    }

    /// The content if the person agrees to the text; otherwise nil. This is the only access to it.
    public func bytes<Failure: Error>(
        ifAgreed agrees: (SubmissionText) throws(Failure) -> Bool
    ) throws(Failure) -> [UInt8]? {
        try agrees(text) ? content : nil
    }
}
