import Simulator
import Testing

/// A failure is one line with all that is needed to reproduce it.
@Suite struct WorldReplayTests {
    private func replay(_ words: String...) -> WorldReplay {
        WorldReplay(seed: 17, commit: "ab12cd3", words: words)
    }

    @Test func `a failure is one line: seed, commit, reason and replay command`() {
        let line = replay("tabard-sim", "faults", "--fault", "silence", "--seed", "17").failure(
            "not back in time")
        #expect(
            line
                == "seed 17, commit ab12cd3: not back in time; "
                + "replay: tabard-sim faults --fault silence --seed 17")
    }

    @Test func `a reason of several lines becomes one line`() {
        #expect(
            replay("again").failure("first\nsecond\n\nthird")
                == "seed 17, commit ab12cd3: first second third; replay: again")
    }

    @Test func `the name of a world includes its replay command`() {
        #expect(replay("again").name == "seed 17, commit ab12cd3 (replay: again)")
    }

    @Test(arguments: [
        ("section.key=value", "section.key=value"), ("two words", "'two words'"), ("", "''"),
        ("it's", #"'it'\''s'"#), ("$HOME;`id`", "'$HOME;`id`'"), ("é", "'é'"),
    ]) func `each word is quoted for a shell`(word: String, quoted: String) {
        #expect(replay("tabard-sim", "--set", word).command == "tabard-sim --set \(quoted)")
    }

    @Test func `a command already in shell form stays unchanged`() {
        let command = #"make sim SEED=17 SIM_OPTIONS="--hours 2.0""#
        #expect(WorldReplay(seed: 17, commit: "ab12cd3", command: command).command == command)
    }
}
