import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// OGC API – Features, Part 4.
@Suite(.tags(.threads)) struct ChangingTests {
  private static let token = "correct horse battery".replacingOccurrences(of: " ", with: "-")

  private static var options: ServiceOptions {
    var options = ServiceOptions()
    options.writeToken = token
    return options
  }

  private func send(
    _ method: String, _ target: String, _ body: String = "", to world: World,
    type: String = "application/geo+json", match: String? = nil, token: String? = Self.token
  ) async throws -> Answer {
    var headers: Headers = ["Content-Type": type]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    if let match { headers["If-Match"] = match }
    return try await world.service.get(target, headers: headers, method: method, body: body)
  }

  private func item(_ id: Int, of world: World) async throws -> [String: Any] {
    let answer = try await world.service.get("/collections/places/items/\(id)")
    #expect(answer.status == 200)
    return answer.json
  }

  private static let bern = """
    {"type":"Feature","id":100500,"geometry":{"type":"Point","coordinates":[7.45,46.95,540]},
    "properties":{"name":"Bern","population":133883,"area":51.6,
    "founded":"1191-01-01T06:00:00Z","isCapital":true}}
    """

  @Test func itemsAreCreated() async throws {
    let world = try World(rows: 20, options: Self.options)
    let answer = try await send("POST", "/collections/places/items", Self.bern, to: world)
    #expect(answer.status == 201 && answer.bytes.isEmpty, "\(answer.text)")
    let url = "http://127.0.0.1:8080/collections/places/items/100500"
    #expect(answer.response.headers["Location"] == url)
    let read = try await world.service.follow(url).json
    let properties = read["properties"] as? [String: Any] ?? [:]
    #expect(properties["name"] as? String == "Bern" && properties["area"] as? Double == 51.6)
    #expect(properties["population"] as? Int == 133_883 && properties["isCapital"] as? Bool == true)
    #expect(properties["founded"] as? String == "1191-01-01T06:00:00Z")
    let point = (read["geometry"] as? [String: Any])?["coordinates"] as? [Double]
    #expect(point == [7.45, 46.95, 540])
    let again = try await send("POST", "/collections/places/items", Self.bern, to: world)
    #expect(again.status == 409 && again.text.contains("already an item '100500'"))
    #expect(try world.store.snapshot().table("places")?.liveCount == 21)
  }

  /// A class without a primary key numbers its rows.
  @Test func polygonsWithoutAKeyAreCreated() async throws {
    let world = try World(rows: 0, options: Self.options)
    let shape = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
    let body = #"{"type":"Feature","geometry":\#(shape),"properties":{"owner":"Anna"}}"#
    let answer = try await send("POST", "/collections/parcels/items", body, to: world)
    let url = try #require(answer.response.headers["Location"])
    let read = try await world.service.follow(url).json
    let geometry = try JSONSerialization.data(
      withJSONObject: read["geometry"] ?? [:], options: .sortedKeys)
    #expect(
      String(decoding: geometry, as: UTF8.self)
        == #"{"coordinates":[[[0,0],[1,0],[1,1],[0,0]]],"type":"Polygon"}"#)
    let crossed = #"{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}"#
    let invalid = #"{"type":"Feature","geometry":\#(crossed),"properties":{}}"#
    let refusal = try await send("POST", "/collections/parcels/items", invalid, to: world)
    #expect(refusal.status == 400, "\(refusal.text)")
    #expect(try world.store.snapshot().table("parcels")?.liveCount == 6)
  }

  @Test func itemsAreReplaced() async throws {
    let world = try World(rows: 20, options: Self.options)
    let id = world.places[3].id
    let body = #"{"type":"Feature","id":\#(id),"geometry":null,"properties":{"name":"New"}}"#
    #expect(try await send("PUT", "/collections/places/items/\(id)", body, to: world).status == 204)
    let read = try await item(id, of: world)
    let properties = read["properties"] as? [String: Any] ?? [:]
    #expect(properties["name"] as? String == "New" && properties["area"] is NSNull)
    #expect(properties["population"] is NSNull && read["geometry"] is NSNull)
  }

  /// The service accepts its own responses back without a change.
  @Test func itemsSurviveTheirOwnRepresentation() async throws {
    let world = try World(rows: 40, options: Self.options)
    for place in world.places {
      let target = "/collections/places/items/\(place.id)"
      let before = try await world.service.get(target)
      let answer = try await send(
        "PUT", target, before.text, to: world, match: before.response.headers["ETag"])
      #expect(answer.status == 204, "\(answer.text)")
      let after = try await world.service.get(target)
      #expect(after.response.headers["ETag"] == before.response.headers["ETag"])
    }
  }

  @Test func someValuesAreUpdated() async throws {
    let world = try World(rows: 20, options: Self.options)
    let place = world.places[5]
    let answer = try await send(
      "PATCH", "/collections/places/items/\(place.id)",
      #"{"properties":{"population":7,"name":null}}"#, to: world,
      type: "application/merge-patch+json")
    #expect(answer.status == 204, "\(answer.text)")
    let properties = try await item(place.id, of: world)["properties"] as? [String: Any] ?? [:]
    #expect(properties["population"] as? Int == 7 && properties["name"] is NSNull)
    #expect(properties["area"] as? Double == place.area)
    #expect(properties["isCapital"] as? Bool == place.isCapital)
  }

  @Test func itemsAreDeleted() async throws {
    let world = try World(rows: 20, options: Self.options)
    let target = "/collections/places/items/\(world.places[0].id)"
    #expect(try await send("DELETE", target, to: world).status == 204)
    #expect(try await world.service.get(target).status == 404)
    #expect(try await send("DELETE", target, to: world).status == 404)
    #expect(try world.store.snapshot().table("places")?.liveCount == 19)
  }

  // MARK: Conditions

  @Test func aChangeOfAnotherClientIsNotOverwritten() async throws {
    let world = try World(rows: 20, options: Self.options)
    let target = "/collections/places/items/\(world.places[2].id)"
    let tag = try #require(try await world.service.get(target).response.headers["ETag"])
    #expect(!tag.hasPrefix("W/"))
    let patch = #"{"properties":{"population":77}}"#
    #expect(try await send("PATCH", target, patch, to: world, match: tag).status == 204)
    let late = try await send("DELETE", target, to: world, match: tag)
    #expect(late.status == 412 && late.text.contains("has changed"))
    let html = try await world.service.get(target, headers: ["Accept": "text/html"])
    #expect(
      try await send(
        "PATCH", target, patch, to: world, match: html.response.headers["ETag"]
      ).status == 204)
    #expect(try await send("DELETE", target, to: world, match: "*").status == 204)
  }

  /// The tag of an item changes only with the item.
  @Test func tagsOfItemsOutliveOtherChanges() async throws {
    let world = try World(rows: 20, options: Self.options)
    let target = "/collections/places/items/\(world.places[2].id)"
    let tag = try #require(try await world.service.get(target).response.headers["ETag"])
    try world.insert(5)
    let known = try await world.service.get(target, headers: ["If-None-Match": tag])
    #expect(known.status == 304)
    let packed = String(tag.dropLast()) + "-gzip\""
    #expect(
      try await world.service.get(target, headers: ["If-None-Match": packed]).status == 304)
  }

  @Test func manyClientsChangeItemsAtOnce() async throws {
    let world = try World(rows: 1, options: Self.options)
    let target = "/collections/places/items/\(world.places[0].id)"
    let service = world.service
    _ = try await send("PATCH", target, #"{"properties":{"population":0}}"#, to: world)
    @Sendable func increment() async throws {
      while true {
        let answer = try await service.get(target)
        let properties = answer.json["properties"] as? [String: Any]
        let count = properties?["population"] as? Int ?? 0
        let changed = try await service.get(
          target,
          headers: [
            "Authorization": "Bearer \(Self.token)", "Content-Type": "application/json",
            "If-Match": answer.response.headers["ETag"] ?? "",
          ], method: "PATCH", body: #"{"properties":{"population":\#(count + 1)}}"#)
        if changed.status == 204 { return }
        // A client whose turn does not come for long tries again as well.
        #expect([412, 503].contains(changed.status))
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<5 { try await increment() } } }
      try await group.waitForAll()
    }
    let properties = try await item(world.places[0].id, of: world)["properties"] as? [String: Any]
    #expect(properties?["population"] as? Int == 40)
  }

  // MARK: Refusals

  @Test func changesNeedTheToken() async throws {
    let world = try World(rows: 5, options: Self.options)
    let target = "/collections/places/items/\(world.places[0].id)"
    for token in [nil, "", "correct", Self.token + "x", String(Self.token.dropLast()) + "X"] {
      let answer = try await send("DELETE", target, to: world, token: token)
      #expect(answer.status == 401)
      #expect(answer.response.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
    }
    #expect(try world.store.snapshot().table("places")?.liveCount == 5)
  }

  @Test func aServiceWithoutATokenOnlyReads() async throws {
    let world = try World(rows: 5)
    let target = "/collections/places/items/\(world.places[0].id)"
    for (method, target) in [
      ("DELETE", target), ("PUT", target), ("PATCH", target), ("POST", "/collections/places/items"),
    ] {
      let answer = try await send(method, target, Self.bern, to: world)
      #expect(answer.status == 405)
      #expect(answer.response.headers["Allow"] == "GET, HEAD, OPTIONS")
    }
    let api = try await world.service.get("/api").text
    #expect(!api.contains("createFeature"))
  }

  @Test func theServiceSaysWhatItAllows() async throws {
    let world = try World(rows: 5, options: Self.options)
    let items = try await world.service.get("/collections/places/items", method: "OPTIONS")
    #expect(items.response.headers["Allow"] == "GET, HEAD, OPTIONS, POST")
    let item = try await world.service.get("/collections/places/items/1", method: "OPTIONS")
    #expect(item.response.headers["Allow"] == "GET, HEAD, OPTIONS, PUT, PATCH, DELETE")
    let api = try await world.service.get("/api").json
    let path = (api["paths"] as? [String: Any])?["/collections/{collectionId}/items"]
    #expect((path as? [String: Any])?["post"] != nil)
    #expect(
      try await world.service.get("/conformance").text.contains(
        "ogcapi-features-4/1.0/conf/create-replace-delete"))
    let wrong = try await send("POST", "/collections", Self.bern, to: world)
    #expect(wrong.status == 405)
  }

  @Test(arguments: [
    ("", "the body is not JSON"), ("[1]", "not a feature"), ("{\"type\":\"Feature\"", "not JSON"),
    (#"{"type":"Point"}"#, "has to be \"Feature\""),
    (#"{"type":"Feature","name":"x"}"#, "no member 'name'"),
    (#"{"type":"Feature","properties":[]}"#, "not an object"),
    (#"{"type":"Feature","properties":{"nam":"x"}}"#, "did you mean 'name'"),
    (#"{"type":"Feature","properties":{"name":5}}"#, "name: 5 is not a value of the type string"),
    (#"{"type":"Feature","properties":{"population":5.5}}"#, "population: 5.5 is not"),
    (#"{"type":"Feature","properties":{"founded":"soon"}}"#, "founded: 'soon' is not"),
    (#"{"type":"Feature","properties":{"location":null}}"#, "belongs in the member 'geometry'"),
    (#"{"type":"Feature","properties":{"name":"a","name":"b"}}"#, "there twice"),
    (#"{"type":"Feature","properties":{"id":6}}"#, "cannot change"),
    (#"{"type":"Feature","id":6}"#, "cannot change"),
    (#"{"type":"Feature","geometry":{"type":"Point","coordinates":[1]}}"#, "location: "),
    (#"{"type":"Feature","geometry":{"type":"Point","coordinates":[200,95]}}"#, "-90 to 90"),
    (#"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}"#, "point"),
  ])
  func badFeaturesAreRefused(body: String, message: String) async throws {
    let world = try World(rows: 5, options: Self.options)
    let before = try await world.service.get("/collections/places/items").text
    let target = "/collections/places/items/\(world.places[0].id)"
    let answer = try await send("PUT", target, body, to: world)
    #expect(answer.status == 400)
    let detail = answer.json["detail"] as? String ?? ""
    #expect(detail.contains(message), "\(detail)")
    let after = try await world.service.get("/collections/places/items").text
    #expect(after.drop { $0 != "[" } == before.drop { $0 != "[" })
  }

  @Test func badRequestsAreRefused() async throws {
    let world = try World(rows: 5, options: Self.options)
    let items = "/collections/places/items"
    let type = try await send("POST", items, Self.bern, to: world, type: "text/csv")
    #expect(type.status == 415)
    let parameters = try await send("POST", items + "?crs=EPSG:3857", Self.bern, to: world)
    #expect(parameters.status == 400)
    let noKey = #"{"type":"Feature","geometry":null,"properties":{}}"#
    let key = try await send("POST", items, noKey, to: world)
    #expect(key.status == 400 && key.text.contains("the id is missing"))
    let absent = try await send("PUT", items + "/99999999", noKey, to: world)
    #expect(absent.status == 404)
    #expect(try await send("POST", "/collections/none/items", noKey, to: world).status == 404)
    #expect(try world.store.snapshot().table("places")?.liveCount == 5)
  }
}
