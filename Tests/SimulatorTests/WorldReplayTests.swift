import Simulator
import Testing

/// A failure is one line with all that is needed to reproduce it.
@Suite struct WorldReplayTests {
    private func replay(_ words: String...) -> WorldReplay {
        WorldReplay(seed: 17, commit: "ab12cd3", words: words)
    }

    @Test func `a failure is a line of seed, commit, what, and the command`() {
        let line = replay("tabard-sim", "faults", "--fault", "silence", "--seed", "17").failure(
            "not back in time")
        #expect(
            line
                == "seed 17, commit ab12cd3: not back in time; "
                + "replay: tabard-sim faults --fault silence --seed 17")
    }

    @Test func `what was wrong stays one line`() {
        #expect(
            replay("again").failure("first\nsecond\n\nthird")
                == "seed 17, commit ab12cd3: first second third; replay: again")
    }

    @Test func `before it begins a world is named with the command, too`() {
        #expect(replay("again").name == "seed 17, commit ab12cd3 (replay: again)")
    }

    @Test(arguments: [
        ("section.key=value", "section.key=value"), ("two words", "'two words'"), ("", "''"),
        ("it's", #"'it'\''s'"#), ("$HOME;`id`", "'$HOME;`id`'"), ("é", "'é'"),
    ]) func `a shell takes each word as it was given`(word: String, quoted: String) {
        #expect(replay("tabard-sim", "--set", word).command == "tabard-sim --set \(quoted)")
    }

    @Test func `a command that is a shell's already stays as it is`() {
        let command = #"make sim SEED=17 SIM_OPTIONS="--hours 2.0""#
        #expect(WorldReplay(seed: 17, commit: "ab12cd3", command: command).command == command)
    }
}
