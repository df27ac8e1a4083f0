import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// Stores that are replaced or deleted while a service reads and writes them.
@Suite(.tags(.threads)) struct ReplacedStoreTests {
  private let folder: TemporaryFolder
  private let service: Service
  private static let token = "correct-horse-battery"

  /// Serves a store with 9000 places; another one with three of them is beside it.
  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    for (name, rows) in [("test.cairn", 9000), ("new.cairn", 3)] {
      let world = try World(rows: rows)
      try FileManager.default.copyItem(atPath: world.folder.file(), toPath: folder.file(name))
    }
    var options = ServiceOptions()
    options.writeToken = Self.token
    service = try Service(path: folder.file(), options: options)
  }

  private func replace() { #expect(rename(folder.file("new.cairn"), folder.file()) == 0) }

  private func count(_ name: String = "places") async throws -> Int? {
    let answer = try await service.get("/collections/\(name)/items?limit=1")
    return answer.json["numberMatched"] as? Int
  }

  private func patch() async throws -> Answer {
    try await service.get(
      "/collections/notes/items/1",
      headers: [
        "Authorization": "Bearer \(Self.token)", "Content-Type": "application/merge-patch+json",
      ],
      method: "PATCH", body: #"{"properties":{"text":"changed"}}"#)
  }

  @Test func theNextRequestReadsAndWritesTheNewFile() async throws {
    #expect(try await count() == 9000)
    let list = try await service.get("/collections")
    replace()
    #expect(try await count() == 3)
    let tag = try #require(list.response.headers["ETag"])
    let again = try await service.get("/collections", headers: ["If-None-Match": tag])
    #expect(again.status == 200 && again.response.headers["ETag"] != tag)
    #expect(try await patch().status == 204)
    let store = try Store.open(folder.file(), mode: .readOnly)
    #expect(try store.snapshot().table("notes")?.value(0, at: 1).plainText == "changed")
  }

  /// Both files have the same number of commits.
  @Test func tilesAndCountsAreThoseOfTheNewFile() async throws {
    let tile = "/collections/places/tiles/0/0/0.mvt"
    let before = try await service.get(tile)
    #expect(try await count() == 9000)
    replace()
    let after = try await service.get(tile)
    #expect(after.status == 200 && after.bytes != before.bytes)
    #expect(after.response.headers["ETag"] != before.response.headers["ETag"])
    #expect(try await count() == 3)
  }

  /// A response that is being sent, and a stream that its client does not read, keep the old file open.
  @Test func readersOfTheOldFileDoNotHinderTheNewOne() async throws {
    let request = Request(target: "/collections/places/items?limit=9000&f=csv")
    let page = await service.respond(to: request)
    guard case .stream(let bytes) = page.body else {
      Issue.record("not a stream")
      return
    }
    var text = try await bytes.next() ?? []
    let client = try await LiveTests.Client(service, "/collections/notes/live")
    #expect(try await client.next()?.name == "ready")
    replace()
    #expect(try await count() == 3)
    #expect(try await patch().status == 204)
    while let chunk = try await bytes.next() { text += chunk }
    #expect(text.count { $0 == UInt8(ascii: "\n") } == 9001)
    #expect(try await client.next() == nil)
  }

  @Test func aCursorOfTheOldFileIsGone() async throws {
    let client = try await LiveTests.Client(service, "/collections/notes/live")
    let cursor = try #require(try await client.next()).id
    replace()
    #expect(try await client.next() == nil)
    let answer = try await service.get(
      "/collections/notes/live", headers: ["Last-Event-ID": cursor])
    #expect(answer.status == 410, "\(answer.text)")
  }

  @Test func aDeletedStoreIsAProblemUntilAnotherOneIsThere() async throws {
    let client = try await LiveTests.Client(service, "/collections/notes/live")
    #expect(try await client.next()?.name == "ready")
    #expect(unlink(folder.file()) == 0)
    for answer in [try await service.get("/collections"), try await patch()] {
      #expect(answer.status == 503 && answer.text.contains("was deleted"), "\(answer.text)")
      #expect(answer.response.headers["Retry-After"] == "1")
    }
    replace()
    #expect(try await count() == 3)
    #expect(try await patch().status == 204)
    #expect(try await client.next() == nil)
  }

  @Test func aFileThatComesBackIsServedAgain() async throws {
    #expect(rename(folder.file(), folder.file("away")) == 0)
    #expect(try await service.get("/").status == 503)
    #expect(rename(folder.file("away"), folder.file()) == 0)
    #expect(try await count() == 9000)
    #expect(try await patch().status == 204)
  }

  @Test func aFileThatIsNoStoreIsAProblemUntilItIsReplaced() async throws {
    try folder.write(Array("name,lat,lon\n".utf8), as: "a.csv")
    #expect(rename(folder.file("a.csv"), folder.file()) == 0)
    for _ in 0..<2 {
      let answer = try await service.get("/")
      #expect(answer.status == 503 && answer.text.contains("not a Cairn store"))
    }
    replace()
    #expect(try await count() == 3)
  }
}
