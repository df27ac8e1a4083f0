extension ExplorerFile {
  /// The style sheet.
  static let styleSheet: StaticString = #"""
    :root { color-scheme: light dark; --page: #fff; --panel: #f6f7f9; --line: #d5dae0; --ink: #1d2329; --soft: #5c6670;
      --accent: #1a5f9e; --on-accent: #fff; --bad: #b3261e; --sea: #dce9f2; --land: #f7f3e8; --coast: #c3b9a2;
      --border: #b5a78a; --country: #8a7a58; --place: #5f584b; --row: #d1344b; --rim: #fff; --fence: #1f6fd0;
      --enter: #c9efd2; --change: #fff0b8; --leave: #f8d4d2; }
    @media (prefers-color-scheme: dark) { :root { --page: #14181d; --panel: #1b2026; --line: #343c45; --ink: #e4e6e8;
      --soft: #9aa4ae; --accent: #6cb0ee; --on-accent: #0d1419; --bad: #ff8f85; --sea: #1b2731; --land: #343b38;
      --coast: #59625c; --border: #6d766f; --country: #a9a48f; --place: #b9bfb6; --row: #ff7a70; --rim: #14181d;
      --fence: #6cb6ff; --enter: #1f4a2c; --change: #554812; --leave: #57282a; } }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body { display: flex; flex-direction: column; background: var(--page); color: var(--ink);
      font: 14px/1.45 system-ui, sans-serif; }
    [hidden] { display: none !important; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    a { color: var(--accent); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    #map:focus-visible { outline-offset: -3px; }
    header { padding: 8px 14px 10px; border-bottom: 1px solid var(--line); background: var(--panel); }
    nav { display: flex; gap: 14px; align-items: baseline; }
    h1 { font-size: 16px; margin: 0 auto 0 0; overflow-wrap: anywhere; }
    form { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: flex-start; margin-top: 8px; }
    form > button { margin-top: 20px; }
    .field { border: 0; margin: 0; padding: 0; color: var(--soft); font-size: 12px; min-width: 0; }
    .field > select, .combo { display: block; margin-top: 2px; }
    .field legend { padding: 0; margin-bottom: 2px; }
    .wide { flex: 1 1 320px; }
    input, select, button { font: inherit; font-size: 14px; color: var(--ink); background: var(--page);
      border: 1px solid var(--line); border-radius: 6px; padding: 5px 9px; min-height: 34px; }
    button { cursor: pointer; }
    button:hover { border-color: var(--accent); }
    button:disabled { opacity: .45; cursor: default; border-color: var(--line); }
    button[aria-pressed=true], button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
    .combo { position: relative; }
    #filter { width: 100%; font-family: ui-monospace, monospace; }
    #filter[aria-invalid=true] { border-color: var(--bad); }
    #filter-error { margin: 4px 0 0; padding: 6px 10px; color: var(--bad); border-left: 3px solid var(--bad);
      background: var(--page); font: 13px/1.4 ui-monospace, monospace; overflow-x: auto; }
    #suggestions { position: absolute; z-index: 5; top: 100%; left: 0; min-width: 220px; max-height: 260px; overflow: auto;
      margin: 3px 0 0; padding: 4px; list-style: none; background: var(--page); border: 1px solid var(--line);
      border-radius: 8px; box-shadow: 0 6px 20px #0003; font-family: ui-monospace, monospace; font-size: 13px; color: var(--ink); }
    #suggestions li { padding: 4px 8px; border-radius: 5px; cursor: pointer; }
    #suggestions li[aria-selected=true], #suggestions li:hover { background: var(--accent); color: var(--on-accent); }
    main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr) minmax(320px, 38%); }
    #map-section { position: relative; min-height: 0; overflow: hidden; }
    #map { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
    .buttons { display: flex; gap: 6px; align-items: center; }
    #zoom-buttons { position: absolute; top: 10px; right: 10px; flex-direction: column; }
    #zoom-buttons button { width: 36px; height: 36px; padding: 0; font-size: 18px; }
    #fence-buttons { position: absolute; top: 10px; left: 10px; }
    #fence-buttons::before { content: "Fence:"; color: var(--ink); padding: 6px 0 6px 9px; }
    #fence-buttons, #zoom-buttons button, #hint, #tip { background-color: color-mix(in srgb, var(--page) 90%, transparent);
      border-radius: 8px; }
    #fence-buttons button { min-height: 30px; padding: 3px 9px; margin: 3px 3px 3px 0; }
    #hint { position: absolute; left: 10px; top: 56px; margin: 0; padding: 5px 10px; }
    #tip { position: absolute; width: 250px; padding: 8px 10px; pointer-events: none; box-shadow: 0 3px 12px #0004; font-size: 13px; }
    #tip dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px 10px; margin: 0; }
    dt { color: var(--soft); }
    dd { margin: 0; overflow-wrap: anywhere; }
    #panel { display: flex; flex-direction: column; min-height: 0; border-left: 1px solid var(--line); }
    #panel > * { padding: 8px 14px; }
    #status { margin: 0; font-size: 17px; font-weight: 600; padding-bottom: 2px; }
    #figures { border-bottom: 1px solid var(--line); }
    #figures label { color: var(--soft); }
    #figure-values { display: flex; flex-wrap: wrap; gap: 2px 22px; margin: 8px 0 0; }
    #figure-values dd { font-size: 15px; font-variant-numeric: tabular-nums; }
    #changes { border-bottom: 1px solid var(--line); }
    #changes ul, #changes ol { list-style: none; margin: 4px 0 0; padding: 0; font-size: 13px; }
    #changes ul:empty, #changes ol:empty { display: none; }
    #fences { display: flex; flex-wrap: wrap; gap: 6px 14px; }
    #fences button { min-height: 24px; padding: 0 6px; }
    #events { max-height: 110px; overflow: auto; }
    #events li { padding: 1px 6px; border-radius: 4px; margin-bottom: 2px; }
    #live { min-height: 0; vertical-align: -2px; }
    .enter { background: var(--enter); } .change { background: var(--change); } .leave { background: var(--leave); }
    tr.enter, tr.change, tr.leave { animation: fade 2.5s ease-out forwards; }
    @keyframes fade { to { background: transparent; } }
    @media (prefers-reduced-motion: reduce) { tr.enter, tr.change, tr.leave { animation-timing-function: step-end; } }
    #table-box { flex: 1; min-height: 120px; overflow: auto; padding: 0; }
    table { border-collapse: collapse; min-width: 100%; font-size: 13px; }
    th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; font-weight: 400; }
    thead th { position: sticky; top: 0; background: var(--panel); color: var(--soft); z-index: 1; }
    th button, td button { border: 0; background: none; padding: 2px 0; min-height: 0; font-size: 13px; color: inherit; }
    td button { color: var(--accent); padding: 0 6px; }
    td.number { text-align: right; font-variant-numeric: tabular-nums; }
    #pages { justify-content: space-between; border-top: 1px solid var(--line); }
    @media (max-width: 760px) {
      body { height: auto; min-height: 100%; }
      main { display: block; }
      form > button { margin-top: 0; }
      #map-section { height: 52vh; min-height: 260px; }
      #panel { border-left: 0; border-top: 1px solid var(--line); }
      #table-box { max-height: 70vh; }
    }

    """#
}
