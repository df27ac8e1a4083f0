import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The work of `overlay`: a row for each piece into which the geometries of two classes cut each
/// other.
struct OverlayRun: ComputedRows {
  /// One class, and its geometry.
  private struct Side {
    let source: OpenedClass
    let geometry: ColumnSchema

    init(_ source: OpenedClass) throws {
      self.source = source
      geometry = try source.location(for: "which an overlay needs")
      guard geometry.isGeometry else {
        throw Failure(
          .usage,
          message: "'\(source.schema.name)' has locations, which cannot be cut; "
            + "'cairn join' pairs them with areas")
      }
    }

    var input: JoinQuery.Input {
      JoinQuery.Input(table: source.schema.name, path: PropertyPath(geometry.name))
    }

    /// The columns of the output, without the geometry.
    var properties: [ColumnSchema] {
      source.schema.properties.filter { $0.position != geometry.position }
    }
  }

  /// A number that is shared out, and its place among the values given with each row.
  private struct Share {
    let column: ColumnSchema
    let isLeft: Bool
  }

  /// The columns of the output.
  let columns: [OutputColumn]
  private let left: Side
  private let right: Side
  private let overlay: Overlay
  private let shares: [Share]

  init(
    _ classes: ClassPairArguments, _ pieces: OverlayPieces, share: [String], isUntrusted: Bool,
    into target: NewClass?
  ) throws {
    let references = try classes.references()
    try ClassReference.rejectRest([references.condition].compactMap(\.self)[...])
    let opened = try references.left.open(
      with: references.right, into: target, untrusted: isUntrusted)
    (left, right) = (try Side(opened.left), try Side(opened.right))
    (columns, shares) = try Self.columns(left, right, pieces, share)
    overlay = try Overlay(
      pieces, of: left.input, in: left.source.table, and: right.input,
      in: right.source.table)
  }

  /// The columns of both classes: those of the right one have the name of the class in front if the left
  /// one has a column of the same name. A difference has no right ones.
  private static func columns(
    _ left: Side, _ right: Side, _ pieces: OverlayPieces, _ share: [String]
  ) throws -> ([OutputColumn], [Share]) {
    var columns: [OutputColumn] = []
    var shares: [Share] = []
    var wanted = share.flatMap { $0.split(separator: ",") }.map { String($0.trimmingSpaces()) }
    func add(_ column: ColumnSchema, name: String, isLeft: Bool) throws {
      if let index = wanted.firstIndex(of: name) {
        wanted.remove(at: index)
        guard column.type.isNumeric, column.collection == .none else {
          throw Failure(
            .usage, message: "--share shares out numbers, and '\(name)' is a \(column.typeText)")
        }
        shares.append(Share(column: column, isLeft: isLeft))
        columns.append(OutputColumn(name: name, type: .double, source: .given(shares.count)))
      } else {
        columns.append(
          OutputColumn(
            name: name, type: column.type, source: .stored(column.position),
            table: isLeft ? 0 : 1))
      }
    }
    for column in left.properties { try add(column, name: column.name, isLeft: true) }
    for column in pieces == .difference ? [] : right.properties {
      let isTaken = columns.contains { $0.name == column.name } || column.name == left.geometry.name
      let name = isTaken ? "\(right.source.schema.name)_\(column.name)" : column.name
      try add(column, name: name, isLeft: false)
    }
    if let unknown = wanted.first {
      throw Failure(
        .usage,
        message: "--share: the output has no column '\(unknown)'"
          + Hint.text(unknown, among: columns.map(\.name)))
    }
    columns.append(OutputColumn(name: left.geometry.name, type: .geometry, source: .given(0)))
    return (columns, shares)
  }

  /// The column of a class that an output column shows unchanged.
  func origin(_ column: OutputColumn) -> ColumnSchema? {
    guard case .stored(let position) = column.source else { return nil }
    let side = column.table == 0 ? left : right
    let origin = side.source.schema.columns[position]
    // The other class has no row for some pieces.
    return overlay.canMissRows(of: column.table == 0 ? .left : .right)
      ? origin.changed(isOptional: true) : origin
  }

  /// The class that the rows come from.
  var source: OpenedClass { left.source }

  /// The subject of a map.
  var subject: MapSubject {
    var subject = MapSubject()
    subject.title = "\(left.source.schema.name) and \(right.source.schema.name)"
    return subject
  }

  /// Writes the pieces.
  func write(to writer: RowWriter, _ progress: any ProgressReporter) throws {
    let (left, right) = (self.left.source.table, self.right.source.table)
    let measures = PieceShares(self.left.geometry, self.right.geometry)
    do {
      try overlay.forEachPiece { piece in
        let leftRow = piece.left.map { TableRow($0, of: left) }
        let rightRow = piece.right.map { TableRow($0, of: right) }
        let numbers = try shares.map { share in
          try (share.isLeft ? leftRow : rightRow).map { row in
            try measures.value(share.column, of: row, isLeft: share.isLeft, in: piece.geometry)
          } ?? .null
        }
        try writer.write(leftRow, and: rightRow) { index in
          index == 0 ? .geometry(piece.geometry.bytes) : numbers[index - 1]
        }
      } progress: { count in
        // The process ends as soon as a new store is removed.
        if Interruption.isPending { throw CancellationError() }
        progress.show(WorkProgress(phase: "cutting", rows: count))
      }
    } catch let error as Overlay.PieceFailure {
      let rows = [error.left.map(left.name), error.right.map(right.name)].compactMap { $0 }
      throw Failure(
        .badData, message: "\(rows.joined(separator: " and ")): \(error.cause.message)")
    }
    progress.clear()
  }
}

/// The shares of pieces in the measures of their rows: in the area of polygons on the sphere, with the
/// straight edges along which they were cut, so that the shares of all pieces make 1; or in the length
/// of lines.
private final class PieceShares {
  private let geometries: (left: ColumnSchema, right: ColumnSchema)
  /// The measures of the left rows and of the right ones, by their keys.
  private var measures: (left: [Int: Double], right: [Int: Double]) = ([:], [:])

  init(_ left: ColumnSchema, _ right: ColumnSchema) { geometries = (left, right) }

  /// The number of a row times the share of a piece; null if the row has no number.
  ///
  /// - Throws: An error that says what to install, if the piece is a line and PROJ is missing.
  func value(
    _ column: ColumnSchema, of row: TableRow, isLeft: Bool, in piece: Geometry
  ) throws -> Value {
    guard let number = row.table.value(column.position, at: row.key).doubleValue else {
      return .null
    }
    let whole = try measure(of: row, isLeft: isLeft)
    return try whole > 0 ? .double(number * Self.measure(piece) / whole) : .null
  }

  /// The measure of a row, which mostly has several pieces.
  private func measure(of row: TableRow, isLeft: Bool) throws -> Double {
    if let known = isLeft ? measures.left[row.key] : measures.right[row.key] { return known }
    let position = isLeft ? geometries.left.position : geometries.right.position
    guard case .geometry(let bytes) = row.table.value(position, at: row.key) else { return 0 }
    let measure = try Self.measure(Geometry(packed: bytes))
    if isLeft { measures.left[row.key] = measure } else { measures.right[row.key] = measure }
    return measure
  }

  private static func measure(_ geometry: Geometry) throws -> Double {
    try geometry.hasPolygons ? geometry.areaOfStraightEdges : geometry.length
  }
}
