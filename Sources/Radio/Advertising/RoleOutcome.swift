/// What an answer to a command of the scanner or the advertiser means for the schedule of both.
enum RoleOutcome: BitwiseCopyable {
    /// The role goes on: the controller did what it was told, or the role adapts.
    case proceeds
    /// The controller refuses the role while it plays the other one.
    case excludesOther
    /// The controller refuses for a reason that the role cannot adapt to.
    case refused
}
