/// The constant parts of the page.
enum HTMLPage {
  /// Returns the part up to the rows.
  static func beginning(title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="generator" content="cairn">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>\(XMLText.escaped(title))</title>
    <style>
    \(style)
    </style>
    <body>
    <canvas id="map" tabindex="0" aria-label="Map. Arrow keys move it, plus and minus zoom, 0 shows everything."></canvas>
    <header><h1>\(XMLText.escaped(title))</h1></header>
    <div id="buttons"><button id="in" title="Zoom in (+)">+</button><button id="out" title="Zoom out (-)">&minus;</button><button id="all" title="Show everything (0)">&#8962;</button></div>
    <footer id="legend"></footer>
    <div id="scale"><span></span></div>
    <div id="tip" role="status" hidden></div>
    <noscript>The map is drawn by a script, which this browser does not run.</noscript>
    <script type="application/json" id="data">
    """
  }

  /// The part between the rows and the land.
  static let land: StaticString = "</script>\n<script type=\"text/plain\" id=\"land\">\n"
  /// The part between the land and the borders.
  static let borders: StaticString = "\n</script>\n<script type=\"text/plain\" id=\"borders\">\n"
  /// The part after the borders.
  static let script: [StaticString] = [reading, BaseMap.lineReader, drawing, naming, pointing]
}
