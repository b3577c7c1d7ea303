/// The report's style sheet and constant texts.
enum ReportStyle {
    /// The emblem: a tabard, the coat of a herald.
    static let mark = """
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
        <li><b>Which devices were absent.</b> An empty period means something only while the board was \
        listening, and only for devices that take part and were in range.</li>
        <li><b>Whether anyone was infected,</b> or in danger of it.</li>
        </ul>
        </section>

        """

    static let css = """

        :root {
          --paper: #f7f5f0; --card: #fffdf9; --ink: #1c2434; --soft: #566074; --line: #e0dbd0; --rule: #ece7dc;
          --azure: #22557f; --azure-wash: #c9dae8; --gold: #a97412; --stone: #767d8c; --stone-wash: #dddde0;
          --quote: "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #11151c; --card: #181e28; --ink: #e9e6df; --soft: #a0a9b8; --line: #2c3442; --rule: #232a36;
            --azure: #86b9e4; --azure-wash: #26405a; --gold: #e0b458; --stone: #9aa2b1; --stone-wash: #343b48;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; background: var(--paper); color: var(--ink);
          font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
        }
        main, footer { max-width: 1040px; margin: 0 auto; padding: 0 28px; }
        header { padding: 40px 0 8px; }
        .mark { display: flex; align-items: center; gap: 9px; margin: 0 0 30px; color: var(--azure);
          font-size: 12px; font-weight: 600; letter-spacing: .16em; text-transform: uppercase; }
        .emblem { width: 24px; height: 24px; fill: var(--azure); }
        .emblem .pale { fill: none; stroke: var(--gold); stroke-width: 2; }
        h1 { margin: 0; font: 600 17px/1.3 inherit; font-size: 17px; color: var(--soft); }
        .summary { margin: 6px 0 30px; max-width: 32em; font: 400 27px/1.34 var(--quote); text-wrap: pretty; }
        .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(160px, 1fr)); margin: 0;
          border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
        .figures div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: 16px 18px 14px 0; }
        .figures dt { color: var(--soft); font-size: 13px; }
        .figures dd { margin: 0; font-size: 23px; font-weight: 600; font-variant-numeric: tabular-nums;
          white-space: nowrap; }
        section { margin: 52px 0 0; }
        h2 { margin: 0 0 4px; font-size: 19px; line-height: 1.3; }
        .note { margin: 0 0 18px; max-width: 72ch; color: var(--soft); font-size: 14px; }
        .figure { overflow-x: auto; padding: 14px 10px 6px; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; }
        svg.timeline, svg.watch { display: block; width: 100%; min-width: 720px; height: auto; }
        svg.patterns { position: absolute; }
        svg.trace { display: block; width: 100%; height: auto; }
        svg text { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
        svg .axis line { stroke: var(--rule); stroke-width: 1; }
        svg .axis .tick { stroke: var(--soft); }
        svg .name { fill: var(--ink); font-size: 13px; }
        svg .coverage .name { fill: var(--soft); font-size: 11.5px; }
        svg.watch .coverage .name { fill: var(--ink); font-size: 13px; }
        svg .unknown .name { fill: var(--soft); font-style: italic; }
        svg .rule { stroke: var(--rule); stroke-width: 1; }
        svg .bar { fill: var(--azure-wash); }
        svg .ribbon { fill: var(--azure); }
        svg .unknown .bar { fill: var(--stone-wash); }
        svg .unknown .ribbon { fill: var(--stone); }
        svg .heard { fill: var(--stone); }
        svg .quiet { fill: var(--stone-wash); }
        svg .radio { stroke: var(--gold); stroke-width: .8; }
        svg .off { fill: var(--card); stroke: var(--stone); stroke-width: .8; }
        svg .untold { stroke: var(--stone); stroke-width: .6; }
        svg .unrecorded { stroke: var(--stone); stroke-width: .6; stroke-dasharray: 2 2; }
        svg .wash { fill: var(--card); }
        svg .alarm { stroke: var(--gold); stroke-width: 3.2; }
        svg .hatching { stroke: var(--stone); stroke-width: 1.2; }
        svg .shade { stroke: var(--line); stroke-width: 2; }
        .key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 6px 8px 6px; padding: 0; list-style: none;
          color: var(--soft); font-size: 12px; }
        .key svg { width: 26px; height: 10px; margin-right: 7px; }
        table.blind { margin-top: 18px; }
        h3 { margin: 18px 0 4px; padding: 0 10px; font-size: 13.5px; }
        .losses { margin: 0; padding: 0 10px 0 26px; }
        caption { padding: 0 10px 4px; text-align: left; font-size: 13.5px; font-weight: 600; }
        svg .restarts line { stroke: var(--gold); stroke-width: 1.3; stroke-dasharray: 3 3; }
        svg .restarts path { fill: var(--gold); }
        .traces { display: grid; grid-template-columns: repeat(auto-fill, minmax(340px, 1fr)); gap: 16px; }
        .traces figure { margin: 0; padding: 14px 14px 6px; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; break-inside: avoid; }
        figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; margin-bottom: 6px;
          font-size: 13.5px; overflow-wrap: anywhere; }
        figcaption span { color: var(--soft); font-variant-numeric: tabular-nums; }
        svg .band { fill: var(--azure-wash); }
        svg .mean { fill: none; stroke: var(--azure); stroke-width: 1.7; stroke-linejoin: round; }
        svg .whisker { stroke: var(--azure-wash); stroke-width: 3; }
        svg .dot { fill: var(--azure); }
        .download { margin: 10px 2px 0; font-size: 13.5px; }
        a { color: var(--azure); }
        table { width: 100%; border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
        th, td { padding: 7px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
        thead th { color: var(--soft); font-weight: 500; font-size: 12.5px; vertical-align: bottom;
          border-bottom-color: var(--line); }
        tbody th { min-width: 13em; font-weight: 600; overflow-wrap: anywhere; }
        tbody tr:last-child > * { border-bottom: 0; }
        time, .relative { white-space: nowrap; }
        td time { color: var(--soft); }
        td time b { color: var(--ink); font-weight: 500; }
        .n { text-align: right; white-space: nowrap; }
        small { font-weight: 400; }
        .limits { padding: 22px 26px 14px; background: var(--card); border: 1px solid var(--line);
          border-left: 4px solid var(--gold); border-radius: 8px; break-inside: avoid; }
        .limits ul { margin: 10px 0 0; padding: 0 0 0 18px; }
        .limits li { margin: 0 0 9px; max-width: 78ch; }
        footer { margin-top: 52px; padding-bottom: 60px; color: var(--soft); font-size: 13px; }
        footer h2 { color: var(--ink); font-size: 15px; }
        footer dl { margin: 10px 0 0; border-top: 1px solid var(--line); }
        footer dl div { display: grid; grid-template-columns: 150px 1fr; gap: 16px; padding: 6px 0;
          border-bottom: 1px solid var(--rule); }
        footer dd { margin: 0; overflow-wrap: anywhere; color: var(--ink); }
        @media (max-width: 640px) {
          main, footer { padding-left: 16px; padding-right: 16px; }
          .summary { font-size: 22px; }
          .traces { grid-template-columns: 1fr; }
          footer dl div { grid-template-columns: 1fr; gap: 0; }
        }
        @media print {
          :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --rule: #ddd;
            --azure: #1d4a70; --azure-wash: #cfdde9; --gold: #8a5d0a; --stone: #666; --stone-wash: #ddd; }
          @page { margin: 16mm 14mm; }
          body { font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          main, footer { max-width: none; padding: 0; }
          header { padding-top: 0; }
          .figure { overflow: visible; }
          svg.timeline, svg.watch { min-width: 0; }
          .download { display: none; }
          h2 { break-after: avoid; }
          tr { break-inside: avoid; }
          thead { display: table-header-group; }
        }

        """
}
