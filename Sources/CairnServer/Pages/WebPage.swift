import CairnSystem

/// An HTML page that needs nothing but itself.
struct WebPage {
  private let title: String
  private let trail: [(title: String, href: String)]
  private var body = ""

  init(title: String, trail: [(title: String, href: String)]) {
    self.title = title
    self.trail = trail
  }

  private enum Placeholder: String {
    case title, style, trail, body
  }

  private static let template = PageTemplate<Placeholder>(PackageResources.page_html)

  /// The text of the page.
  var text: String {
    Self.template.text { placeholder in
      switch placeholder {
      case .title: Markup.escaped(title)
      case .style: String(decoding: PackageResources.page_css, as: UTF8.self)
      case .trail:
        trail.map { "<a href=\"\(Markup.escaped($0.href))\">\(Markup.escaped($0.title))</a>" }
          .joined(separator: " / ")
      case .body: body
      }
    }
  }
}

extension WebPage {
  /// Adds a paragraph.
  mutating func text(_ text: String) { body += "<p>\(Markup.escaped(text))</p>\n" }

  /// Adds a heading below the title.
  mutating func heading(_ text: String) { body += "<h2>\(Markup.escaped(text))</h2>\n" }

  /// Adds a text with its line breaks and spaces.
  mutating func preformatted(_ text: String) { body += "<pre>\(Markup.escaped(text))</pre>\n" }

  /// Adds a list of links.
  mutating func links(_ links: [Link]) {
    guard !links.isEmpty else { return }
    let items = links.map {
      "<li><a href=\"\(Markup.escaped($0.href))\" rel=\"\(Markup.escaped($0.rel))\">"
        + "\(Markup.escaped($0.title))</a></li>\n"
    }
    body += "<ul>\n\(items.joined())</ul>\n"
  }

  /// Adds names with their values.
  mutating func definitions(_ facts: [(name: String, value: String)]) {
    let items = facts.map {
      "<dt>\(Markup.escaped($0.name))</dt><dd>\(Markup.escaped($0.value))</dd>\n"
    }
    body += "<dl>\n\(items.joined())</dl>\n"
  }

  /// Adds a table.
  ///
  /// - Parameter hrefs: The destination of the first cell of each row; empty for none.
  mutating func table(_ header: [String], rows: [[String]], hrefs: [String] = []) {
    body += "<table>\n<thead><tr>"
    for name in header { body += "<th scope=\"col\">\(Markup.escaped(name))</th>" }
    body += "</tr></thead>\n<tbody>\n"
    for (index, row) in rows.enumerated() {
      body += "<tr>"
      for (column, cell) in row.enumerated() {
        let text = Markup.escaped(cell)
        body +=
          column == 0 && index < hrefs.count
          ? "<td><a href=\"\(Markup.escaped(hrefs[index]))\">\(text)</a></td>" : "<td>\(text)</td>"
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
        "<label>\(Markup.escaped(field.label)) <input name=\"\(Markup.escaped(field.name))\" "
        + "value=\"\(Markup.escaped(field.value))\"></label>\n"
    }
    body += "<button>Show</button></form>\n"
  }
}
