import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The abstract tests of OGC API – Tiles, Part 1, that concern descriptions, under their names.
@Suite struct TileConformanceTests {
  private let world: World
  private var service: Service { world.service }
  private static let path =
    "/collections/{collectionId}/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}"

  init() throws { world = try World(rows: 150) }

  private func api() async throws -> (paths: [String: [String: Any]], parameters: [String: Any]) {
    let json = try await service.get("/api").json
    let components = json["components"] as? [String: [String: Any]] ?? [:]
    return (json["paths"] as? [String: [String: Any]] ?? [:], components["parameters"] ?? [:])
  }

  @Test("/conf/core/tc-tilematrix-definition, tc-tilerow-definition, tc-tilecol-definition")
  func definitions() async throws {
    let api = try await api()
    let get = try #require(api.paths[Self.path]?["get"] as? [String: Any])
    let given = get["parameters"] as? [[String: Any]] ?? []
    let parameters = given.map { parameter -> [String: Any] in
      guard let reference = parameter["$ref"] as? String else { return parameter }
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      return api.parameters[name] as? [String: Any] ?? [:]
    }
    for name in ["tileMatrix", "tileRow", "tileCol"] {
      let parameter = try #require(parameters.first { $0["name"] as? String == name }, "\(name)")
      #expect(parameter["in"] as? String == "path" && parameter["required"] as? Bool == true)
    }
  }

  @Test("/conf/oas30/completeness, operation-id") func operations() async throws {
    let paths = try await api().paths
    var identifiers: [String] = []
    for (path, methods) in paths {
      for (method, operation) in methods where ["get", "post", "put"].contains(method) {
        let operation = try #require(operation as? [String: Any])
        identifiers.append(try #require(operation["operationId"] as? String, "\(path)"))
      }
    }
    #expect(Set(identifiers).count == identifiers.count)
    let tile = paths[Self.path]?["get"] as? [String: Any]
    let set = paths["/collections/{collectionId}/tiles/{tileMatrixSetId}"]?["get"] as? [String: Any]
    let list = paths["/collections/{collectionId}/tiles"]?["get"] as? [String: Any]
    for (operation, suffix) in [
      (tile, ".collection.vector.getTile"), (set, ".collection.vector.getTileSet"),
      (list, ".collection.vector.getTileSetsList"),
    ] {
      let name = operation?["operationId"] as? String ?? ""
      #expect(name.hasSuffix(suffix), "\(name)")
    }
  }

  @Test("/conf/tileset/description") func description() async throws {
    let answer = try await service.get(
      "/collections/places/tiles/WebMercatorQuad", headers: ["Accept": "application/json"])
    #expect(answer.status == 200)
    #expect(answer.response.headers["Content-Type"] == "application/json")
    #expect(
      answer.json["tileMatrixSetURI"] as? String
        == "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad")
    #expect(answer.link("http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme") != nil)
    let items = answer.links.filter { $0["rel"] as? String == "item" }
    #expect(!items.isEmpty)
    for item in items {
      let href = try #require(item["href"] as? String)
      for variable in ["{tileMatrix}", "{tileRow}", "{tileCol}"] {
        #expect(href.contains(variable))
      }
      #expect(item["templated"] as? Bool == true)
      #expect(item["type"] as? String == "application/vnd.mapbox-vector-tile")
    }
  }

  @Test("/conf/tilesets-list/tileset-links, /conf/geodata-tilesets/desc-links, operation")
  func links() async throws {
    for name in ["parcels", "places"] {
      let collection = try await service.get("/collections/\(name)")
      let href = try #require(
        collection.link("http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector"))
      let list = try await service.follow(href)
      #expect(list.status == 200)
      let sets = list.json["tilesets"] as? [[String: Any]] ?? []
      #expect(sets.count == 1)
      for set in sets {
        #expect(set["dataType"] as? String == "vector" && set["crs"] is String)
        let links = set["links"] as? [[String: Any]] ?? []
        let own = try #require(links.first { $0["rel"] as? String == "self" }?["href"] as? String)
        #expect(try await service.follow(own).status == 200)
      }
    }
  }
}
