/// The values of columns that a class keeps in another way than the server, counted.
package struct ValueChanges: Sendable {
  /// The ways in which a value is changed.
  enum Kind: Int, CaseIterable, Sendable {
    /// A list is empty instead of null.
    case nullArray
    /// A geometry without coordinates is null.
    case emptyShape
    /// The measures (M) of a geometry are left out.
    case measures
    /// A date is rounded, because a double has no digits for its microseconds.
    case roundedDate
  }

  private let names: [String]
  private var counts: [Int]

  /// - Parameter names: The names of the columns.
  init(of names: [String]) {
    self.names = names
    counts = Array(repeating: 0, count: names.count * Kind.allCases.count)
  }

  mutating func add(_ kind: Kind, column: Int) {
    counts[column * Kind.allCases.count + kind.rawValue] += 1
  }

  /// The changes in words, by column.
  package var words: [String] {
    names.indices.flatMap { column in
      Kind.allCases.compactMap { kind in
        let count = counts[column * Kind.allCases.count + kind.rawValue]
        return count == 0 ? nil : "'\(names[column])': \(kind.words(count))"
      }
    }
  }
}

extension ValueChanges.Kind {
  fileprivate func words(_ count: Int) -> String {
    let isOne = count == 1
    return switch self {
    case .nullArray: isOne ? "1 null became an empty list" : "\(count) nulls became empty lists"
    case .emptyShape:
      isOne ? "1 empty geometry became null" : "\(count) empty geometries became null"
    case .measures:
      "the measures (M) of \(count) \(isOne ? "geometry" : "geometries") were left out"
    case .roundedDate:
      "\(count) \(isOne ? "date was" : "dates were") rounded to the digits of a double"
    }
  }
}
