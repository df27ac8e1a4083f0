import CairnTestSupport
import Foundation
import Testing

/// The links between the pages of the package.
@Suite struct LinkTests {
  @Test func everyRelativeLinkLeadsToAFileAndItsHeading() throws {
    let pages = try Self.pages()
    #expect(pages.count > 8)
    var links = 0
    for page in pages {
      for link in Self.links(in: page.text) where !link.contains("://") {
        links += 1
        let problem = Self.problem(with: link, in: page)
        #expect(problem == nil, "\(page.path): [\(link)] \(problem ?? "")")
      }
    }
    #expect(links > 20)
  }

  @Test func anglesAndCodeAreNotLinks() {
    #expect(Self.links(in: "see [a](b.md) and `[c](d.md)`\n```\n[e](f.md)\n```\n") == ["b.md"])
    #expect(Self.anchor(of: "## When classes change, and `why`?") == "when-classes-change-and-why")
  }

  private static func pages() throws -> [Package.SourceFile] {
    let top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map {
      Package.SourceFile(path: $0, text: (try? Repository.text($0)) ?? "")
    }
    return try top
      + ["docs", "data", "tools", "Sources"].flatMap { folder in
        try Package.files(under: folder) { $0.hasSuffix(".md") }
      }
  }

  /// The destinations of the links in a page, without those in code.
  private static func links(in text: String) -> [String] {
    text.replacing(/```(?:.|\n)*?```/, with: "").replacing(/`[^`\n]*`/, with: "")
      .matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
  }

  private static func problem(with link: String, in page: Package.SourceFile) -> String? {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let folder = Repository.root.appendingPathComponent(page.path).deletingLastPathComponent()
    let target =
      parts[0].isEmpty
      ? Repository.root.appendingPathComponent(page.path)
      : folder.appendingPathComponent(String(parts[0])).standardized
    guard FileManager.default.fileExists(atPath: target.path) else { return "has no file" }
    guard parts.count > 1 else { return nil }
    let text = (try? String(contentsOf: target, encoding: .utf8)) ?? ""
    let anchors = text.matches(of: /(?m)^#+ .*$/).map { anchor(of: String($0.0)) }
    return anchors.contains(String(parts[1])) ? nil : "has no heading #\(parts[1])"
  }

  /// The anchor that GitHub gives to a heading.
  private static func anchor(of heading: String) -> String {
    String(
      heading.drop { $0 == "#" || $0 == " " }.lowercased()
        .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
        .map { $0 == " " ? "-" : $0 })
  }
}
