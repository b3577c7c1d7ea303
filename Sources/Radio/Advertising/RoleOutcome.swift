/// The effect that an answer to the scanner or the advertiser has on the schedule of both.
enum RoleOutcome: BitwiseCopyable {
    /// The controller obeyed, or the role adapts to its refusal.
    case proceeds
    /// The controller refuses the role while it plays the other one.
    case excludesOther
    /// The controller refuses for a reason that the role cannot adapt to.
    case refused
    /// The controller has stopped scanning by itself.
    case lost
}
