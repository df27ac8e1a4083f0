import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// Requests that are wrong, and the choice of representations.
@Suite(.tags(.untrusted)) struct RequestTests {
  @Test(arguments: [
    ("/nothing", 404, "there is no resource '/nothing'"),
    ("/collection", 404, "there is no resource"),
    ("/collections/place", 404, "there is no collection 'place'; did you mean 'places'?"),
    ("/collections/places/items/0", 404, "there is no item '0'"),
    ("/collections/places/items/x", 404, "there is no item 'x'"),
    ("/collections/notes/items/99", 404, "there is no item '99'"),
    ("/collections/places/other", 404, "there is no resource"),
    ("/%zz", 400, "percent sign"), ("/%ff", 400, "percent sign"), ("/%00", 400, "percent sign"),
    ("/?a=%", 400, "percent sign"), ("/?x=1", 400, "there is no parameter 'x'"),
    ("/collections/places?x=1", 400, "there is no parameter 'x'"),
    ("/collections/places/items/7?bbox=1", 400, "there is no parameter 'bbox'"),
    ("/?f=json&f=html", 400, "the parameter 'f' is given twice"),
    ("/?f=xml", 400, "this resource offers json, html"),
    ("/collections/places/items?limit=0", 400, "limit: must be at least 1, found '0'"),
    ("/collections/places/items?limit=-1", 400, "limit:"),
    ("/collections/places/items?limit=", 400, "limit:"),
    ("/collections/places/items?limit=x", 400, "limit:"),
    ("/collections/places/items?bbox=1,2,3", 400, "bbox: expected four or six numbers"),
    ("/collections/places/items?bbox=1,2,3,x", 400, "bbox: expected four or six numbers"),
    ("/collections/places/items?bbox=1,2,3,", 400, "bbox: expected four or six numbers"),
    ("/collections/places/items?bbox=nan,2,3,4", 400, "bbox: expected four or six numbers"),
    ("/collections/places/items?bbox=1,5,3,4", 400, "bbox: the southern edge 5.0"),
    ("/collections/places/items?bbox-crs=EPSG:1&bbox=1,2,3,4", 400, "bbox-crs: 'EPSG:1'"),
    ("/collections/places/items?crs=EPSG:1", 400, "crs: 'EPSG:1' is not one of"),
    ("/collections/places/items?datetime=today", 400, "datetime: 'today' is not a date"),
    ("/collections/places/items?datetime=a/b/c", 400, "datetime: expected an instant"),
    ("/collections/places/items?datetime=2002-01-01/2001-01-01", 400, "ends before it begins"),
    ("/collections/places/items?nam=Bern", 400, "no property 'nam'; did you mean 'name'?"),
    ("/collections/places/items?population=x", 400, "'x' is not a value of the type int"),
    ("/collections/places/items?location=x", 400, "no property 'location'"),
    ("/collections/places/items?sortby=nothing", 400, "sortby: 'places' has no property"),
    ("/collections/places/items?sortby=location", 400, "sortby:"),
    ("/collections/places/items?sortby=", 400, "sortby:"),
    ("/collections/places/items?properties=x", 400, "properties: 'places' has no property"),
    ("/collections/places/items?cursor=x", 400, "cursor: follow the link"),
    ("/collections/places/items?cursor=!!", 400, "cursor: follow the link"),
    ("", 404, "there is no resource"),
  ])
  func mistakesAreExplained(target: String, status: Int, message: String) async throws {
    let world = try World(rows: 5)
    let answer = try await world.service.get(target)
    #expect(answer.status == status, "\(answer.text)")
    #expect(answer.response.headers["Content-Type"] == "application/problem+json")
    #expect(answer.json["status"] as? Int == status)
    let detail = answer.json["detail"] as? String ?? ""
    #expect(detail.contains(message), "\(detail)")
    let page = try await world.service.get(target, headers: ["Accept": "text/html"])
    #expect(page.status == status && page.text.contains("<!DOCTYPE html>"))
  }

  @Test func aCursorOfAnotherFileIsRefused() async throws {
    let world = try World(rows: 5)
    let cursor = PageCursor(file: 1, key: 2, values: [])
    let answer = try await world.service.get("/collections/places/items?cursor=\(cursor.text)")
    #expect(answer.status == 400 && answer.text.contains("compacted"))
  }

  @Test func cursorsAreReadBack() throws {
    let cursor = PageCursor(
      file: .max, key: 123_456, values: [.null, .string("ä"), .double(.nan), .int(-5)])
    let read = try #require(PageCursor(cursor.text))
    #expect(read.file == cursor.file && read.key == cursor.key && read.values == cursor.values)
  }

  @Test func longRequestsAreRefused() async throws {
    let world = try World(rows: 0)
    let long = "/?" + String(repeating: "a", count: 20_000)
    #expect(try await world.service.get(long).status == 414)
    let body = [UInt8](repeating: 0, count: 2 << 20)
    let response = await world.service.respond(to: Request(target: "/", body: body))
    #expect(response.status == 413)
  }

  @Test func otherMethodsAreRefused() async throws {
    let world = try World(rows: 0)
    for method in ["POST", "PUT", "DELETE", "PATCH", "x", ""] {
      let answer = try await world.service.get("/", method: method)
      #expect(answer.status == 405)
      #expect(answer.response.headers["Allow"] == "GET, HEAD, OPTIONS")
    }
    let options = try await world.service.get("/", method: "OPTIONS")
    #expect(options.status == 200 && options.bytes.isEmpty)
    #expect(options.response.headers["Access-Control-Allow-Methods"] == nil)
    let head = try await world.service.get("/collections", method: "HEAD")
    #expect(head.status == 200 && head.bytes.isEmpty)
    #expect(head.response.headers["Content-Type"] == "application/json")
  }

  @Test func theAnswerToHeadHasTheHeadersOfGet() async throws {
    let world = try World(rows: 9000)
    for headers in [[:], ["Accept-Encoding": "gzip"]] as [Headers] {
      let get = try await world.service.get("/collections", headers: headers)
      let head = try await world.service.get("/collections", headers: headers, method: "HEAD")
      #expect(head.bytes.isEmpty)
      #expect(head.response.headers["Content-Length"] == String(get.bytes.count))
      let encoding = get.response.headers["Content-Encoding"]
      #expect(head.response.headers["Content-Encoding"] == encoding)
    }
    let missing = try await world.service.get("/nothing", method: "HEAD")
    #expect(missing.status == 404 && missing.bytes.isEmpty)
    #expect(missing.response.headers["Content-Length"] != "0")
    // The length of what is written while it is sent is not known.
    let long = try await world.service.get(
      "/collections/places/items?limit=9000", method: "HEAD")
    #expect(long.status == 200 && long.response.headers["Content-Length"] == nil)
    let tag = try #require(long.response.headers["ETag"])
    let known = try await world.service.get(
      "/collections/places/items?limit=9000", headers: ["If-None-Match": tag], method: "HEAD")
    #expect(known.status == 304 && known.response.headers["Content-Length"] == nil)
  }

  @Test func errorsVaryToo() async throws {
    let world = try World(rows: 0)
    for target in ["/", "/nothing", "/?x=1"] {
      let answer = try await world.service.get(target, headers: ["Accept": "text/html"])
      #expect(answer.response.headers["Vary"] == "Accept, Accept-Encoding")
      #expect(answer.response.headers["Cache-Control"] == "no-cache")
      // The page for people has relative addresses.
      let home = target == "/" ? "explorer/main.js" : "http://127.0.0.1:8080/?f=html"
      #expect(answer.text.contains(home), "\(answer.text)")
    }
  }

  @Test(arguments: [
    ("/", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
    ("/", "*/*", "application/json"), ("/", "", "application/json"),
    ("/collections/places/items", "application/geo+json", "application/geo+json"),
    ("/collections/places/items", "application/json", "application/geo+json"),
    (
      "/collections/places/items", "text/csv;q=0.9, text/html;q=0.1",
      "text/csv; charset=utf-8; header=present"
    ),
    ("/api", "application/json", "application/vnd.oai.openapi+json;version=3.0"),
    ("/api", "text/*", "text/html; charset=utf-8"),
    ("/collections/places/schema", "application/schema+json", "application/schema+json"),
    ("/", "text/html;q=0, */*", "application/json"),
    ("/", "image/png", "application/problem+json"),
  ])
  func acceptChoosesTheRepresentation(target: String, accept: String, type: String) async throws {
    let world = try World(rows: 1)
    let answer = try await world.service.get(target, headers: ["Accept": accept])
    #expect(answer.response.headers["Content-Type"] == type)
    #expect(answer.status == (type == "application/problem+json" ? 406 : 200))
  }

  @Test func aKnownTagSavesTheBody() async throws {
    let world = try World(rows: 5)
    let target = "/collections/places/items"
    let first = try await world.service.get(target)
    let tag = try #require(first.response.headers["ETag"])
    for known in [tag, "\"x\", \(tag)", String(tag.dropFirst(2))] {
      let again = try await world.service.get(target, headers: ["If-None-Match": known])
      #expect(again.status == 304 && again.bytes.isEmpty)
      #expect(again.response.headers["ETag"] == tag)
    }
    let html = try await world.service.get(
      target + "?f=html", headers: ["If-None-Match": tag])
    #expect(html.status == 200)
    // Another service may have other options.
    let other = try Service(path: world.folder.file())
    #expect(try await other.get(target, headers: ["If-None-Match": tag]).status == 200)
    try world.insert(1)
    let after = try await world.service.get(target, headers: ["If-None-Match": tag])
    #expect(after.status == 200 && after.ids.count == 6)
  }

  @Test func gzipIsSentToThoseWhoAcceptIt() async throws {
    let world = try World(rows: 9000)
    for limit in [100, 9000] {
      let target = "/collections/places/items?limit=\(limit)"
      let plain = try await world.service.get(target)
      let packed = try await world.service.get(
        target, headers: ["Accept-Encoding": "deflate, gzip;q=0.5"])
      #expect(packed.response.headers["Content-Encoding"] == "gzip")
      #expect(packed.bytes.count < plain.bytes.count / 3)
      let file = try world.folder.write(packed.bytes, as: "page.gz")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["gzip", "-d", "-f", file]
      try process.run()
      process.waitUntilExit()
      let unpacked = Answer(
        response: packed.response,
        bytes: Array(
          try Data(
            contentsOf: world.folder.url.appendingPathComponent("page"))))
      #expect(unpacked.ids == plain.ids && plain.ids.count == limit)
    }
    for header in ["", "br", "gzip;q=0", "identity"] {
      let answer = try await world.service.get(
        "/collections/places/items", headers: ["Accept-Encoding": header])
      #expect(answer.response.headers["Content-Encoding"] == nil)
    }
  }

  @Test func otherSitesAreAllowedByOption() async throws {
    let plain = try World(rows: 0)
    let closed = try await plain.service.get("/")
    #expect(closed.response.headers["Access-Control-Allow-Origin"] == nil)
    var options = ServiceOptions()
    options.allowedOrigin = "*"
    let world = try World(rows: 0, options: options)
    let service = world.service
    #expect(try await service.get("/").response.headers["Access-Control-Allow-Origin"] == "*")
    let preflight = try await service.get("/", method: "OPTIONS")
    #expect(preflight.response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS")
    #expect(try await service.get("/x").response.headers["Access-Control-Allow-Origin"] == "*")
  }

  @Test func linksBeginWithTheBase() async throws {
    let forwarded: Headers = [
      "Host": "inner:80", "X-Forwarded-Host": "maps.example.org, other",
      "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/geo/",
    ]
    func base(
      _ source: ServiceOptions.BaseSource, _ headers: Headers
    ) async throws -> String? {
      var options = ServiceOptions()
      options.baseSource = source
      let world = try World(rows: 0, options: options)
      return try await world.service.get("/", headers: headers).link("data")
    }
    #expect(try await base(.fixed, forwarded) == "http://127.0.0.1:8080/collections")
    #expect(try await base(.host, forwarded) == "http://inner:80/collections")
    #expect(
      try await base(.forwarded, forwarded) == "https://maps.example.org/geo/collections")
    #expect(try await base(.host, ["Host": "a\"><x"]) == "http://127.0.0.1:8080/collections")
    #expect(
      try await base(
        .forwarded, ["X-Forwarded-Host": "h", "X-Forwarded-Prefix": "//evil"])
        == "http://h/collections")
  }

  @Test func aFileThatIsNoStoreIsRefused() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ServiceError.self) { try Service(path: folder.file()) }
    try folder.write(Array("name,lat,lon\n".utf8), as: "a.csv")
    #expect(throws: ServiceError.self) { try Service(path: folder["a.csv"]) }
  }
}
