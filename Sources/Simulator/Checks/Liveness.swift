/// That the agent recovers when the faults have stopped.
///
/// Within 60 s after the faults have stopped, a phone that comes is heard by the agent and has read its payload (within
/// 5 minutes where it shares a single place with phones that stay connected, or links keep their places after their
/// end); the log takes entries within the loss window; and a host gets every page that there is.
final class Liveness: Check {
}
