import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The abstract tests of OGC API – Features, Part 5, and of Part 2, under their names.
@Suite struct SchemaConformanceTests {
  private let world: World
  private var service: Service { world.service }
  private static let names = ["notes", "parcels", "places"]

  init() throws { world = try World(rows: 150) }

  private func schema(_ name: String, _ kind: String = "schema") async throws -> Answer {
    try await service.get(
      "/collections/\(name)/\(kind)", headers: ["Accept": "application/schema+json"])
  }

  private func properties(_ answer: Answer) -> [String: [String: Any]] {
    answer.json["properties"] as? [String: [String: Any]] ?? [:]
  }

  private static let keywords: Set = [
    "title", "type", "format", "readOnly", "x-ogc-role", "x-ogc-propertySeq",
  ]

  // MARK: schemas

  @Test(
    "/conf/schemas/basic-schema-inspection, role, role-id, property-seq, unit, definition, nullvalues"
  )
  func inspection() async throws {
    for name in Self.names {
      for kind in ["schema", "queryables", "sortables"] {
        let answer = try await schema(name, kind)
        #expect(answer.status == 200)
        #expect(answer.response.headers["Content-Type"] == "application/schema+json")
        let own = "https://json-schema.org/draft/2020-12/schema"
        #expect(answer.json["$schema"] as? String == own)
        let id = try #require(answer.json["$id"] as? String)
        #expect(id == "http://127.0.0.1:8080/collections/\(name)/\(kind)")
        #expect(try await service.follow(id).status == 200)
        #expect(answer.json["type"] as? String == "object")
        for property in properties(answer).values {
          let isShape = (property["format"] as? String)?.hasPrefix("geometry-") == true
          #expect((property["type"] != nil) != isShape && property["$ref"] == nil)
          // Neither units nor definitions nor null values are given.
          #expect(Set(property.keys).isSubset(of: Self.keywords))
          #expect(property["x-ogc-role"] == nil || property["x-ogc-role"] is String)
          #expect(property["x-ogc-propertySeq"] is Int)
        }
      }
      let identifiers = properties(try await schema(name)).values.filter {
        $0["x-ogc-role"] as? String == "id"
      }
      #expect(identifiers.count == 1)
      #expect(["string", "integer"].contains(identifiers.first?["type"] as? String))
    }
  }

  @Test("/conf/advanced-property-roles/role-primary-geometry, role-primary-temporal, role-type")
  func roles() async throws {
    for name in Self.names {
      let all = properties(try await schema(name)).values
      let shapes = all.filter { ($0["format"] as? String)?.hasPrefix("geometry-") == true }
      let primary = all.filter { $0["x-ogc-role"] as? String == "primary-geometry" }
      #expect(primary.count == min(1, shapes.count))
      for property in primary { #expect(property["type"] == nil && property["format"] != nil) }
      let instants = all.filter { $0["x-ogc-role"] as? String == "primary-instant" }
      #expect(instants.count == (name == "places" ? 1 : 0))
      for property in instants { #expect(property["format"] as? String == "date-time") }
      #expect(!all.contains { $0["x-ogc-role"] as? String == "type" })
    }
  }

  // MARK: returnables-and-receivables, queryables, sortables

  @Test(
    "/conf/returnables-and-receivables, queryables, sortables: get-conformance, link, op-and-response"
  )
  func resources() async throws {
    let classes = try await service.get("/conformance").json["conformsTo"] as? [String] ?? []
    for name in [
      "schemas", "core-roles-features", "returnables-and-receivables", "queryables", "sortables",
    ] {
      #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/\(name)"))
    }
    for name in Self.names {
      let collection = try await service.get("/collections/\(name)")
      for kind in ["schema", "queryables", "sortables"] {
        let href = collection.link("http://www.opengis.net/def/rel/ogc/1.0/\(kind)")
        #expect(href == "http://127.0.0.1:8080/collections/\(name)/\(kind)")
      }
      for property in properties(try await schema(name, "sortables")).values {
        let type = try #require(property["type"] as? String)
        #expect(!["array", "object"].contains(type))
      }
    }
  }

  @Test("/conf/returnables-and-receivables/response-1") func featuresFitTheSchema() async throws {
    for name in Self.names {
      let answer = try await schema(name)
      let properties = properties(answer)
      #expect(answer.json["additionalProperties"] as? Bool == false)
      for feature in try await service.get("/collections/\(name)/items").features {
        let role = properties.values.first { $0["x-ogc-role"] as? String == "id" }
        #expect(fits(feature["id"] ?? NSNull(), role?["type"]))
        for (key, value) in feature["properties"] as? [String: Any] ?? [:] {
          let property = try #require(properties[key], "\(key)")
          #expect(value is NSNull || fits(value, property["type"]), "\(key): \(value)")
        }
      }
    }
  }

  private func fits(_ value: Any, _ type: Any?) -> Bool {
    switch type as? String {
    case "integer": (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } ?? false
    case "number", "boolean": value is NSNumber
    case "string": value is String
    default: false
    }
  }

  // MARK: Part 2

  @Test("/conf/crs/crs-uri, default-crs, storageCrs") func systems() async throws {
    let answer = try await service.get("/collections")
    for collection in answer.json["collections"] as? [[String: Any]] ?? [] {
      let systems = try #require(collection["crs"] as? [String])
      #expect(systems.first == "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
      for system in systems {
        #expect(
          system.wholeMatch(of: /http:\/\/www\.opengis\.net\/def\/crs\/\w+\/[\w.]+\/\w+/) != nil)
      }
      #expect(systems.contains(collection["storageCrs"] as? String ?? ""))
    }
  }

  @Test("/conf/crs/bbox-crs-parameter, bbox-crs-parameter-default, bbox-crs-parameter-invalid")
  func boxes() async throws {
    let items = "/collections/places/items?limit=1000&bbox="
    let expected = try await service.get(items + "-60,-30,60,50").ids
    #expect(!expected.isEmpty && expected.count < 150)
    let crs84 = "&bbox-crs=http://www.opengis.net/def/crs/OGC/1.3/CRS84"
    #expect(try await service.get(items + "-60,-30,60,50" + crs84).ids == expected)
    let north = "&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326"
    #expect(try await service.get(items + "-30,-60,50,60" + north).ids == expected)
    let invalid = "&bbox-crs=http://www.opengis.net/def/crs/OGC/0/none"
    #expect(try await service.get(items + "-60,-30,60,50" + invalid).status == 400)
  }

  @Test(
    "/conf/crs/crs-parameter, crs-parameter-default, crs-parameter-invalid, crs-parameter-transform"
  )
  func transformations() async throws {
    for target in ["/collections/places/items", "/collections/places/items/7"] {
      let plain = try await service.get(target)
      let crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
      #expect(plain.response.headers["Content-Crs"] == "<\(crs84)>")
      #expect(
        try await service.get(target + "?crs=\(crs84)").response.headers["Content-Crs"]
          == "<\(crs84)>")
      let north = "http://www.opengis.net/def/crs/EPSG/0/4326"
      let swapped = try await service.get(target + "?crs=\(north)")
      #expect(swapped.response.headers["Content-Crs"] == "<\(north)>")
      let expected = places(plain).map { $0.map { [$0[1], $0[0]] } }
      #expect(places(swapped).map { $0?.count } == expected.map { $0?.count })
      for (found, place) in zip(places(swapped), expected) {
        #expect(zip(found ?? [], place ?? []).allSatisfy { abs($0 - $1) < 1e-9 })
      }
      #expect(
        try await service.get(target + "?crs=http://www.opengis.net/def/crs/OGC/0/none").status
          == 400)
    }
  }

  private func places(_ answer: Answer) -> [[Double]?] {
    let features = answer.features.isEmpty ? [answer.json] : answer.features
    return features.map { ($0["geometry"] as? [String: Any])?["coordinates"] as? [Double] }
  }
}
