internal import CairnValues

/// What of a row a picture shows: its place, its name, and the rest of its values.
struct PlaceColumns {
  /// The place of the location among the columns.
  let location: Int
  /// The column that names a row; nil: none would.
  let title: Int?
  /// The columns but for the location, and what they are called.
  let others: [(place: Int, name: String)]

  /// - Throws: `.noLocation` when no column is a location.
  init(_ columns: [OutputColumn]) throws(OutputError) {
    guard let location = columns.firstIndex(where: { $0.type == .point }) else {
      throw .noLocation
    }
    self.location = location
    others = columns.indices.filter { $0 != location }.map { ($0, columns[$0].name) }
    title = Self.title(columns)
  }

  /// A column of that meaning, else the first text.
  private static func title(_ columns: [OutputColumn]) -> Int? {
    for name in ["name", "title", "place", "label"] {
      let found = columns.firstIndex { $0.name.lowercased() == name && $0.type == .string }
      if let found { return found }
    }
    return columns.firstIndex { $0.type == .string } ?? columns.firstIndex { $0.name == "id" }
  }

  /// The place of a row; nil: it has none.
  func place(_ row: UnsafeBufferPointer<Cell>) -> Position? {
    guard case .point(let position) = row[location] else { return nil }
    return position
  }
}
