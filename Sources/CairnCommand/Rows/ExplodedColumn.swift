import CairnGeometry
import CairnIO
import CairnStorage
import CairnValues

/// The geometry of `--explode`: each of its parts becomes a row.
struct ExplodedColumn {
  /// The index of the parts of a stored geometry among the values given with each row.
  private static let storedIndex = -2
  /// The source of the parts of a stored geometry.
  static let source = OutputColumn.Source.given(storedIndex)

  /// The index of the geometry among the values given with each row.
  let index: Int
  /// The stored geometry; nil for one that is computed.
  private let position: Int?
  private let table: Table

  /// Finds the geometry among the columns of the output, which then has the parts of a stored one as
  /// given values.
  ///
  /// - Throws: A usage failure if the column is missing or has no geometries.
  init(_ name: String, in choice: inout ColumnChoice, of table: Table) throws {
    self.table = table
    guard let output = choice.columns.first(where: { $0.name == name }) else {
      throw Failure(
        .usage,
        message: "--explode: the output has no column '\(name)'"
          + Hint.text(name, among: choice.columns.map(\.name)))
    }
    guard output.type.isGeometry else {
      throw Failure(
        .usage,
        message: "--explode takes geometries apart, and '\(name)' is of type \(output.type.name)")
    }
    switch output.source {
    case .given(let index): (self.index, position) = (index, nil)
    case .stored(let position):
      (index, self.position) = (Self.storedIndex, position)
      choice.replace(position, by: Self.source)
    default:
      throw Failure(.usage, message: "--explode does not follow links, as '\(name)' does")
    }
  }

  /// The parts of a row's geometry: points, lines and polygons. One without parts, and null, are one
  /// row, too.
  ///
  /// - Parameter given: The values given with the row.
  func parts(of key: Int, given: (Int) -> Value) -> [Value] {
    let value = position.map { table.value($0, at: key) } ?? given(index)
    guard case .geometry(let bytes) = value else { return [value] }
    let parts = Geometry(packed: bytes).parts
    return parts.isEmpty ? [value] : parts.map { .geometry($0.bytes) }
  }
}
