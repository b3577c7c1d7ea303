extension ReportStyle {
    /// Lines and fills have a contrast of at least 3:1 to the card, and texts 4.5:1.
    static let colours = """

        :root {
          --paper: #f7f5f0; --card: #fffdf9; --ink: #1c2434; --soft: #566074; --line: #e0dbd0; --rule: #ece7dc;
          --azure: #22557f; --azure-mid: #4377a3; --azure-pale: #6f97bb; --azure-wash: #dbe7f0; --gold: #a97412;
          --stone: #767d8c; --stone-wash: #e6e6e8; --m1: #eef1f3; --m2: #d5dee5; --m3: #b3c4d2;
          --quote: "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #11151c; --card: #181e28; --ink: #e9e6df; --soft: #a0a9b8; --line: #2c3442; --rule: #232a36;
            --azure: #86b9e4; --azure-mid: #6697c2; --azure-pale: #507ba2; --azure-wash: #233a50; --gold: #e0b458;
            --stone: #9aa2b1; --stone-wash: #2b323e; --m1: #212b38; --m2: #2a3a4c; --m3: #385068;
          }
        }

        """

    static let page = """
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
        h1 { margin: 0; font-size: 17px; font-weight: 600; line-height: 1.3; color: var(--soft);
          overflow-wrap: anywhere; }
        .summary { margin: 6px 0 30px; max-width: 34em; font: 400 25px/1.36 var(--quote); text-wrap: pretty;
          overflow-wrap: anywhere; }
        .figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(132px, 1fr)); margin: 0; list-style: none;
          border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); padding: 6px 0; }
        .figures:where(:has(> :nth-child(8))) { grid-template-columns: repeat(4, minmax(0, 1fr)); }
        .figures:where(:has(> :nth-child(9))) { grid-template-columns: repeat(5, minmax(0, 1fr)); }
        .figures li { padding: 10px 18px 10px 0; }
        .figures span { color: var(--soft); font-size: 13px; }
        .figures b { display: block; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums;
          white-space: nowrap; }
        section { margin: 56px 0 0; }
        h2 { margin: 0 0 4px; font-size: 19px; line-height: 1.3; overflow-wrap: anywhere; }
        h3 { margin: 22px 0 8px; font-size: 14px; line-height: 1.4; }
        .figure > h3 { margin-top: 2px; }
        .note { margin: 0 0 16px; max-width: 72ch; color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
        .listing .note { margin: 14px 2px 0; }
        .figure { padding: 16px 16px 12px; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; }
        .scroll { overflow-x: auto; padding: 6px; }
        .scroll:focus-visible, a:focus-visible { outline: 2px solid var(--azure); outline-offset: 2px; }
        .download { margin: 10px 2px 0; font-size: 13.5px; }
        a { color: var(--azure); }
        code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; color: var(--ink); overflow-wrap: anywhere; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        small { font-weight: 400; font-size: 12px; color: var(--soft); }
        table { width: 100%; border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
        caption { padding: 0 10px 4px; text-align: left; font-size: 14px; font-weight: 600; }
        th, td { padding: 7px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
        thead th { color: var(--soft); font-weight: 500; font-size: 12.5px; vertical-align: bottom;
          border-bottom-color: var(--line); }
        .rows tbody th { min-width: 13em; font-weight: 600; overflow-wrap: anywhere; }
        tbody tr:last-child > * { border-bottom: 0; }
        time, .relative { white-space: nowrap; }
        td time { color: var(--soft); }
        td time b { color: var(--ink); font-weight: 500; }
        .n { text-align: right; white-space: nowrap; }
        table.blind { margin-top: 22px; }
        .losses { margin: 0; padding: 0 10px 0 20px; }
        .limits { padding: 22px 26px 14px; background: var(--card); border: 1px solid var(--line);
          border-left: 4px solid var(--gold); border-radius: 8px; break-inside: avoid; }
        .limits ul { margin: 10px 0 0; padding: 0 0 0 18px; }
        .limits li { margin: 0 0 9px; max-width: 78ch; }
        footer { margin-top: 56px; padding-bottom: 60px; color: var(--soft); font-size: 13px; }
        footer h2 { color: var(--ink); font-size: 15px; }
        footer dl { display: grid; grid-template-columns: 150px minmax(0, 1fr); margin: 10px 0 0;
          border-top: 1px solid var(--line); }
        footer dt, footer dd { margin: 0; padding: 6px 0; border-bottom: 1px solid var(--rule);
          overflow-wrap: anywhere; }
        footer dt { padding-right: 16px; }
        footer dd { color: var(--ink); }

        """

    static let figures = """
        svg text { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
        svg.patterns { position: absolute; }
        .lanes ul, .bars, .key { margin: 0; padding: 0; list-style: none; }
        .lane { display: grid; grid-template-columns: 200px minmax(0, 1fr); gap: 16px; align-items: center;
          break-inside: avoid; }
        .lane svg { display: block; width: 100%; overflow: visible; }
        .lane .name { font-size: 13px; line-height: 1.3; padding: 3px 0; overflow-wrap: anywhere; }
        .lane .name small { display: block; }
        .strip .name { color: var(--soft); font-size: 12px; }
        .unknown .name { color: var(--soft); font-style: italic; }
        .crowd { padding: 4px 0; }
        .lane svg.restart { width: 8px; }
        svg .grid, svg .axis line { stroke: var(--rule); stroke-width: 1; }
        svg .axis .tick { stroke: var(--soft); }
        svg .bar { fill: var(--azure-wash); stroke: var(--azure-pale); stroke-width: 1; }
        svg .ribbon { fill: var(--azure); }
        .unknown .bar { fill: var(--stone-wash); stroke: var(--stone); }
        .unknown .ribbon { fill: var(--stone); }
        svg .heard { fill: var(--azure-mid); }
        svg .quiet { fill: var(--azure-wash); stroke: var(--azure-pale); stroke-width: 1; }
        svg .radio { stroke: var(--gold); stroke-width: .8; }
        svg .off { fill: var(--card); stroke: var(--stone); stroke-width: 1; }
        svg .untold { stroke: var(--stone); stroke-width: .8; }
        svg .unrecorded { stroke: var(--stone); stroke-width: .8; stroke-dasharray: 2 2; }
        svg .heat-full { fill: var(--azure); }
        svg .heat-most { fill: var(--azure-mid); }
        svg .heat-half { fill: var(--azure-pale); }
        svg .wash { fill: var(--card); }
        svg .alarm { stroke: var(--gold); stroke-width: 3.2; }
        svg .hatching { stroke: var(--stone); stroke-width: 1.2; }
        svg .shade { stroke: var(--stone); stroke-width: .9; }
        svg .most { fill: var(--azure-wash); stroke: var(--azure-pale); stroke-width: 1;
          vector-effect: non-scaling-stroke; }
        svg .peak { fill: var(--azure-mid); }
        svg .average { fill: none; stroke: var(--gold); stroke-width: 1.6; vector-effect: non-scaling-stroke; }
        svg .restart path { fill: var(--gold); stroke: var(--gold); stroke-width: 1.3; }
        .key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 12px 0 2px; color: var(--soft); font-size: 12px; }
        .key svg { width: 26px; height: 10px; margin-right: 7px; }
        .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(290px, 1fr)); gap: 16px;
          align-items: start; }
        .beside { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; }
        .beside > .scroll { max-width: 100%; }
        .beside > :not(.scroll) { flex: 1 1 300px; min-width: 0; }
        .bars li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 14px; padding: 4px 0;
          font-size: 13px; break-inside: avoid; }
        .bars .what { overflow-wrap: anywhere; }
        .bars .value { font-variant-numeric: tabular-nums; color: var(--soft); text-align: right; }
        .bars .track { grid-column: 1 / -1; width: 100%; height: 6px; background: var(--rule); border-radius: 3px; }
        .bars .track rect { fill: var(--azure-mid); }
        .matrix { width: auto; font-size: 12.5px; }
        .matrix th, .matrix td { padding: 4px 8px; text-align: right; border-bottom: 1px solid var(--rule); }
        .matrix tbody th { position: sticky; left: 0; background: var(--card); text-align: left; font-weight: 500;
          white-space: nowrap; }
        .matrix thead th span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
        .matrix .self { color: var(--soft); text-align: center; }
        .m1 { background: var(--m1); }
        .m2 { background: var(--m2); }
        .m3 { background: var(--m3); font-weight: 600; }
        .m4 { background: var(--azure); color: var(--card); font-weight: 600; }
        .traces { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); gap: 16px; }
        .traces figure { margin: 0; padding: 14px 14px 6px; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; break-inside: avoid; }
        svg.trace { display: block; width: 100%; height: auto; }
        figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; margin-bottom: 6px;
          font-size: 13.5px; overflow-wrap: anywhere; }
        figcaption span { color: var(--soft); font-variant-numeric: tabular-nums; }
        svg .band { fill: var(--azure-wash); stroke: var(--azure-pale); stroke-width: .7; }
        svg .mean { fill: none; stroke: var(--azure); stroke-width: 1.7; stroke-linejoin: round; }
        svg .whisker { stroke: var(--azure-pale); stroke-width: 3; }
        svg .dot { fill: var(--azure); }

        """

    /// Phones: names above bars, and rows as cards.
    static let narrow = """
        @media (max-width: 640px) {
          main, footer { padding-left: 16px; padding-right: 16px; }
          header { padding-top: 24px; }
          .summary { font-size: 21px; }
          .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
          .figures b { font-size: 19px; }
          section { margin-top: 44px; }
          .figure { padding: 12px 12px 10px; }
          .lane { grid-template-columns: minmax(0, 1fr); gap: 2px; padding: 3px 0; }
          .lane .name { padding: 0; }
          .lane .name small { display: inline; margin-left: 6px; }
          .axis .name, svg .odd { display: none; }
          .cards thead { display: none; }
          .cards tr { display: grid; grid-template-columns: auto minmax(0, 1fr); padding: 8px 0;
            border-bottom: 1px solid var(--rule); }
          .cards td { border: 0; padding: 1px 6px; text-align: left; }
          .cards caption { padding-left: 6px; }
          .cards td:first-child:nth-last-child(5) { grid-column: 1 / -1; font-weight: 600; }
          .cards .n { white-space: normal; }
          .traces, .pair { grid-template-columns: minmax(0, 1fr); }
          .rows thead { display: none; }
          .rows tr { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); padding: 10px 0;
            border-bottom: 1px solid var(--rule); }
          .rows tbody th { grid-column: 1 / -1; min-width: 0; border: 0; padding: 1px 6px; }
          .rows td { border: 0; padding: 1px 6px; text-align: left; white-space: normal; }
          .rows td:empty { display: none; }
          .rows td[data-of]::before { content: attr(data-of) " "; color: var(--soft); }
          .rows td:last-child { grid-column: 1 / -1; }
          footer dl { grid-template-columns: minmax(0, 1fr); }
          footer dt { padding-bottom: 0; border: 0; }
          footer dd { padding-top: 0; }
        }

        """

    static let print = """
        @media print {
          :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --rule: #ddd;
            --azure: #1d4a70; --azure-mid: #4377a3; --azure-pale: #6f97bb; --azure-wash: #dbe7f0; --gold: #8a5d0a;
            --stone: #666; --stone-wash: #ddd; --m1: #eef1f3; --m2: #d5dee5; --m3: #b3c4d2; }
          @page { margin: 16mm 14mm; }
          body { font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          main, footer { max-width: none; padding: 0; }
          header { padding-top: 0; }
          .scroll { overflow: visible; }
          .download { display: none; }
          h2, h3, .axis, .note { break-after: avoid; }
          tr { break-inside: avoid; }
          thead { display: table-header-group; }
        }

        """
}
