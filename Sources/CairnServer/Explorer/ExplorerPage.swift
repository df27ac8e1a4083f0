/// The page for people: a map, a table and figures of the rows that a filter selects.
struct ExplorerPage {
  let title: String

  /// Only files and responses of this server may be used, and no script or style inside the page.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  /// The response with the page.
  var response: Response {
    var response = Response(.html, text: text)
    response.headers["Content-Security-Policy"] = Self.policy
    response.headers["Referrer-Policy"] = "same-origin"
    return response
  }

  /// The addresses are relative, since the server may be reached under several names.
  private var text: String {
    let title = WebPage.escaped(title)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="explorer/style.css">
      <script type="module" src="explorer/main.js"></script>
      </head>
      <body>
      <header>
      <nav aria-label="Service"><h1>\(title)</h1>
      <a href="collections?f=html">Collections</a> <a href="api?f=html">API</a>
      <a href="conformance?f=html">Conformance</a></nav>
      \(Self.form)
      </header>
      <main>
      \(Self.map)
      \(Self.panel)
      </main>
      <noscript><p>The map needs JavaScript. The <a href="collections?f=html">collections</a> do \
      not.</p></noscript>
      </body>
      </html>

      """
  }

  private static let form = """
    <form id="question" role="search">
    <label class="field">Collection <select id="collection"></select></label>
    <div class="field wide"><label for="filter">Filter</label>
    <div class="combo"><input id="filter" type="text" role="combobox" autocomplete="off" \
    autocapitalize="off" spellcheck="false" aria-autocomplete="list" aria-expanded="false" \
    aria-controls="suggestions" aria-describedby="filter-error">
    <ul id="suggestions" role="listbox" aria-label="Suggestions" hidden></ul></div>
    <pre id="filter-error" role="alert" hidden></pre></div>
    <fieldset id="dates" class="field" hidden><legend>Dates</legend>
    <label><span class="hidden">From</span><input id="from" type="date"></label>
    <span aria-hidden="true">–</span>
    <label><span class="hidden">To</span><input id="to" type="date"></label></fieldset>
    <button type="submit" class="main">Show</button>
    </form>
    """

  private static let map = """
    <section id="map-section" aria-label="Map">
    <canvas id="map" tabindex="0" role="application" aria-label="Map. Arrow keys move it, plus \
    and minus zoom, Home shows all rows. The table has the same rows."></canvas>
    <div id="zoom-buttons" class="buttons" role="group" aria-label="Zoom">
    <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
    <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
    <button type="button" id="zoom-all" aria-label="Show all rows">⤢</button></div>
    <div id="fence-buttons" class="buttons" role="group" aria-label="Fences">
    <button type="button" id="fence-box" aria-pressed="false">Box</button>
    <button type="button" id="fence-polygon" aria-pressed="false">Polygon</button>
    <button type="button" id="fence-view">View</button></div>
    <p id="hint" hidden></p>
    <div id="tip" hidden></div>
    </section>
    """

  private static let panel = """
    <section id="panel" aria-label="Rows">
    <p id="status" role="status" aria-live="polite">Loading</p>
    <div id="figures"><label>Figures of <select id="figure"></select></label>
    <dl id="figure-values"></dl></div>
    <section aria-label="Changes" id="changes"><label><input type="checkbox" id="live"> Live</label>
    <ul id="fences"></ul><ol id="events" aria-live="polite"></ol></section>
    <div id="table-box" tabindex="0" role="region" aria-label="Rows in view">
    <table id="table"><caption class="hidden">Rows in view</caption><thead></thead>\
    <tbody></tbody></table></div>
    <div id="pages" class="buttons"><button type="button" id="previous">Previous</button>
    <span id="page"></span><button type="button" id="next">Next</button></div>
    </section>
    """
}
