import CairnTiles

/// The grid of the tiles: WebMercatorQuad of the standard Two Dimensional Tile Matrix Set.
enum TileMatrixSet {
  /// The identifier.
  static let id = "WebMercatorQuad"
  /// The identifier of the standard.
  static let uri = "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad"
  /// The coordinate system.
  static let system = "http://www.opengis.net/def/crs/EPSG/0/3857"

  private static let title = "Google Maps Compatible for the World"
  /// The width of half the world in metres on the equator.
  private static let halfWidth = 20_037_508.342_789_244
  private static let tileWidth = 256
  /// The width of a pixel in metres, as the standard defines scales.
  private static let pixelWidth = 0.000_28

  /// Throws a problem if the identifier belongs to no tile matrix set.
  static func check(_ name: String) throws(Problem) {
    guard name == id else { throw .notFound("tile matrix set", name: name, among: [id]) }
  }

  private static func url(_ context: RequestContext) -> String {
    context.url("tileMatrixSets", id)
  }

  /// The link from a tileset to the definition.
  static func link(_ context: RequestContext) -> Link {
    Link(
      href: url(context), rel: "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme", type: .json,
      title: "The tile matrix set")
  }

  /// The list of the tile matrix sets.
  static func list(_ context: RequestContext) -> Document {
    let link = Link(href: url(context), rel: "self", type: .json, title: "The definition")
    let json: JSON = [
      "links": .array(context.ownLinks().map(\.json)),
      "tileMatrixSets": [
        [
          "id": .string(id), "title": .string(title), "uri": .string(uri),
          "crs": .string(system), "links": [link.json],
        ]
      ],
    ]
    return Document(title: "Tile matrix sets", json: json) { page in
      page.table(["id", "title"], rows: [[id, title]], hrefs: [url(context) + "?f=html"])
    }
  }

  /// The definition of the tile matrix set.
  ///
  /// - Throws: A problem if it is not the one with that identifier.
  static func document(_ name: String, _ context: RequestContext) throws(Problem) -> Document {
    try check(name)
    let json: JSON = [
      "id": .string(id), "title": .string(title), "uri": .string(uri), "crs": .string(system),
      "orderedAxes": ["X", "Y"],
      "wellKnownScaleSet": "http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible",
      "tileMatrices": .array((0...TileID.maxZoom).map(matrix)),
      "links": .array(context.ownLinks().map(\.json)),
    ]
    return Document(title: id, json: json) { page in
      page.table(
        ["zoom level", "metres per pixel on the equator", "columns and rows"],
        rows: (0...TileID.maxZoom).map { ["\($0)", "\(cellSize($0))", "\(1 << $0)"] })
    }
  }

  private static func cellSize(_ zoom: Int) -> Double {
    2 * halfWidth / Double(tileWidth << zoom)
  }

  private static func matrix(_ zoom: Int) -> JSON {
    [
      "id": "\(zoom)", "scaleDenominator": .double(cellSize(zoom) / pixelWidth),
      "cellSize": .double(cellSize(zoom)), "cornerOfOrigin": "topLeft",
      "pointOfOrigin": [.double(-halfWidth), .double(halfWidth)],
      "tileWidth": .int(tileWidth), "tileHeight": .int(tileWidth),
      "matrixWidth": .int(1 << zoom), "matrixHeight": .int(1 << zoom),
    ]
  }
}
