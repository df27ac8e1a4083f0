import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage

/// The order requested by `--sort` and the origin of distances.
struct Order {
  /// One key of the order.
  enum Key {
    /// A property or the distance.
    case stored(SortKey)
    /// A column that a formula computes.
    case computed(ComputedColumn, ascending: Bool)

    /// Whether the key is a distance.
    var isDistance: Bool {
      if case .stored(.distance) = self { true } else { false }
    }
  }

  /// The keys, most significant first.
  let keys: [Key]

  /// The name of the relevance for `--search`.
  static let rank = "rank"

  /// - Parameters:
  ///   - request: The request, with the origin of distances and the words that `rank` refers to.
  ///   - computed: The computed columns of the output, which come before properties of the same
  ///     name.
  init(
    _ request: QueryRequest, sort: [String], limit: Int?, computed: [ComputedColumn],
    source: OpenedClass
  ) throws {
    let area = request.arguments.area
    let (wantsNearest, option) = (area.wantsNearest, area.originOption)
    let distance = request.origin.map {
      SortKey.distance($0.path, from: $0.shape, edges: $0.edges, ascending: true)
    }
    guard !sort.isEmpty else {
      if wantsNearest, limit == nil {
        throw Failure(
          .usage,
          message: "\(option) needs --radius, or for the nearest rows --limit or --sort distance")
      }
      keys = wantsNearest ? [distance].compactMap { $0 }.map { .stored($0) } : []
      return
    }
    let names = computed.map(\.name)
    if distance == nil, !names.contains("distance") {
      try Self.rejectDistance(sort, source: source)
    }
    let relevance = request.arguments.search.map { words in
      SortKey.relevance(source.schema.searchedPaths, search: words, ascending: false)
    }
    if relevance == nil, !names.contains(Self.rank) { try Self.rejectRank(sort, source: source) }
    let others =
      (distance == nil ? [] : ["distance"]) + (relevance == nil ? [] : [Self.rank]) + names
    keys = try ColumnList.items(sort, of: source.schema, option: "--sort", others: others) {
      Self.directed($0) { name, ascending in
        if let column = computed.first(where: { $0.name == name }) {
          return .computed(column, ascending: ascending)
        }
        let key = Self.key(name, distance: distance, source: source, ascending: ascending)
        // The best rank is the first one, so ascending ranks are descending scores.
        let ranked = name == Self.rank ? relevance?.turned(ascending: !ascending) : nil
        return (key ?? ranked).map { .stored($0) }
      }
    }
    if wantsNearest, !keys.contains(where: \.isDistance) {
      throw Failure(
        .usage,
        message:
          "\(option) without --radius needs --sort distance, not \(sort.joined(separator: ","))"
      )
    }
  }

  private static func rejectDistance(_ texts: [String], source: OpenedClass) throws {
    guard names(texts).contains("distance"), source.schema.column(named: "distance") == nil else {
      return
    }
    throw Failure(.usage, message: "--sort distance needs --near or --near-shape, to measure from")
  }

  private static func rejectRank(_ texts: [String], source: OpenedClass) throws {
    guard names(texts).contains(rank), source.schema.column(named: rank) == nil else { return }
    throw Failure(.usage, message: "--sort rank needs --search, whose best matches come first")
  }

  /// The names of sort keys without their directions.
  private static func names(_ texts: [String]) -> [String] {
    texts.flatMap { $0.split(separator: ",") }
      .compactMap { $0.split(separator: ":").first.map { String($0.trimmingSpaces()) } }
  }

  /// The keys as a query takes them; nil if one of them is computed.
  var stored: [SortKey]? {
    let stored = keys.compactMap { key in if case .stored(let key) = key { key } else { nil } }
    return stored.count == keys.count ? stored : nil
  }

  /// The sort key of `name`, `name:asc` or `name:desc`.
  private static func directed(_ text: String, make: (String, Bool) -> Key?) -> Key? {
    if let key = make(text, true) { return key }
    if text.hasSuffix(":asc") { return make(String(text.dropLast(4)), true) }
    if text.hasSuffix(":desc") { return make(String(text.dropLast(5)), false) }
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
  fileprivate func turned(ascending: Bool) -> SortKey {
    switch self {
    case .property(let name, _): .property(name, ascending: ascending)
    case .distance(let path, let shape, let edges, _):
      .distance(path, from: shape, edges: edges, ascending: ascending)
    case .relevance(let paths, let words, _):
      .relevance(paths, search: words, ascending: ascending)
    }
  }
}
