import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The page for people.
@Suite struct ExplorerTests {
  private let world: World
  private var service: Service { world.service }

  init() throws { world = try World(rows: 200) }

  @Test func thePageUsesOnlyFilesOfTheServer() async throws {
    let answer = try await service.get("/", headers: ["Accept": "text/html"])
    #expect(answer.response.headers["Content-Type"] == "text/html; charset=utf-8")
    let policy = try #require(answer.response.headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(!policy.contains("unsafe"))
    #expect(!answer.text.contains("{{"), "each placeholder has a value")
    for script in answer.text.matches(of: /<script[^>]*>(.*?)<\/script>/) {
      #expect(script.1.isEmpty)
    }
    #expect(!answer.text.contains("<style") && !answer.text.contains(/\son[a-z]+=/))
    let files = answer.text.matches(of: /(?:src|href)="(explorer\/[^"]*)"/)
    #expect(files.count == 2)
    for file in files { #expect(try await service.get("/\(file.1)").status == 200) }
    #expect(try await service.get("/").response.headers["Content-Type"] == "application/json")
  }

  @Test(arguments: ExplorerFile.allCases) func files(_ file: ExplorerFile) async throws {
    let answer = try await service.get("/explorer/\(file.rawValue)")
    let type = [
      "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "json": "application/json",
    ][String(file.rawValue.split(separator: ".").last ?? "")]
    #expect(answer.status == 200 && answer.response.headers["Content-Type"] == type)
    #expect(answer.bytes.count > 500 && !answer.text.contains("http:"))
    for other in answer.text.matches(of: /from '\.\/([^']*)'/) {
      #expect(ExplorerFile(rawValue: String(other.1)) != nil)
    }
    // A commit does not change the file.
    let tag = try #require(answer.response.headers["ETag"])
    try world.insert(1)
    let again = try await service.get(
      "/explorer/\(file.rawValue)", headers: ["If-None-Match": tag])
    #expect(again.status == 304)
    #expect(try await service.get("/explorer/\(file.rawValue)?a=b").status == 400)
  }

  @Test func unknownFilesAreNotFound() async throws {
    #expect(try await service.get("/explorer/other.js").status == 404)
    #expect(try await service.get("/explorer").status == 404)
  }

  @Test func theBackgroundIsThatOfTheMaps() async throws {
    let json = try await service.get("/explorer/basemap.json").json
    #expect((json["countries"] as? [[Any]])?.count == 241)
    let land = try #require(json["land"] as? String)
    #expect(land.filter { $0 == "!" }.count == 1412 && !land.contains(" "))
  }

  // MARK: In a browser

  /// The page as the browser shows it. The browser waits on a thread of its own, since the server
  /// needs those of tasks.
  private func page(_ fragment: String) async throws -> (page: String, complaints: [String]) {
    let server = try LoopbackServer(service)
    defer { server.stop() }
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/#\(fragment)"))
    return try await onNewThread { try Browser.open(url, in: try TemporaryFolder()) }
  }

  @Test(.enabled(if: Browser.isInstalled, "Chromium is not installed; the page was not checked"))
  func aBrowserShowsTheRows() async throws {
    let (shown, complaints) = try await page(
      "collection=places&filter=population+%3E+4&sort=-id&figure=population&live=0&view=0/0/0")
    #expect(complaints.isEmpty, "\(complaints)")
    let expected = world.places.filter { ($0.population ?? 0) > 4 }
    #expect(shown.contains(">\(expected.count) rows in view<"))
    let ids = shown.matches(of: /<th scope="row"><a[^>]*>(\d+)<\/a>/).compactMap { Int($0.1) }
    #expect(ids == expected.map(\.id).sorted(by: >).prefix(25).map { $0 })
    let sum = expected.reduce(0) { $0 + ($1.population ?? 0) }
    #expect(shown.contains("<dt>sum</dt><dd>\(sum)</dd>"))
    #expect(shown.contains("1–25 of \(expected.count)<"))
    #expect(shown.contains("aria-sort=\"descending\"><button type=\"button\">id") == false)
  }

  @Test(.enabled(if: Browser.isInstalled, "Chromium is not installed; the caret was not checked"))
  func aBrowserShowsTheCaretOfAMistake() async throws {
    let (shown, _) = try await page(
      "collection=places&filter=population+%3E+%3E+4&live=0&view=0/0/0")
    let error = try #require(shown.firstMatch(of: /<pre id="filter-error"[^>]*>([^<]*)<\/pre>/)).1
    let lines = error.replacing("&gt;", with: ">").split(separator: "\n").map(String.init)
    let caret = try #require(
      lines.last?.firstIndex(of: "^").map {
        lines[lines.count - 1].distance(from: lines[lines.count - 1].startIndex, to: $0)
      })
    let text = lines[lines.count - 2]
    #expect(text.trimmingCharacters(in: .whitespaces) == "population > > 4")
    #expect(text.dropFirst(caret).first == ">" && text.dropFirst(caret).dropFirst().hasPrefix(" 4"))
    #expect(shown.contains("aria-invalid=\"true\"") && shown.contains("The filter has a mistake"))
  }
}
