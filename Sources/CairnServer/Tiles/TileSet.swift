import CairnStorage
import CairnTiles

/// The description of the tiles of a collection, for the rows that the request selects.
struct TileSet {
  private let query: TileQuery
  private var collection: Collection { query.collection }
  private var context: RequestContext { collection.context }

  init(_ query: TileQuery) { self.query = query }

  // MARK: OGC API – Tiles

  /// The links from a collection to its tiles.
  static func links(_ collection: Collection) -> [Link] {
    [
      Link(
        href: collection.url + "/tiles",
        rel: "http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector", type: .json,
        title: "The vector tiles"),
      Link(
        href: collection.url + "/tiles.json", rel: "describedby", type: .json,
        title: "The vector tiles as TileJSON"),
    ]
  }

  private static func url(_ collection: Collection) -> String {
    collection.url + "/tiles/" + TileMatrixSet.id
  }

  private static func members(_ collection: Collection) -> JSON {
    [
      "title": .string(collection.name), "dataType": "vector",
      "crs": .string(TileMatrixSet.system), "tileMatrixSetURI": .string(TileMatrixSet.uri),
    ]
  }

  /// The list of the tilesets of a collection.
  ///
  /// - Throws: A problem if the class has no location.
  static func list(_ collection: Collection) throws(Problem) -> Document {
    try TileQuery.requireLocation(in: collection)
    let context = collection.context
    let link = Link(
      href: url(collection), rel: "self", type: .json, title: "The tileset")
    let links = JSON.array([link, TileMatrixSet.link(context)].map(\.json))
    let json: JSON = [
      "links": .array(context.ownLinks().map(\.json)),
      "tilesets": [members(collection).adding(["links": links])],
    ]
    return Document(
      title: "Tiles of \(collection.name)", json: json,
      trail: [.collections, .collection(collection.name)]
    ) { page in
      page.table(
        ["tile matrix set"], rows: [[TileMatrixSet.id]], hrefs: [url(collection) + "?f=html"])
    }
  }

  /// The description of the tileset.
  var document: Document {
    get throws {
      let fields = try fields()
      let url = Self.url(collection) + "/{tileMatrix}/{tileRow}/{tileCol}" + query.parameters
      let links = [
        TileMatrixSet.link(context),
        Link(href: url, rel: "item", type: .mvt, title: "The tiles", isTemplated: true),
        Link(
          href: collection.url + "/tiles.json" + query.parameters, rel: "describedby",
          type: .json, title: "The tileset as TileJSON"),
      ]
      var json = Self.members(collection).adding([
        "layers": [layer(fields)],
        "links": .array((context.ownLinks() + links).map(\.json)),
      ])
      if let bounds = collection.extent.bounds {
        json = json.adding([
          "boundingBox": [
            "lowerLeft": [.double(bounds[0]), .double(bounds[1])],
            "upperRight": [.double(bounds[2]), .double(bounds[3])],
            "crs": .string(ServedSystem.crs84.uri),
          ]
        ])
      }
      return Document(
        title: "Tiles of \(collection.name)", json: json,
        trail: [.collections, .collection(collection.name)]
      ) { page in
        page.definitions([("URL of a tile", url), ("layer", collection.name)])
        page.table(["attribute", "type"], rows: fields.map { [$0.name, $0.type] })
      }
    }
  }

  private func layer(_ fields: [(name: String, type: String)]) -> JSON {
    let properties = fields.map { ($0.name, ["type": .string($0.type.lowercased())] as JSON) }
    let layer: JSON = [
      "id": .string(collection.name), "dataType": "vector",
      "minTileMatrix": "0", "maxTileMatrix": "\(TileID.maxZoom)",
      "propertiesSchema": ["type": "object", "properties": .object(properties)],
    ]
    guard let column = collection.schema.spatialColumn, column.isPoint else { return layer }
    return layer.adding(["geometryDimension": 0])
  }

  /// The attributes of the features with their types: `Number`, `String` or `Boolean`.
  private func fields() throws -> [(name: String, type: String)] {
    try query.request.builder(in: context.state.snapshot).fields
  }

  // MARK: TileJSON

  /// The response with the tileset as TileJSON 3.0.
  var tileJSON: Response {
    get throws {
      let fields = JSON.object(try fields().map { ($0.name, .string($0.type)) })
      let zooms: KeyValuePairs<String, JSON> = ["minzoom": 0, "maxzoom": .int(TileID.maxZoom)]
      let layer: JSON = ["id": .string(collection.name), "fields": fields]
      var json: JSON = [
        "tilejson": "3.0.0", "name": .string(collection.name), "scheme": "xyz",
        "tiles": [.string(collection.url + "/tiles/{z}/{x}/{y}.mvt" + query.parameters)],
        "vector_layers": [layer.adding(zooms)],
      ]
      json = json.adding(zooms)
      if let bounds = collection.extent.bounds {
        json = json.adding(["bounds": .array(bounds.map { .double($0) })])
      }
      return Response(.json, text: json.text + "\n")
    }
  }
}
