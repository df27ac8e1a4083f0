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
    guard collection.schema.spatialColumn == nil else { return }
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
