import CairnSystem
import Testing

/// Values in place of the placeholders of a page.
@Suite struct PageTemplateTests {
  private enum Placeholder: String {
    case title, body
  }

  @Test(arguments: [
    ("", ""), ("{{title}}", "T"), ("<h1>{{title}}</h1>{{body}}{{title}}.", "<h1>T</h1>BT."),
    ("{{other}} {{ title }} {{}}", "{{other}} {{ title }} {{}}"), ("{{title", "{{title"),
    ("{{title}", "{{title}"), ("{{{title}}}", "{T}"), ("é{{body}}–", "éB–"), ("{{", "{{"),
  ])
  func values(text: String, expected: String) {
    let template = PageTemplate<Placeholder>(Array(text.utf8))
    let filled = template.text { placeholder in
      switch placeholder {
      case .title: "T"
      case .body: "B"
      }
    }
    #expect(filled == expected)
  }

  @Test func valuesMayContainPlaceholders() {
    let template = PageTemplate<Placeholder>(Array("{{title}}{{body}}".utf8))
    #expect(template.text { _ in "{{body}}" } == "{{body}}{{body}}")
  }
}
