import CairnStorage
import CairnTiles

/// The parameters of the tiles of a collection.
struct TileQuery {
  /// The names of the parameters other than `f` that are not names of properties.
  static let parameters = ["datetime", "properties", "filter", "filter-lang", "filter-crs"]

  let collection: Collection
  let request: TileRequest
  private var context: RequestContext { collection.context }

  /// - Throws: A problem if the class has no location, or if a parameter is unknown or wrong.
  init(_ collection: Collection) throws {
    try Self.requireLocation(in: collection)
    self.collection = collection
    let properties = collection.schema.sortables.map(\.name)
      .filter { !ItemsQuery.parameters.contains($0) }
    try collection.context.rejectOtherParameters(than: Self.parameters + properties)
    let query = try ItemsQuery(collection)
    var options = TileOptions()
    if collection.context.query["properties"] != nil {
      options.attributes = query.properties.map(\.name)
    }
    request = TileRequest(
      className: collection.name, predicate: query.predicate, options: options)
  }

  /// Throws a problem if the class of a collection has no location.
  static func requireLocation(in collection: Collection) throws(Problem) {
    guard collection.schema.mainGeometry == nil else { return }
    throw Problem(
      404, detail: "'\(collection.name)' has no location, so there are no tiles of it")
  }

  /// The response with a tile: 204 if it is empty.
  func response(_ address: TileAddress) throws -> Response {
    let (cache, id) = (context.service.cache.tiles(in: context.state), try address.tile())
    let (snapshot, deadline) = (context.state.snapshot, context.deadline)
    var headers: Headers = ["Content-Type": MediaType.mvt.header]
    guard context.options.compresses,
      Compression.accepts(context.request.headers["Accept-Encoding"])
    else {
      let tile = try cache.tile(id, of: request, in: snapshot, deadline: deadline)
      return tile.isEmpty
        ? Response(status: 204) : Response(headers: headers, body: .bytes(tile))
    }
    let (bytes, isPacked) = try cache.packedTile(
      id, of: request, in: snapshot, minSize: Compression.minSize, deadline: deadline)
    if bytes.isEmpty { return Response(status: 204) }
    if isPacked { headers["Content-Encoding"] = "gzip" }
    return Response(headers: headers, body: .bytes(bytes))
  }

  /// The parameters of the request for other URLs, with the question mark.
  var parameters: String { context.query.replacing([("f", nil)]) }
}

/// The place of a tile as a URL names it.
struct TileAddress: Equatable {
  private let matrixSet: String
  private let matrix: String
  private let row: String
  private let column: String

  /// A tile in the order of OGC API – Tiles, with the row before the column.
  init(matrixSet: String, matrix: String, row: String, column: String) {
    self.matrixSet = matrixSet
    self.matrix = matrix
    self.row = row
    self.column = column
  }

  /// A tile in the order of web maps; the row may end with `.mvt` or `.pbf`.
  init(z: String, x: String, y: String) {
    let suffix = [".mvt", ".pbf"].first(where: y.hasSuffix) ?? ""
    self.init(
      matrixSet: TileMatrixSet.id, matrix: z, row: String(y.dropLast(suffix.count)), column: x)
  }

  /// The tile.
  ///
  /// - Throws: A problem if a part is not a number, or if the zoom level has no tile there.
  func tile() throws -> TileID {
    try TileMatrixSet.check(matrixSet)
    return try TileID(
      z: Self.number(matrix, of: "zoom level"), x: Self.number(column, of: "column"),
      y: Self.number(row, of: "row"))
  }

  private static func number(_ text: String, of part: String) throws(Problem) -> Int {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw .badRequest("the \(part) of a tile is a number, not '\(text)'")
    }
    return Int(text) ?? .max
  }
}
