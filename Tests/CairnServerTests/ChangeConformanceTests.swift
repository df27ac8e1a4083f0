import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The abstract tests of OGC API – Features, Part 4, under their names.
@Suite struct ChangeConformanceTests {
  private static let token = "a-token-for-conformance"
  private static let items = "/collections/places/items"
  private let world: World

  init() throws {
    var options = ServiceOptions()
    options.writeToken = Self.token
    world = try World(rows: 20, options: options)
  }

  private static func feature(
    _ id: Int?, name: String = "new", at place: [Double] = [7.5, 47]
  ) -> String {
    let member = id.map { "\"id\":\($0)," } ?? ""
    let properties = """
      {"name":"\(name)","population":5,"area":2.5,"founded":"2001-01-03T00:00:00Z","isCapital":true}
      """
    return """
      {"type":"Feature",\(member)"geometry":{"type":"Point","coordinates":\(place)},
      "properties":\(properties)}
      """
  }

  private func send(
    _ method: String, _ target: String, _ body: String = "", type: String? = "application/geo+json",
    headers more: [(String, String)] = []
  ) async throws -> Answer {
    var headers: Headers = ["Authorization": "Bearer \(Self.token)"]
    if let type { headers["Content-Type"] = type }
    for (name, value) in more { headers[name] = value }
    return try await world.service.get(target, headers: headers, method: method, body: body)
  }

  private func read(_ id: Int, _ query: String = "") async throws -> Answer {
    try await world.service.get("\(Self.items)/\(id)\(query)")
  }

  private func name(_ answer: Answer) -> String? {
    (answer.json["properties"] as? [String: Any])?["name"] as? String
  }

  private func place(_ answer: Answer) -> [Double] {
    (answer.json["geometry"] as? [String: Any])?["coordinates"] as? [Double] ?? []
  }

  private var known: Int { world.places[3].id }

  // MARK: create-replace-delete

  @Test("/conf/create-replace-delete/options, /conf/update/options") func options() async throws {
    let all = try await world.service.get(Self.items, method: "OPTIONS")
    #expect(all.status == 200)
    #expect(all.response.headers["Allow"]?.contains("POST") == true)
    #expect(all.response.headers["Accept-Post"]?.contains("application/geo+json") == true)
    let one = try await world.service.get("\(Self.items)/\(known)", method: "OPTIONS")
    #expect(one.status == 200)
    for method in ["PUT", "PATCH", "DELETE"] {
      #expect(one.response.headers["Allow"]?.contains(method) == true)
    }
    let types = one.response.headers["Accept-Patch"] ?? ""
    #expect(types.contains("application/merge-patch+json"))
  }

  @Test("/conf/create-replace-delete/create") func create() async throws {
    let before = Set(world.places.map(\.id))
    let answer = try await send("POST", Self.items, Self.feature(200_001))
    #expect(answer.status == 201)
    let url = try #require(answer.response.headers["Location"])
    #expect(url.hasSuffix("/200001") && !before.contains(200_001))
    let item = try await world.service.follow(url)
    #expect(item.status == 200 && item.json["id"] as? Int == 200_001 && name(item) == "new")
    #expect(place(item) == [7.5, 47])
    // A class without a primary key chooses the identifier.
    let note = #"{"type":"Feature","geometry":null,"properties":{"text":"four"}}"#
    let second = try await send("POST", "/collections/notes/items", note)
    #expect(second.status == 201)
    let own = try #require(second.response.headers["Location"])
    #expect(try await world.service.follow(own).text.contains("\"four\""))
  }

  @Test("/conf/create-replace-delete/create-content-type, replace-content-type")
  func contentType() async throws {
    for (method, target) in [("POST", Self.items), ("PUT", "\(Self.items)/\(known)")] {
      let answer = try await send(method, target, Self.feature(nil), type: nil)
      #expect(answer.status == 400 && answer.text.contains("Content-Type"))
    }
  }

  @Test("/conf/create-replace-delete/replace") func replace() async throws {
    let target = "\(Self.items)/\(known)"
    #expect(try await send("PUT", target, Self.feature(nil, name: "replaced")).status == 204)
    let item = try await read(known)
    #expect(item.status == 200 && name(item) == "replaced" && place(item) == [7.5, 47])
  }

  @Test("/conf/create-replace-delete/replace-rid, /conf/update/update-rid, /conf/features/geojson")
  func otherIdentifiers() async throws {
    let other = world.places[4].id
    let before = try await read(other).json as NSDictionary
    let own = try await read(known).json as NSDictionary
    for method in ["PUT", "PATCH"] {
      let answer = try await send(method, "\(Self.items)/\(known)", Self.feature(other))
      #expect(answer.status == 400 && answer.text.contains("cannot change"))
    }
    #expect(try await read(other).json as NSDictionary == before)
    #expect(try await read(known).json as NSDictionary == own)
  }

  @Test("/conf/create-replace-delete/replace-exceptions") func missingItems() async throws {
    let target = "\(Self.items)/999999"
    #expect(try await send("PUT", target, Self.feature(nil)).status == 404)
    let match = [("If-Match", "\"xyz\"")]
    #expect(try await send("PUT", target, Self.feature(nil), headers: match).status == 404)
    #expect(try await read(999_999).status == 404)
  }

  @Test("/conf/create-replace-delete/delete") func delete() async throws {
    #expect(try await send("DELETE", "\(Self.items)/\(known)").status == 204)
    #expect(try await read(known).status == 404)
  }

  // MARK: update

  @Test("/conf/update/update, /conf/features/json-merge-patch") func update() async throws {
    let target = "\(Self.items)/\(known)"
    #expect(try await send("PUT", target, Self.feature(nil)).status == 204)
    let patch = """
      {"geometry":{"type":"Point","coordinates":[8,46]},"properties":{"name":"x","area":null}}
      """
    let type = "application/merge-patch+json"
    #expect(try await send("PATCH", target, patch, type: type).status == 204)
    let item = try await read(known)
    let properties = item.json["properties"] as? [String: Any] ?? [:]
    #expect(name(item) == "x" && properties["area"] is NSNull && place(item) == [8, 46])
    #expect(properties["population"] as? Int == 5 && properties["isCapital"] as? Bool == true)
    let id = try await send("PATCH", target, #"{"properties":{"id":7777}}"#, type: type)
    #expect(id.status == 400 && id.text.contains("cannot change"))
  }

  @Test("/conf/update/update-content-type") func updateContentType() async throws {
    let answer = try await send("PATCH", "\(Self.items)/\(known)", "{}", type: nil)
    #expect(answer.status == 400)
  }

  // MARK: features

  @Test("/conf/features/endpoints") func endpoints() async throws {
    let collections = try await world.service.get("/collections").json["collections"]
    for collection in collections as? [[String: Any]] ?? [] {
      let name = try #require(collection["id"] as? String)
      for feature in try await world.service.get("/collections/\(name)/items").features {
        let id = try #require(feature["id"])
        let options = try await world.service.get(
          "/collections/\(name)/items/\(id)", method: "OPTIONS")
        #expect(options.response.headers["Allow"]?.contains("PATCH") == true)
      }
    }
  }

  /// The features of one request and of another one in a different system are at the same place.
  @Test(
    "/conf/features/crs",
    arguments: [
      ("http://www.opengis.net/def/crs/EPSG/0/4326", [47, 7.5]),
      ("http://www.opengis.net/def/crs/EPSG/0/3857", [834_896.1811690588, 5_942_074.072431108]),
    ])
  func coordinateSystems(system: String, place: [Double]) async throws {
    #expect(try await send("POST", Self.items, Self.feature(200_001)).status == 201)
    for header in ["<\(system)>", system] {
      let answer = try await send(
        "PUT", "\(Self.items)/\(known)", Self.feature(nil, at: place),
        headers: [("Content-Crs", header)])
      #expect(answer.status == 204, "\(answer.text)")
      let (first, second) = (
        self.place(try await read(200_001, "?crs=\(system)")),
        self.place(try await read(known, "?crs=\(system)"))
      )
      #expect(zip(first, second).allSatisfy { abs($0 - $1) < 0.02 }, "\(first) \(second)")
      #expect(zip(first, place).allSatisfy { abs($0 - $1) < 0.02 }, "\(first)")
    }
    let polygon = """
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":
      [[[47,7],[47,8],[48,8],[47,7]]]},"properties":{"owner":"x"}}
      """
    let north = [("Content-Crs", "<http://www.opengis.net/def/crs/EPSG/0/4326>")]
    let parcel = try await send("POST", "/collections/parcels/items", polygon, headers: north)
    let url = try #require(parcel.response.headers["Location"])
    #expect(try await world.service.follow(url).text.contains("[8.0,47.0]"))
    for wrong in ["http://www.opengis.net/def/crs/OGC/0/none", "x"] {
      let answer = try await send(
        "POST", Self.items, Self.feature(200_002), headers: [("Content-Crs", wrong)])
      #expect(answer.status == 400 && answer.text.contains("Content-Crs"))
    }
    #expect(try await read(200_002).status == 404)
  }

  @Test("/conf/features/schema, /conf/returnables-and-receivables/response-2")
  func schema() async throws {
    let schema = try await world.service.get("/collections/places/schema")
    #expect(schema.json["additionalProperties"] as? Bool == false)
    #expect(try await send("POST", Self.items, Self.feature(200_001)).status == 201)
    let more = Self.feature(200_002).replacing("\"name\"", with: "\"surplus\":1,\"name\"")
    #expect(try await send("POST", Self.items, more).status == 400)
    let wrong = Self.feature(200_002).replacing("\"population\":5", with: "\"population\":\"x\"")
    #expect(try await send("PUT", "\(Self.items)/\(known)", wrong).status == 400)
  }

  // MARK: optimistic-locking-etags

  @Test("/conf/optimistic-locking-etags/get-etag, replace, update") func tags() async throws {
    let target = "\(Self.items)/\(known)"
    let before = try await read(known)
    var tag = try #require(before.response.headers["ETag"])
    #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
    for (method, number) in [("PUT", 1), ("PATCH", 2)] {
      let body = Self.feature(nil, name: "changed \(number)")
      let wrong = try await send(method, target, body, headers: [("If-Match", "\"0\"")])
      #expect(wrong.status == 412)
      #expect(try await read(known).response.headers["ETag"] == tag)
      let right = try await send(method, target, body, headers: [("If-Match", tag)])
      #expect(right.status == 204)
      let next = try #require(right.response.headers["ETag"])
      #expect(next != tag)
      // The tag is that of the item as it is now.
      #expect(try await read(known).response.headers["ETag"] == next)
      tag = next
      #expect(try await send(method, target, body).status == 204)
    }
    let created = try await send("POST", Self.items, Self.feature(200_001))
    #expect(try await read(200_001).response.headers["ETag"] == created.response.headers["ETag"])
  }

  @Test("/conf/optimistic-locking-etags/delete") func tagsOfDeletions() async throws {
    let target = "\(Self.items)/\(known)"
    let tag = try #require(try await read(known).response.headers["ETag"])
    #expect(try await send("DELETE", target, headers: [("If-Match", "\"0\"")]).status == 412)
    #expect(try await read(known).status == 200)
    #expect(try await send("DELETE", target, headers: [("If-Match", tag)]).status == 204)
    #expect(try await read(known).status == 404)
    #expect(try await send("DELETE", "\(Self.items)/\(world.places[5].id)").status == 204)
  }
}
