/// The resource that a path names.
enum Route: Equatable {
  case landing
  case api
  case conformance
  case collections
  case collection(String)
  case items(String)
  case item(String, id: String)
  case schema(String)
  case queryables(String)
  case sortables(String)
  case live(String)
  case statistics(String)
  case explorer(ExplorerFile)
  case tileMatrixSets
  case tileMatrixSet(String)
  case tilesets(String)
  case tileset(String, matrixSet: String)
  case tileJSON(String)
  case tile(String, TileAddress)

  /// - Throws: A problem if there is no such resource, or if the path is not percent-encoded UTF-8.
  init(_ path: String) throws(Problem) {
    var segments: [String] = []
    for segment in path.split(separator: "/") {
      guard let text = PercentCoding.decoded(segment, plusIsSpace: false) else {
        throw .badRequest("the path has a percent sign without two digits, or is not UTF-8")
      }
      segments.append(text)
    }
    guard path.hasPrefix("/"), let route = Self.route(segments) else {
      throw .notFound("resource", name: path, among: Self.names)
    }
    self = route
  }

  private static let names = ["/api", "/conformance", "/collections", "/tileMatrixSets"]

  private static func route(_ segments: [String]) -> Route? {
    switch (segments.first, segments.count) {
    case (nil, _): .landing
    case ("api", 1): .api
    case ("conformance", 1): .conformance
    case ("tileMatrixSets", 1): .tileMatrixSets
    case ("tileMatrixSets", 2): .tileMatrixSet(segments[1])
    case ("explorer", 2): ExplorerFile(rawValue: segments[1]).map { .explorer($0) }
    case ("collections", 1): .collections
    case ("collections", 2): .collection(segments[1])
    case ("collections", _): route(Array(segments[2...]), of: segments[1])
    default: nil
    }
  }

  /// Returns the resource of a class that the segments after its name lead to.
  private static func route(_ segments: [String], of name: String) -> Route? {
    switch (segments[0], segments.count) {
    case ("items", 1): .items(name)
    case ("items", 2): .item(name, id: segments[1])
    case ("schema", 1): .schema(name)
    case ("queryables", 1): .queryables(name)
    case ("sortables", 1): .sortables(name)
    case ("live", 1): .live(name)
    case ("statistics", 1): .statistics(name)
    case ("tiles.json", 1): .tileJSON(name)
    case ("tiles", 1): .tilesets(name)
    case ("tiles", 2): .tileset(name, matrixSet: segments[1])
    case ("tiles", 4): .tile(name, TileAddress(z: segments[1], x: segments[2], y: segments[3]))
    case ("tiles", 5):
      .tile(
        name,
        TileAddress(
          matrixSet: segments[1], matrix: segments[2], row: segments[3], column: segments[4]))
    default: nil
    }
  }

  /// The class; nil for a resource of the whole store.
  var className: String? {
    switch self {
    case .landing, .api, .conformance, .collections, .tileMatrixSets, .tileMatrixSet,
      .explorer:
      nil
    case .collection(let name), .items(let name), .item(let name, _), .schema(let name),
      .queryables(let name), .sortables(let name), .live(let name), .tilesets(let name),
      .statistics(let name), .tileset(let name, _), .tileJSON(let name), .tile(let name, _):
      name
    }
  }

  /// The representations of the resource, the preferred one first.
  var offers: [MediaType] {
    switch self {
    case .landing, .conformance, .collections, .collection, .tileMatrixSets, .tileMatrixSet,
      .tilesets, .tileset, .statistics:
      [.json, .html]
    case .explorer(let file): [file.type]
    case .tileJSON: [.json]
    case .tile: [.mvt]
    case .api: [.openAPI, .html]
    case .items: [.geojson, .html, .csv, .flatGeobuf]
    case .item: [.geojson, .html]
    case .live: [.events]
    case .schema, .queryables, .sortables: [.schema, .html]
    }
  }
}
