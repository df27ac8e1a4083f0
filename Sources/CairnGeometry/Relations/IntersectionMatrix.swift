/// The dimensions in which the interiors, boundaries and exteriors of two geometries meet: the
/// dimensionally extended nine-intersection model (DE-9IM) of OGC 06-103r4.
///
/// The boundary of a polygon is its rings, and that of lines the points where an odd number of them
/// ends. Points have none. A collection is the union of its members: the interiors of its polygons come
/// before their boundaries, and these before lines and points.
package struct IntersectionMatrix: Hashable, Sendable {
  /// A part of the plane as a geometry divides it.
  package enum Part: Int, Sendable, CaseIterable {
    case interior
    case boundary
    case exterior
  }

  /// A dimension for each pair of parts, in order of the parts of the first geometry; -1 where two do
  /// not meet.
  private var dimensions: [Int]

  /// The matrix of two empty geometries: only their exteriors meet.
  package init() {
    dimensions = Array(repeating: -1, count: 9)
    self[.exterior, .exterior] = 2
  }

  /// The dimension in which a part of the first geometry meets a part of the second one: 0 for
  /// points, 1 for lines, 2 for areas, -1 if they do not meet.
  package subscript(one: Part, other: Part) -> Int {
    get { dimensions[one.rawValue * 3 + other.rawValue] }
    set { dimensions[one.rawValue * 3 + other.rawValue] = newValue }
  }

  /// Adds a set of points that lies in a part of each geometry.
  mutating func insert(_ cell: PlaneCell) {
    self[cell.one, cell.other] = max(self[cell.one, cell.other], cell.dimension)
  }

  /// Whether the matrix has the dimensions of a pattern.
  package func matches(_ pattern: IntersectionPattern) -> Bool {
    zip(dimensions, pattern.conditions).allSatisfy { $1.holds($0) }
  }
}

extension IntersectionMatrix: CustomStringConvertible {
  /// The nine dimensions, with F for parts that do not meet, such as `212101212`.
  package var description: String {
    dimensions.map { $0 < 0 ? "F" : String($0) }.joined()
  }
}

/// A pattern of matrices: for each pair of parts `T` if they meet, `F` if they do not, `0`, `1` or `2`
/// for a dimension, and `*` for any.
package struct IntersectionPattern: Hashable, Sendable {
  /// A condition on a dimension.
  fileprivate enum Condition: Hashable, Sendable {
    case any
    case meets
    case apart
    case dimension(Int)

    init?(_ letter: Character) {
      switch letter {
      case "*": self = .any
      case "T", "t": self = .meets
      case "F", "f": self = .apart
      case "0", "1", "2": self = .dimension(letter.wholeNumberValue ?? 0)
      default: return nil
      }
    }

    func holds(_ dimension: Int) -> Bool {
      switch self {
      case .any: true
      case .meets: dimension >= 0
      case .apart: dimension < 0
      case .dimension(let wanted): dimension == wanted
      }
    }
  }

  fileprivate let conditions: [Condition]

  /// Reads a pattern. Throws unless it has nine of the characters `T`, `F`, `*`, `0`, `1` and `2`.
  package init(_ text: String) throws(GeometryError) {
    conditions = text.compactMap { Condition($0) }
    guard conditions.count == 9, text.count == 9 else {
      throw GeometryError(
        .encoding,
        message:
          "'\(text)' is not a pattern of nine of the characters T, F, *, 0, 1 and 2, such as "
          + "T*F**F***")
    }
  }
}
