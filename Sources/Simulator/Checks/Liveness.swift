/// That the agent recovers when the faults have stopped.
final class Liveness: Check {
    override class var statement: String {
        """
        Within 60 s after the faults have stopped, a phone that comes is heard by the agent and has read its payload \
        (within 5 minutes where it shares a single place with phones that stay connected, or links keep their places after \
        their end); the log takes entries \
        within the loss window; and a host gets every page that there is.
        """
    }
}
