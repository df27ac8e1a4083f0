import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The abstract tests of OGC API – Features, Part 1, under their names. They run without a network,
/// so those of the transport are in `ServerProcessTests`.
@Suite struct ConformanceTests {
  private let world: World
  private var service: Service { world.service }

  init() throws { world = try World(rows: 150) }

  private func requireLinks(_ answer: Answer) {
    #expect(!answer.links.isEmpty)
    for link in answer.links {
      #expect((link["href"] as? String)?.hasPrefix("http://127.0.0.1:8080/") == true)
      #expect(link["rel"] is String && link["type"] is String)
    }
  }

  // MARK: core

  @Test("/conf/core/root-op, root-success") func root() async throws {
    let answer = try await service.get("/")
    #expect(answer.status == 200)
    requireLinks(answer)
    for rel in ["self", "alternate", "service-desc", "service-doc", "conformance", "data"] {
      let href = try #require(answer.link(rel))
      #expect(try await service.follow(href).status == 200)
    }
  }

  @Test("/conf/core/api-definition-op, api-definition-success") func definition() async throws {
    let href = try #require(try await service.get("/").link("service-desc"))
    let answer = try await service.follow(href)
    #expect(
      answer.response.headers["Content-Type"] == "application/vnd.oai.openapi+json;version=3.0")
  }

  @Test("/conf/core/conformance-op, conformance-success") func conformance() async throws {
    let answer = try await service.get("/conformance")
    let classes = answer.json["conformsTo"] as? [String] ?? []
    for name in ["core", "oas30", "html", "geojson"] {
      #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/\(name)"))
    }
  }

  @Test("/conf/core/fc-md-op, fc-md-success, fc-md-items, fc-md-links, fc-md-items-links")
  func collections() async throws {
    let answer = try await service.get("/collections")
    requireLinks(answer)
    #expect(answer.link("self") != nil && answer.link("alternate") != nil)
    let collections = answer.json["collections"] as? [[String: Any]] ?? []
    #expect(collections.map { $0["id"] as? String } == ["notes", "parcels", "places"])
    for collection in collections {
      let links = collection["links"] as? [[String: Any]] ?? []
      let items = links.filter { $0["rel"] as? String == "items" }
      #expect(Set(items.compactMap { $0["type"] as? String }).count == 4)
      for link in links {
        let href = try #require(link["href"] as? String)
        let found = try await service.follow(href)
        #expect(found.status == 200)
        let type = found.response.headers["Content-Type"] ?? ""
        #expect(type.hasPrefix(link["type"] as? String ?? "?"))
      }
    }
  }

  @Test("/conf/core/fc-md-extent, sfc-md-op, sfc-md-success") func extent() async throws {
    let answer = try await service.get("/collections/places")
    #expect(answer.link("self") != nil && answer.link("items") != nil)
    let extent = answer.json["extent"] as? [String: Any] ?? [:]
    let box = ((extent["spatial"] as? [String: Any])?["bbox"] as? [[Double]])?.first ?? []
    let interval =
      ((extent["temporal"] as? [String: Any])?["interval"] as? [[String]])?.first ?? []
    #expect(box.count == 4 && interval.count == 2)
    for location in world.places.compactMap(\.location) {
      #expect(box[0] <= location.longitude && location.longitude <= box[2])
      #expect(box[1] <= location.latitude && location.latitude <= box[3])
    }
    #expect(interval == ["2001-01-01T00:00:00Z", "2001-01-20T00:00:00Z"])
    let crs = answer.json["crs"] as? [String] ?? []
    #expect(crs.first == "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
  }

  @Test(
    "/conf/core/fc-op, fc-response, fc-links, fc-timeStamp, fc-numberMatched, fc-numberReturned")
  func items() async throws {
    let start = Date()
    let answer = try await service.get("/collections/places/items?limit=10")
    #expect(answer.response.headers["Content-Type"] == "application/geo+json")
    #expect(answer.json["type"] as? String == "FeatureCollection")
    requireLinks(answer)
    #expect(answer.link("self") == "http://127.0.0.1:8080/collections/places/items?limit=10")
    #expect(answer.link("alternate")?.hasSuffix("items?limit=10&f=html") == true)
    let time = try #require(answer.json["timeStamp"] as? String)
    let date = try #require(ISO8601DateFormatter().date(from: time))
    // The time has whole seconds.
    #expect((start - 1...Date()).contains(date))
    #expect(answer.json["numberMatched"] as? Int == 150)
    #expect(answer.json["numberReturned"] as? Int == answer.features.count)
    for feature in answer.features {
      #expect(feature["type"] as? String == "Feature")
      #expect(feature["geometry"] != nil && feature["properties"] is [String: Any])
    }
  }

  @Test("/conf/core/fc-limit-response") func limit() async throws {
    for (limit, count) in [(1, 1), (149, 149), (151, 150), (10_001, 150)] {
      let answer = try await service.get("/collections/places/items?limit=\(limit)")
      #expect(answer.features.count == count)
    }
    let huge = try await service.get(
      "/collections/places/items?limit=99999999999999999999999999999")
    #expect(huge.features.count == 150)
    #expect(try await service.get("/collections/places/items").features.count == 100)
  }

  @Test("/conf/core/f-op, f-success, f-links") func item() async throws {
    let answer = try await service.get("/collections/places/items/7")
    #expect(answer.response.headers["Content-Type"] == "application/geo+json")
    #expect(answer.json["type"] as? String == "Feature" && answer.json["id"] as? Int == 7)
    requireLinks(answer)
    for rel in ["self", "alternate", "collection"] {
      let href = try #require(answer.link(rel))
      #expect(try await service.follow(href).status == 200)
    }
  }

  @Test("/conf/core/query-param-unknown, query-param-invalid, http") func parameters() async throws
  {
    #expect(try await service.get("/collections/places/items?unknown=1").status == 400)
    #expect(try await service.get("/collections/places/items?limit=x").status == 400)
    #expect(try await service.get("/collections?unknown=1").status == 400)
    #expect(try await service.get("/unknown").status == 404)
  }

  @Test("/conf/core/crs84") func crs84() async throws {
    let answer = try await service.get("/collections/places/items")
    #expect(
      answer.response.headers["Content-Crs"] == "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>")
  }

  // MARK: oas30, html

  @Test("/conf/oas30/completeness, definition-1, definition-2, exception-codes, oas-impl")
  func openAPI() async throws {
    let answer = try await service.get("/api")
    #expect((answer.json["openapi"] as? String)?.hasPrefix("3.0.") == true)
    let paths = answer.json["paths"] as? [String: [String: Any]] ?? [:]
    let components = answer.json["components"] as? [String: [String: Any]] ?? [:]
    for (path, methods) in paths {
      let get = try #require(methods["get"] as? [String: Any], "\(path)")
      let responses = get["responses"] as? [String: Any] ?? [:]
      #expect(Set(responses.keys).isSuperset(of: ["200", "400", "404"]))
      let concrete = path.replacingOccurrences(of: "{collectionId}", with: "places")
        .replacingOccurrences(of: "{featureId}", with: "7")
        .replacingOccurrences(of: "{tileMatrixSetId}", with: "WebMercatorQuad")
        .replacing(/\{tile\w+\}/, with: "0")
      #expect(try await service.get(concrete).status == 200)
    }
    let references = answer.text.matches(of: /"\$ref":"#\/components\/(\w+)\/([\w-]+)"/)
    #expect(references.count > 40)
    for reference in references {
      #expect(components[String(reference.1)]?[String(reference.2)] != nil, "\(reference.0)")
    }
  }

  @Test("/conf/core/fc-bbox-definition, fc-limit-definition, fc-time-definition")
  func definitions() async throws {
    let answer = try await service.get("/api")
    let components = answer.json["components"] as? [String: [String: Any]] ?? [:]
    let parameters = components["parameters"] ?? [:]
    func schema(_ name: String) -> [String: Any] {
      (parameters[name] as? [String: Any])?["schema"] as? [String: Any] ?? [:]
    }
    #expect(schema("limit")["minimum"] as? Int == 1)
    #expect(schema("limit")["maximum"] as? Int == 10_000)
    #expect(schema("limit")["default"] as? Int == 100)
    #expect(schema("bbox")["type"] as? String == "array")
    #expect((schema("bbox")["oneOf"] as? [Any])?.count == 2)
    #expect(schema("datetime")["type"] as? String == "string")
    for name in ["limit", "bbox", "datetime"] {
      let parameter = parameters[name] as? [String: Any] ?? [:]
      #expect(parameter["in"] as? String == "query")
      #expect(parameter["required"] as? Bool == false)
      #expect(parameter["style"] as? String == "form")
      #expect(parameter["explode"] as? Bool == false)
    }
  }

  @Test("/conf/html/content, definition") func html() async throws {
    let targets = [
      "/api", "/conformance", "/collections", "/collections/places",
      "/collections/places/items", "/collections/places/items/7", "/collections/places/schema",
      "/collections/places/queryables", "/collections/notes/items", "/collections/parcels/items",
      "/collections/places/statistics", "/collections/places/tiles", "/tileMatrixSets",
    ]
    for target in targets {
      let answer = try await service.get(target, headers: ["Accept": "text/html"])
      #expect(answer.status == 200)
      #expect(answer.response.headers["Content-Type"] == "text/html; charset=utf-8")
      #expect(Self.unclosedTags(answer.text).isEmpty)
      #expect(answer.text.components(separatedBy: "<h1>").count == 2)
      #expect(answer.text.contains("<nav aria-label=\"Breadcrumb\"><a href="))
      #expect(!answer.text.contains("src=") && !answer.text.contains("<script"))
    }
    let page = try await service.get("/collections/places/items?f=html&limit=30")
    #expect(page.text.contains("30 of 150 items"))
    #expect(page.text.contains("rel=\"next\""))
    #expect(page.text.components(separatedBy: "<tr>").count == 32)
  }

  /// The elements that are open where another one ends, or at the end.
  private static func unclosedTags(_ text: String) -> [String] {
    var open: [String] = []
    for match in text.matches(of: /<(\/?)([a-z][a-z0-9]*)[^>]*>/) {
      let name = String(match.2)
      if ["meta", "input"].contains(name) { continue }
      if match.1.isEmpty {
        open.append(name)
      } else if open.popLast() != name {
        return [name]
      }
    }
    return open
  }

  // MARK: Part 5

  @Test("/conf/schemas, queryables, sortables of Part 5") func schemas() async throws {
    let schema = try await service.get("/collections/places/schema")
    #expect(schema.response.headers["Content-Type"] == "application/schema+json")
    let properties = schema.json["properties"] as? [String: [String: Any]] ?? [:]
    #expect(properties.count == 7)
    #expect(properties["id"]?["x-ogc-role"] as? String == "id")
    #expect(properties["location"]?["x-ogc-role"] as? String == "primary-geometry")
    #expect(properties["location"]?["format"] as? String == "geometry-point")
    #expect(properties["founded"]?["format"] as? String == "date-time")
    #expect(properties["population"]?["type"] as? String == "integer")
    let queryables = try await service.get("/collections/places/queryables")
    #expect((queryables.json["properties"] as? [String: Any])?.count == 7)
    #expect(queryables.json["additionalProperties"] as? Bool == false)
    let sortables = try await service.get("/collections/places/sortables")
    #expect((sortables.json["properties"] as? [String: Any])?["location"] == nil)
    #expect((sortables.json["properties"] as? [String: Any])?.count == 6)
  }
}
