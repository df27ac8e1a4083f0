import CairnStorage

/// The resources that requests name.
extension RequestContext {
  /// Answers the request, unless the client has the response already.
  func response() throws -> Response {
    // Events are not a representation that a client could have already.
    if case .live = route { return try resource() }
    let tag = try entityTag()
    var response = Response(status: 304)
    if !isKnown(tag) { response = try resource() }
    response.headers["ETag"] = tag
    return response
  }

  /// The tag of an item changes with the item, and that of most other resources with each commit.
  private func entityTag() throws -> String {
    let format = "\(service.epoch)-\(type.parameter)"
    switch route {
    case .explorer: return "W/\"explorer-\(format)\""
    case .item(let name, let id):
      if let table = state.snapshot.table(name), let key = ItemPage.key(id, in: table) {
        return try ItemTag(key, of: table, in: state.snapshot.schema).text(format)
      }
    default: break
    }
    return "W/\"\(state.snapshot.version)-\(state.opening)-\(format)\""
  }

  private func isKnown(_ tag: String) -> Bool {
    guard let known = request.headers["If-None-Match"] else { return false }
    let own = EntityTag.bare(tag)
    return known.split(separator: ",").contains { EntityTag.bare($0.filter { $0 != " " }) == own }
  }

  private func resource() throws -> Response {
    guard let name = route.className else {
      try rejectOtherParameters()
      switch route {
      case .landing: return LandingPage(context: self).response
      case .explorer(let file): return file.response
      case .api: return APIDescription(context: self).document.response(self)
      case .conformance: return Conformance.document(self).response(self)
      case .tileMatrixSets: return TileMatrixSet.list(self).response(self)
      case .tileMatrixSet(let id): return try TileMatrixSet.document(id, self).response(self)
      default: return CollectionList(context: self).document.response(self)
      }
    }
    let collection = try Collection(name, context: self)
    switch route {
    case .items: return try ItemsPage(collection).response()
    case .live: return try LiveItems(collection).response()
    case .item(_, let id): return try ItemPage(collection, id: id).response()
    case .tileset(_, let id):
      try TileMatrixSet.check(id)
      return try TileSet(TileQuery(collection)).document.response(self)
    case .statistics: return try ItemStatistics(collection).document.response(self)
    case .tileJSON: return try TileSet(TileQuery(collection)).tileJSON
    case .tile(_, let address):
      return try TileQuery(collection).response(address)
    default:
      try rejectOtherParameters()
      switch route {
      case .schema: return SchemaDocument(collection, purpose: .schema).document.response(self)
      case .queryables:
        return SchemaDocument(collection, purpose: .queryables).document.response(self)
      case .sortables:
        return SchemaDocument(collection, purpose: .sortables).document.response(self)
      case .tilesets: return try TileSet.list(collection).response(self)
      default: return collection.document.response(self)
      }
    }
  }
}
