/// The report's style sheet and constant texts.
public enum ReportStyle {
    /// The emblem: a tabard, the coat of a herald.
    public static let mark = """
        <svg class="emblem" viewBox="0 0 24 24" aria-hidden="true"><path d="M7 2l3 2.2h4L17 2l5 4-2.6 4.4L17.5 9v13h-11\
        V9l-1.9 1.4L2 6z"/><path class="pale" d="M12 7.5v10M8.8 12.5h6.4"/></svg>
        """

    static let limits = """
        <section class="limits">
        <h2>Limits of this report</h2>
        <ul>
        <li><b>How far away anyone was.</b> Signal strength is not distance: a body, a bag or a wall between two \
        devices weakens it as much as many steps do, and devices send with different power.</li>
        <li><b>How many people there were.</b> An identity is not a person. Phones take a new one every few minutes \
        and people may carry several devices, or none.</li>
        <li><b>Who was with whom among strangers.</b> The contacts are those of this archive's boards. Who carried none \
        is in no contact.</li>
        <li><b>Which devices were absent.</b> An empty period means something only while the board was \
        listening, and only for devices that take part and were in range.</li>
        <li><b>Whether anyone was infected,</b> or in danger of it.</li>
        </ul>
        </section>

        """

    public static let css = colours + page + figures + narrow + print
}
