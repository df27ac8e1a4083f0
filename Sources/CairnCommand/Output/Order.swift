import CairnGeometry
import CairnQuery
import CairnStorage

/// The order that `--sort` and `--near` ask for.
struct Order {
  let keys: [SortKey]

  init(_ area: AreaOptions, _ rows: RowOptions, _ source: Source) throws {
    let wantsNearest = area.near != nil && area.radius == nil
    guard !rows.sort.isEmpty else {
      if wantsNearest, rows.limit == nil {
        throw Failure(
          .usage, "--near needs --radius, or --limit or --sort distance for the nearest")
      }
      keys = wantsNearest ? [try Self.distance(area.near, source)].compactMap { $0 } : []
      return
    }
    let distance = try Self.distance(area.near, source)
    if distance == nil { try Self.refuseDistance(rows.sort, source) }
    let others = distance == nil ? [] : ["distance"]
    keys = try ColumnList.items(rows.sort, of: source.schema, option: "--sort", others: others) {
      Self.key($0, distance, source)
    }
    if wantsNearest, !keys.contains(where: \.isDistance) {
      throw Failure(
        .usage,
        "--near without --radius is for --sort distance, not for --sort \(rows.sort.joined(separator: ","))"
      )
    }
  }

  private static func refuseDistance(_ texts: [String], _ source: Source) throws {
    let names = texts.flatMap { $0.split(separator: ",") }
      .map { $0.split(separator: ":").first?.trimmingSpaces() }
    guard names.contains("distance"), source.schema.column(named: "distance") == nil else { return }
    throw Failure(.usage, "--sort distance needs --near, the place to measure from")
  }

  private static func distance(_ near: GeoPoint?, _ source: Source) throws -> SortKey? {
    try near.map {
      .distance(
        try source.location().name, longitude: $0.longitude, latitude: $0.latitude, ascending: true)
    }
  }

  /// `name`, `name:asc`, `name:desc`, and `distance` likewise.
  private static func key(_ text: String, _ distance: SortKey?, _ source: Source) -> SortKey? {
    if let key = key(text, distance, source, ascending: true) { return key }
    if text.hasSuffix(":asc") {
      return key(String(text.dropLast(4)), distance, source, ascending: true)
    }
    if text.hasSuffix(":desc") {
      return key(String(text.dropLast(5)), distance, source, ascending: false)
    }
    return nil
  }

  private static func key(
    _ name: String, _ distance: SortKey?, _ source: Source, ascending: Bool
  ) -> SortKey? {
    if name == "distance", let distance { return distance.turned(ascending: ascending) }
    return ColumnPath(name, of: source.schema, in: source.snapshot.schema)
      .map { .property($0.path, ascending: ascending) }
  }
}

extension SortKey {
  /// By distance from `--near`, and by no property.
  var isDistance: Bool {
    if case .distance = self { true } else { false }
  }

  fileprivate func turned(ascending: Bool) -> SortKey {
    switch self {
    case .property(let name, _): .property(name, ascending: ascending)
    case .distance(let name, let longitude, let latitude, _):
      .distance(name, longitude: longitude, latitude: latitude, ascending: ascending)
    }
  }
}
