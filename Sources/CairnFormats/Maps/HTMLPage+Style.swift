extension HTMLPage {
  /// The style sheet of the page.
  static let style = #"""
    :root { --page: #fff; --sea: #dce9f2; --land: #f7f3e8; --coast: #c3b9a2; --border: #b5a78a; --degree: #5b7488; --country: #8a7a58; --place: #5f584b; --grid: #8aa4b855; --ink: #222;
      --soft: #666; --region: #1f78b4; --row: #d1344b; --rim: #fff; color-scheme: light dark; }
    @media (prefers-color-scheme: dark) { :root { --page: #14181d; --sea: #1b2731; --land: #343b38;
      --coast: #59625c; --border: #6d766f; --degree: #8aa4b8; --country: #a9a48f; --place: #b9bfb6; --grid: #8aa4b833; --ink: #e4e6e8; --soft: #9aa1a8; --region: #6cb6e8; --row: #ff7a70;
      --rim: #14181d; } }
    html, body { margin: 0; height: 100%; overflow: hidden; background: var(--sea); color: var(--ink);
      font: 14px/1.4 system-ui, sans-serif; }
    canvas { position: fixed; inset: 0; width: 100%; height: 100%; outline: 0; touch-action: none; cursor: grab; }
    header, footer, #tip, #scale, #buttons button { background: color-mix(in srgb, var(--page) 88%, transparent);
      border-radius: 6px; }
    header, footer, #tip, #scale { position: fixed; padding: 6px 12px; max-width: calc(100% - 110px); }
    header { top: 12px; left: 12px; } h1 { font-size: 15px; margin: 0; overflow-wrap: anywhere; }
    footer { bottom: 12px; left: 12px; display: flex; flex-wrap: wrap; gap: 4px 14px; font-size: 13px; }
    footer span { white-space: nowrap; } footer i { display: inline-block; width: 11px; height: 11px;
      margin-right: 5px; vertical-align: -1px; } footer .soft { color: var(--soft); }
    #buttons { position: fixed; top: 12px; right: 12px; display: grid; gap: 4px; }
    #buttons button { width: 34px; height: 34px; border: 0; font-size: 18px; color: var(--ink); cursor: pointer; }
    #scale { bottom: 12px; right: 12px; font-size: 12px; text-align: center; }
    #scale span { display: block; border: solid var(--ink); border-width: 0 1px 1px; }
    #tip { pointer-events: none; max-width: 340px; box-shadow: 0 2px 8px #0004; font-size: 13px; }
    #tip b { display: block; overflow-wrap: anywhere; } #tip div { display: grid; gap: 0 10px;
      grid-template-columns: auto 1fr; max-height: 60vh; overflow: hidden; } #tip dt { color: var(--soft); }
    #tip span { overflow-wrap: anywhere; } #tip .soft { color: var(--soft); }
    """#
}
