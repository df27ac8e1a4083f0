import Cairn
import CairnModelTestSupport
import CairnTestSupport
import CairnTiles
import Foundation
import Testing

@testable import CairnServer

class ServedTown: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var size: Int?
  @Persisted var founded: Date?
  @Persisted var spot: GeoPoint?
}

/// Tiles over HTTP: the abstract tests of OGC API – Tiles, and the same bytes as from Swift.
@Suite(.tags(.threads)) struct TileTests {
  private let temporary: TemporaryRealm
  private var realm: Realm { temporary.realm }
  private let service: CairnServer.Service
  private static let tiles = "/collections/ServedTown/tiles"

  init() throws {
    temporary = try TemporaryRealm()
    let realm = temporary.realm
    var random = SplitMix64(seed: 17)
    try realm.write {
      for id in 0..<500 {
        let town = ServedTown()
        town.id = id
        town.name = "town \(id)"
        town.size = random.chance(0.9) ? random.below(10) : nil
        town.founded = Date(timeIntervalSinceReferenceDate: Double(random.below(20)) * 86_400)
        town.spot = GeoPoint(
          latitude: Double(random.below(1600)) / 10 - 80,
          longitude: Double(random.below(3600)) / 10 - 180)
        realm.add(town)
      }
    }
    service = try CairnServer.Service(path: #require(realm.configuration.fileURL).path)
  }

  private var towns: Results<ServedTown> { realm.objects(ServedTown.self) }

  // MARK: Tiles

  @Test("/conf/core/tc-op, tc-success: bytes equal those from Swift") func bytes() async throws {
    for z in 0...3 {
      for x in 0..<1 << z {
        for y in 0..<1 << z {
          let expected = try towns.tile(z: z, x: x, y: y)
          let answer = try await service.get("\(Self.tiles)/WebMercatorQuad/\(z)/\(y)/\(x)")
          #expect(
            answer.status == (expected.isEmpty ? 204 : 200) && answer.bytes == Array(expected))
          for suffix in ["", ".mvt", ".pbf"] {
            let other = try await service.get("\(Self.tiles)/\(z)/\(x)/\(y)\(suffix)")
            #expect(other.bytes == answer.bytes && other.status == answer.status)
          }
        }
      }
    }
    let answer = try await service.get("\(Self.tiles)/0/0/0.mvt")
    #expect(answer.response.headers["Content-Type"] == "application/vnd.mapbox-vector-tile")
    #expect(try towns.tile(z: 24, x: 0, y: 0).isEmpty)
    let empty = try await service.get("\(Self.tiles)/24/0/0")
    #expect(empty.status == 204 && empty.bytes.isEmpty)
  }

  @Test func conditionsAreThoseOfItems() async throws {
    var names = TileOptions()
    names.attributes = ["name", "size"]
    let middle = Date(timeIntervalSinceReferenceDate: 10 * 86_400)
    let cases: [(String, Data)] = [
      ("filter=size%3E4", try towns.where { $0.size > 4 }.tile(z: 1, x: 1, y: 0)),
      (
        "filter=%7B%22op%22%3A%22%3D%22%2C%22args%22%3A%5B%7B%22property%22%3A%22size%22%7D%2C3%5D%7D"
          + "&filter-lang=cql2-json", try towns.where { $0.size == 3 }.tile(z: 1, x: 1, y: 0)
      ),
      ("size=7", try towns.where { $0.size == 7 }.tile(z: 1, x: 1, y: 0)),
      ("properties=name,size", try towns.tile(z: 1, x: 1, y: 0, options: names)),
      (
        "datetime=2001-01-11T00:00:00Z/..",
        try towns.where { $0.founded >= middle }.tile(z: 1, x: 1, y: 0)
      ),
    ]
    for (query, expected) in cases {
      let answer = try await service.get("\(Self.tiles)/1/1/0?\(query)")
      #expect(answer.status == 200 && answer.bytes == Array(expected), "\(query)")
    }
  }

  @Test func tilesAreCorrectRightAfterACommit() async throws {
    let target = "\(Self.tiles)/2/2/1.mvt"
    let first = try await service.get(target)
    let tag = try #require(first.response.headers["ETag"])
    let same = try await service.get(target, headers: ["If-None-Match": tag])
    #expect(same.status == 304 && same.bytes.isEmpty)
    try realm.write {
      realm.create(ServedTown.self, value: ["id": 1000, "name": "new"]).spot = GeoPoint(
        latitude: 47, longitude: 8)
    }
    let second = try await service.get(target, headers: ["If-None-Match": tag])
    #expect(second.status == 200 && second.bytes != first.bytes)
    #expect(try second.bytes == Array(towns.tile(z: 2, x: 2, y: 1)))
  }

  @Test func largeTilesAreCompressed() async throws {
    let plain = try await service.get("\(Self.tiles)/0/0/0")
    let packed = try await service.get("\(Self.tiles)/0/0/0", headers: ["Accept-Encoding": "gzip"])
    #expect(packed.response.headers["Content-Encoding"] == "gzip")
    #expect(packed.bytes.starts(with: [0x1F, 0x8B]) && packed.bytes.count < plain.bytes.count)
  }

  @Test("/conf/core/tc-error: mistakes have clear answers") func mistakes() async throws {
    let cases: [(target: String, status: Int, detail: String)] = [
      ("/25/0/0", 404, "zoom level 25 is not one of 0 to 24"),
      ("/3/8/0.mvt", 404, "zoom level 3 has no tile column 8, only 0 to 7"),
      ("/WebMercatorQuad/3/8/0", 404, "zoom level 3 has no tile row 8, only 0 to 7"),
      ("/3/0/99999999999999999999", 404, "only 0 to 7"),
      ("/3/-1/0", 400, "the column of a tile is a number, not '-1'"),
      ("/3/0/a.mvt", 400, "the row of a tile is a number, not 'a'"),
      ("/WorldCRS84Quad/0/0/0", 404, "there is no tile matrix set 'WorldCRS84Quad'"),
      ("/0/0/0?sizes=3", 400, "there is no parameter 'sizes'; did you mean 'size'?"),
      ("/0/0/0?bbox=1,2,3,4", 400, "there is no parameter 'bbox'"),
      ("/0/0/0?filter=size%20%3E", 400, "found the end"),
      ("/0/0/0?properties=nam", 400, "did you mean 'name'?"),
      ("/0/0/0?f=csv", 400, "this resource offers mvt"),
      ("/0/0/0?f=json", 400, "this resource offers mvt"),
      ("/WebMercatorQuads", 404, "did you mean 'WebMercatorQuad'?"),
    ]
    for (target, status, detail) in cases {
      let answer = try await service.get(Self.tiles + target)
      #expect(answer.status == status, "\(target)")
      let found = answer.json["detail"] as? String ?? ""
      #expect(found.contains(detail), "\(target): \(found)")
    }
    let types = ["application/x-protobuf", "*/*", "application/vnd.mapbox-vector-tile"]
    for type in types {
      #expect(try await service.get("\(Self.tiles)/0/0/0", headers: ["Accept": type]).status == 200)
    }
    let page = try await service.get("\(Self.tiles)/0/0/0", headers: ["Accept": "text/html"])
    #expect(page.status == 406)
  }

  @Test func classesWithoutALocationHaveNoTiles() async throws {
    let world = try World(rows: 1)
    for path in ["tiles", "tiles.json", "tiles/WebMercatorQuad", "tiles/0/0/0"] {
      let answer = try await world.service.get("/collections/notes/\(path)")
      #expect(answer.status == 404)
      #expect(answer.text.contains("'notes' has no location, so there are no tiles of it"))
    }
    let collection = try await world.service.get("/collections/notes")
    #expect(!collection.text.contains("/tiles"))
    #expect(try await world.service.get("/collections/parcels/tiles/0/0/0").status == 200)
  }

  // MARK: Descriptions

  @Test("/conf/tilesets-list, /conf/geodata-tilesets") func tileSets() async throws {
    let collection = try await service.get("/collections/ServedTown")
    let href = try #require(
      collection.link("http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector"))
    let list = try await service.follow(href)
    let sets = list.json["tilesets"] as? [[String: Any]] ?? []
    #expect(sets.count == 1 && sets[0]["dataType"] as? String == "vector")
    #expect(sets[0]["crs"] as? String == "http://www.opengis.net/def/crs/EPSG/0/3857")
    let links = sets[0]["links"] as? [[String: Any]] ?? []
    for link in links {
      #expect(try await service.follow(#require(link["href"] as? String)).status == 200)
    }
    let conformance = try await service.get("/conformance")
    let classes = conformance.json["conformsTo"] as? [String] ?? []
    for name in ["core", "tileset", "tilesets-list", "geodata-tilesets", "mvt", "oas30"] {
      #expect(classes.contains("http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/\(name)"))
    }
  }

  @Test("/conf/tileset/desc, links") func tileSet() async throws {
    let answer = try await service.get("\(Self.tiles)/WebMercatorQuad?filter=size%3E4")
    #expect(answer.status == 200 && answer.json["dataType"] as? String == "vector")
    let layers = answer.json["layers"] as? [[String: Any]] ?? []
    #expect(layers.map { $0["id"] as? String } == ["ServedTown"])
    #expect(layers.first?["geometryDimension"] as? Int == 0)
    let item = try #require(answer.links.first { $0["rel"] as? String == "item" })
    #expect(item["templated"] as? Bool == true)
    let tile = try #require(item["href"] as? String)
      .replacing("{tileMatrix}", with: "1").replacing("{tileRow}", with: "0")
      .replacing("{tileCol}", with: "1")
    let expected = try towns.where { $0.size > 4 }.tile(z: 1, x: 1, y: 0)
    #expect(try await service.follow(tile).bytes == Array(expected))
    let scheme = try #require(answer.link("http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme"))
    #expect(try await service.follow(scheme).json["id"] as? String == "WebMercatorQuad")
    #expect(try await service.get("\(Self.tiles)/WebMercatorQuad?filter=size").status == 400)
  }

  @Test("WebMercatorQuad as the standard defines it") func matrixSet() async throws {
    let landing = try await service.get("/")
    let href = try #require(
      landing.link("http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes"))
    let list = try await service.follow(href)
    #expect((list.json["tileMatrixSets"] as? [[String: Any]])?.count == 1)
    let answer = try await service.get("/tileMatrixSets/WebMercatorQuad")
    let matrices = answer.json["tileMatrices"] as? [[String: Any]] ?? []
    #expect(matrices.count == 25)
    // Scales of the table in Annex D of OGC 17-083r4.
    for (zoom, scale, size) in [
      (0, 559_082_264.028717, 156_543.033_928_041), (9, 1_091_957.546_931_088, 305.748_113_140_704),
      (18, 2_132.729_583_849_784, 0.597_164_283_559_817),
    ] {
      let matrix = matrices[zoom]
      #expect(matrix["id"] as? String == "\(zoom)" && matrix["matrixWidth"] as? Int == 1 << zoom)
      let found = try #require(matrix["scaleDenominator"] as? Double)
      #expect(abs(found / scale - 1) < 1e-9)
      #expect(abs(try #require(matrix["cellSize"] as? Double) / size - 1) < 1e-9)
    }
    #expect(try await service.get("/tileMatrixSets/WebMercator").status == 404)
  }

  @Test func tileJSONNamesTheAttributes() async throws {
    let answer = try await service.get(
      "/collections/ServedTown/tiles.json?properties=name,size&filter=size%3E4")
    #expect(answer.response.headers["Content-Type"] == "application/json")
    let json = answer.json
    #expect(json["tilejson"] as? String == "3.0.0" && json["maxzoom"] as? Int == 24)
    let bounds = json["bounds"] as? [Double] ?? []
    #expect(bounds.count == 4)
    for town in towns {
      let spot = try #require(town.spot)
      #expect(bounds[0] <= spot.longitude && spot.longitude <= bounds[2])
      #expect(bounds[1] <= spot.latitude && spot.latitude <= bounds[3])
    }
    let layer = try #require((json["vector_layers"] as? [[String: Any]])?.first)
    #expect(layer["id"] as? String == "ServedTown" && layer["minzoom"] as? Int == 0)
    #expect(
      layer["fields"] as? [String: String]
        == ["name": "String", "size": "Number", "count": "Number"])
    let template = try #require((json["tiles"] as? [String])?.first)
    let tile = try await service.follow(
      template.replacing("{z}", with: "0").replacing("{x}", with: "0").replacing("{y}", with: "0"))
    var options = TileOptions()
    options.attributes = ["name", "size"]
    #expect(
      tile.bytes
        == Array(try towns.where { $0.size > 4 }.tile(z: 0, x: 0, y: 0, options: options)))
  }
}
