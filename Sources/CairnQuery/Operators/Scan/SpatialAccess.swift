import CairnStorage

/// A condition that an R-tree can answer.
enum SpatialAccess {
  /// A condition on locations.
  case points(WithinFilter)
  /// A condition on geometries.
  case boxes(GeometryFilter)

  /// The condition.
  var filter: Filter {
    switch self {
    case .points(let filter): filter
    case .boxes(let filter): filter
    }
  }

  /// The estimated number of rows from the R-tree.
  var estimate: Int {
    switch self {
    case .points(let filter): filter.source.estimate
    case .boxes(let filter): filter.source.estimate
    }
  }

  /// The approximate cost in nanoseconds of each of these rows. Rows of delta runs are gathered and
  /// sorted.
  var costOfRow: Double {
    switch self {
    case .points(let filter): filter.source.runs.isEmpty ? 9 : 3
    case .boxes: 300
    }
  }

  /// The column of locations or geometries.
  var column: Column {
    switch self {
    case .points(let filter): filter.column
    case .boxes(let filter): filter.column
    }
  }

  /// The numbers of base runs and delta runs of the R-tree.
  var runs: (base: Int, delta: Int) {
    switch self {
    case .points(let filter): filter.source.runCounts
    case .boxes(let filter): filter.source.runCounts
    }
  }
}
