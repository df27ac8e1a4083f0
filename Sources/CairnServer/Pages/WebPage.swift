/// An HTML page that needs nothing but itself.
struct WebPage {
  private let title: String
  private let trail: [(title: String, href: String)]
  private var body = ""

  init(title: String, trail: [(title: String, href: String)]) {
    self.title = title
    self.trail = trail
  }

  /// The text of the page.
  var text: String {
    let steps = trail.map { "<a href=\"\(Self.escaped($0.href))\">\(Self.escaped($0.title))</a>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escaped(title))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <nav aria-label="Breadcrumb">\(steps.joined(separator: " / "))</nav>
      <main>
      <h1>\(Self.escaped(title))</h1>
      \(body)</main>
      </body>
      </html>

      """
  }

  private static let style = """
    :root{color-scheme:light dark}
    body{font:16px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:72rem;padding:0 1rem}
    table{border-collapse:collapse;display:block;overflow-x:auto}
    th,td{border-bottom:1px solid #8886;padding:.25rem .75rem .25rem 0;text-align:left;\
    vertical-align:top}
    dt{font-weight:600}dd{margin:0 0 .5rem}
    pre{overflow-x:auto}input,button{font:inherit;margin-right:.5rem}
    """

  /// Text in which HTML's special characters are escaped.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension WebPage {
  /// Adds a paragraph.
  mutating func text(_ text: String) { body += "<p>\(Self.escaped(text))</p>\n" }

  /// Adds a heading below the title.
  mutating func heading(_ text: String) { body += "<h2>\(Self.escaped(text))</h2>\n" }

  /// Adds a text with its line breaks and spaces.
  mutating func preformatted(_ text: String) { body += "<pre>\(Self.escaped(text))</pre>\n" }

  /// Adds a list of links.
  mutating func links(_ links: [Link]) {
    guard !links.isEmpty else { return }
    let items = links.map {
      "<li><a href=\"\(Self.escaped($0.href))\" rel=\"\(Self.escaped($0.rel))\">"
        + "\(Self.escaped($0.title))</a></li>\n"
    }
    body += "<ul>\n\(items.joined())</ul>\n"
  }

  /// Adds names with their values.
  mutating func definitions(_ facts: [(name: String, value: String)]) {
    let items = facts.map {
      "<dt>\(Self.escaped($0.name))</dt><dd>\(Self.escaped($0.value))</dd>\n"
    }
    body += "<dl>\n\(items.joined())</dl>\n"
  }

  /// Adds a table.
  ///
  /// - Parameter hrefs: The destination of the first cell of each row; empty for none.
  mutating func table(_ header: [String], rows: [[String]], hrefs: [String] = []) {
    body += "<table>\n<thead><tr>"
    for name in header { body += "<th scope=\"col\">\(Self.escaped(name))</th>" }
    body += "</tr></thead>\n<tbody>\n"
    for (index, row) in rows.enumerated() {
      body += "<tr>"
      for (column, cell) in row.enumerated() {
        let text = Self.escaped(cell)
        body +=
          column == 0 && index < hrefs.count
          ? "<td><a href=\"\(Self.escaped(hrefs[index]))\">\(text)</a></td>" : "<td>\(text)</td>"
      }
      body += "</tr>\n"
    }
    body += "</tbody>\n</table>\n"
  }

  /// Adds a form whose fields become parameters of the same page.
  mutating func form(_ fields: [(name: String, label: String, value: String)]) {
    body += "<form method=\"get\"><input type=\"hidden\" name=\"f\" value=\"html\">\n"
    for field in fields {
      body +=
        "<label>\(Self.escaped(field.label)) <input name=\"\(Self.escaped(field.name))\" "
        + "value=\"\(Self.escaped(field.value))\"></label>\n"
    }
    body += "<button>Show</button></form>\n"
  }
}
