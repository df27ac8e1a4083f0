import CairnQuery
import CairnStorage

/// The order requested by `--sort` and the origin of distances.
struct Order {
  let keys: [SortKey]

  init(
    _ area: AreaOptions, origin: QueryRequest.Origin?, rows: RowOptions, source: OpenedClass
  ) throws {
    let wantsNearest = origin != nil && area.radius == nil
    let option = area.nearOption != nil ? "--near" : "--near-shape"
    let distance = origin.map {
      SortKey.distance($0.path, from: $0.shape, edges: $0.edges, ascending: true)
    }
    guard !rows.sort.isEmpty else {
      if wantsNearest, rows.limit == nil {
        throw Failure(
          .usage,
          message: "\(option) needs --radius, or for the nearest rows --limit or --sort distance")
      }
      keys = wantsNearest ? [distance].compactMap { $0 } : []
      return
    }
    if distance == nil { try Self.rejectDistance(rows.sort, source: source) }
    let others = distance == nil ? [] : ["distance"]
    keys = try ColumnList.items(rows.sort, of: source.schema, option: "--sort", others: others) {
      Self.key($0, distance: distance, source: source)
    }
    if wantsNearest, !keys.contains(where: \.isDistance) {
      throw Failure(
        .usage,
        message:
          "\(option) without --radius needs --sort distance, not \(rows.sort.joined(separator: ","))"
      )
    }
  }

  private static func rejectDistance(_ texts: [String], source: OpenedClass) throws {
    let names = texts.flatMap { $0.split(separator: ",") }
      .map { $0.split(separator: ":").first?.trimmingSpaces() }
    guard names.contains("distance"), source.schema.column(named: "distance") == nil else { return }
    throw Failure(.usage, message: "--sort distance needs --near or --near-shape, to measure from")
  }

  /// The sort key of `name`, `name:asc` or `name:desc`, where the name may be `distance`.
  private static func key(_ text: String, distance: SortKey?, source: OpenedClass) -> SortKey? {
    if let key = key(text, distance: distance, source: source, ascending: true) { return key }
    if text.hasSuffix(":asc") {
      return key(String(text.dropLast(4)), distance: distance, source: source, ascending: true)
    }
    if text.hasSuffix(":desc") {
      return key(String(text.dropLast(5)), distance: distance, source: source, ascending: false)
    }
    return nil
  }

  private static func key(
    _ name: String, distance: SortKey?, source: OpenedClass, ascending: Bool
  ) -> SortKey? {
    if name == "distance", let distance { return distance.turned(ascending: ascending) }
    return ColumnPath(name, of: source.schema, in: source.snapshot.schema)
      .map { .property($0.path, ascending: ascending) }
  }
}

extension SortKey {
  /// Whether the key is a distance.
  var isDistance: Bool {
    if case .distance = self { true } else { false }
  }

  fileprivate func turned(ascending: Bool) -> SortKey {
    switch self {
    case .property(let name, _): .property(name, ascending: ascending)
    case .distance(let path, let shape, let edges, _):
      .distance(path, from: shape, edges: edges, ascending: ascending)
    }
  }
}
