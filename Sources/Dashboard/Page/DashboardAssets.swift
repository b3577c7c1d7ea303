import Reports

/// The files that all pages share: the report's style sheet with more for forms, and the script.
public enum DashboardAssets {
    public static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#4377a3" d="M7 2l3 2.2h4L17 2l5 4\
        -2.6 4.4L17.5 9v13h-11V9l-1.9 1.4L2 6z"/><path fill="none" stroke="#e0b458" stroke-width="2" d="M12 7.5v10\
        M8.8 12.5h6.4"/></svg>

        """

    /// Brings the list of boards up to date. Without it, loading the page again does the same.
    public static let script = """
        "use strict";
        const place = document.getElementById("live");
        const said = document.getElementById("said");
        const pause = 1000;
        let shown = "";
        let known = new Set();
        // A screen reader says what is new of each board, and not each byte that a fetch brings.
        function say() {
          const states = [...place.querySelectorAll("[data-said]")].map(board => board.dataset.said);
          const news = states.filter(state => !known.has(state));
          if (news.length > 0) { said.textContent = news.join(". "); }
          known = new Set(states);
        }
        async function refresh() {
          try {
            const answer = await fetch(place.dataset.source, { cache: "no-store" });
            const text = await answer.text();
            if (answer.ok && text !== shown && !place.contains(document.activeElement)) {
              place.innerHTML = text;
              shown = text;
              say();
            }
          } catch {
            place.innerHTML = "<p class=\\"problem\\">The dashboard does not answer any more. Was it stopped?</p>";
            return;
          }
          setTimeout(refresh, pause);
        }
        if (place) { setTimeout(refresh, pause); }

        """

    public static var style: String { ReportStyle.css + own }

    private static let own = """
        .skip { position: absolute; left: -100vw; padding: 8px 14px; background: var(--card); color: var(--azure); }
        .skip:focus { left: 8px; top: 8px; z-index: 1; }
        .top { max-width: 1040px; margin: 0 auto; padding: 22px 28px 0; display: flex; flex-wrap: wrap;
          gap: 6px 28px; align-items: center; }
        .top .mark { margin: 0; }
        nav ul { display: flex; flex-wrap: wrap; gap: 2px; margin: 0; padding: 0; list-style: none; }
        nav li a { display: block; padding: 6px 11px; border-radius: 6px; color: var(--ink); text-decoration: none;
          font-size: 14px; }
        nav li a:hover { background: var(--azure-wash); }
        nav li a[aria-current] { background: var(--azure-wash); font-weight: 600; }
        main { padding-top: 30px; outline: none; }
        main > h1 { color: var(--ink); font: 400 27px/1.3 var(--quote); }
        main > section { margin-top: 40px; }
        main > section:first-of-type { margin-top: 26px; }
        footer p { margin: 0 0 4px; overflow-wrap: anywhere; }
        .subtitle { margin: 4px 0 0; color: var(--soft); overflow-wrap: anywhere; }
        .problem { margin: 18px 0; padding: 12px 16px; background: var(--card); border: 1px solid var(--line);
          border-left: 4px solid var(--gold); border-radius: 8px; overflow-wrap: anywhere; }
        .warnings { margin: 18px 0; padding: 12px 16px 12px 34px; background: var(--card);
          border: 1px solid var(--line); border-radius: 8px; color: var(--soft); font-size: 14px;
          overflow-wrap: anywhere; }
        .question { margin: 20px 0 0; padding: 16px; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; }
        .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 12px 16px; }
        .fields label { display: block; margin: 0 0 3px; font-size: 13px; font-weight: 600; }
        .fields small { display: block; margin-top: 3px; }
        input[type="text"], select { width: 100%; min-height: 38px; padding: 6px 9px; color: var(--ink);
          background: var(--paper); border: 1px solid var(--stone); border-radius: 6px; font: inherit; }
        .checks { display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 12px 0 0; font-size: 14px; }
        .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin: 14px 0 0; }
        button { min-height: 38px; padding: 6px 16px; color: var(--card); background: var(--azure);
          border: 1px solid var(--azure); border-radius: 6px; font: inherit; font-weight: 600; cursor: pointer; }
        input:focus-visible, select:focus-visible, button:focus-visible { outline: 2px solid var(--gold);
          outline-offset: 2px; }
        .listing { margin-top: 16px; padding: 6px; }
        .listing .rows tbody th { min-width: 9em; }
        .answer { margin: 18px 0 0; max-width: 72ch; overflow-wrap: anywhere; }
        .cut { display: flex; gap: 20px; margin: 10px 2px 0; }
        .cut a { padding: 6px 0; }
        .boards { display: grid; gap: 14px; margin: 16px 0 0; padding: 0; list-style: none; }
        .boards > li { padding: 14px 16px; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; overflow-wrap: anywhere; }
        .boards h2 { font-size: 17px; }
        .boards p { margin: 4px 0 0; }
        .boards .where { color: var(--soft); font-size: 13px; }
        progress { display: block; width: 100%; height: 10px; margin: 10px 0 0; accent-color: var(--azure-mid); }
        .findings { display: grid; gap: 4px; margin: 12px 0 0; padding: 0; list-style: none; font-size: 14px; }
        .findings li { display: grid; grid-template-columns: 5.2em 7.5em minmax(0, 1fr); gap: 2px 10px; }
        .findings b { font-weight: 600; }
        .findings .fault b, .findings .warning b { justify-self: start; border-bottom: 3px solid var(--gold); }
        .findings .remedy { grid-column: 3; color: var(--soft); }
        .action { margin: 18px 0 0; }
        .downloads { margin: 14px 0 0; padding: 0 0 0 18px; }
        .downloads li { margin: 0 0 6px; overflow-wrap: anywhere; }
        @media (max-width: 640px) {
          .listing .rows tbody th { min-width: 0; }
          .top { padding: 16px 16px 0; }
          nav li a { padding: 8px 9px; }
          nav ul { margin-left: -9px; }
          main { padding-top: 20px; }
          main > h1 { font-size: 23px; }
          .buttons button { flex: 1 1 auto; }
          .findings li { grid-template-columns: auto minmax(0, 1fr); }
          .findings li > :nth-child(3), .findings .remedy { grid-column: 1 / -1; }
        }
        @media print { .top nav, .question, .action, .cut, .skip { display: none; } }

        """
}
