import CairnGeometry
import CairnStorage
import CairnValues

/// The pieces that an overlay of two classes keeps. The raw value is its name.
package enum OverlayPieces: String, CaseIterable, Sendable {
  /// The common part of each pair.
  case intersection
  /// The common parts, and those that only one of the classes has.
  case union
  /// The parts that only the left class has.
  case difference
  /// The common parts, and those that only the left class has.
  case identity
  /// The parts that only one of the classes has.
  case symmetric

  /// Whether common parts are kept.
  var hasPairs: Bool { self == .intersection || self == .union || self == .identity }
  /// Whether parts are kept that only the left class has.
  var hasLeftRest: Bool { self != .intersection }
  /// Whether parts are kept that only the right class has.
  package var hasRightRest: Bool { self == .union || self == .symmetric }
}

/// The pieces into which the polygons of two classes cut each other, in the plane of longitude and
/// latitude.
///
/// Confined to the thread of the tables' snapshot; the work inside uses all cores, in waves of some
/// hundred pieces.
package final class Overlay {
  /// A piece, and the rows that it comes from.
  package struct Piece {
    /// The left row; nil for a part that only a right row has.
    package let left: Int?
    /// The right row; nil for a part that only a left row has.
    package let right: Int?
    /// The geometry.
    package let geometry: Geometry
  }

  /// A failure of a piece.
  package struct PieceFailure: Error {
    /// The left row.
    package let left: Int?
    /// The right row.
    package let right: Int?
    /// The reason.
    package let cause: GeometryError
  }

  /// A piece that is to be made: the part of a row in the first of some other rows, or outside of all.
  fileprivate struct Task {
    let side: JoinQuery.Side
    let key: Int
    let others: ArraySlice<Int>
    let isPair: Bool
    var geometry: Geometry?
    var cutters: [GeometryCutter] = []
    /// The areas of many others, which are joined before they cut.
    var areas: [Geometry] = []
    var result: Result<Geometry?, GeometryError> = .success(nil)
  }

  /// The most areas that cut one after the other. More are joined first, because each cut copies what
  /// is left.
  private static let maxCuts = 4
  /// The most prepared areas that are kept for the next waves.
  private static let maxCutters = 4096

  private let pieces: OverlayPieces
  private let execution: JoinExecution
  private var cutters: [Cutter: GeometryCutter] = [:]

  /// The row and the side that a prepared area keeps.
  private struct Cutter: Hashable {
    let side: JoinQuery.Side
    let key: Int
    let keepsInside: Bool
  }

  /// Prepares an overlay.
  ///
  /// - Parameters:
  ///   - left: The left class, and its rows.
  ///   - right: The right class, whose geometries are polygons.
  /// - Throws: As ``JoinExecution`` does.
  package init(
    _ pieces: OverlayPieces, of left: JoinQuery.Input, in leftTable: Table,
    and right: JoinQuery.Input, in rightTable: Table
  ) throws {
    self.pieces = pieces
    execution = try JoinExecution(
      JoinQuery(left: left, right: right, on: .relation(.intersects, edges: .planar)),
      left: leftTable, right: rightTable)
  }

  /// Whether some pieces come from no row of a side.
  package func canMissRows(of side: JoinQuery.Side) -> Bool {
    side == .left ? pieces.hasRightRest : pieces.hasLeftRest
  }

  /// Calls `body` with each piece: those of the left rows in the order of their keys, then what only
  /// the right rows have.
  ///
  /// - Parameter progress: Receives the number of pieces that were tried, between waves.
  /// - Throws: ``PieceFailure``, and the errors of `body` and `progress`.
  package func forEachPiece(
    _ body: (Piece) throws -> Void, progress: (Int) throws -> Void
  ) throws {
    let pairs = try execution.pairs().compactMap { pair in
      pair.right.map { (left: pair.left, right: $0) }
    }
    var waiting: [Task] = []
    var done = 0
    func work() throws {
      try run(&waiting, body)
      done += waiting.count
      waiting.removeAll(keepingCapacity: true)
      try progress(done)
    }
    func add(_ task: Task) throws {
      waiting.append(task)
      if waiting.count == WorkerPool.shared.width * 64 { try work() }
    }
    let lefts = Self.partners(pairs.map { ($0.left, $0.right) })
    for (key, others) in lefts {
      if pieces.hasPairs {
        for index in others.indices {
          try add(Task(side: .left, key: key, others: others[index...index], isPair: true))
        }
      }
      if pieces.hasLeftRest {
        try add(Task(side: .left, key: key, others: others[...], isPair: false))
      }
    }
    if pieces.hasLeftRest { try addAlone(.left, besides: lefts.map(\.key), add) }
    if pieces.hasRightRest {
      let rights = Self.partners(pairs.map { ($0.right, $0.left) })
      for (key, others) in rights {
        try add(Task(side: .right, key: key, others: others[...], isPair: false))
      }
      try addAlone(.right, besides: rights.map(\.key), add)
    }
    try work()
  }

  /// The partners of each row that has any, in the order of the keys.
  private static func partners(_ pairs: [(key: Int, other: Int)]) -> [(key: Int, others: [Int])] {
    var found: [(key: Int, others: [Int])] = []
    for (key, other) in pairs.sorted(by: { ($0.key, $0.other) < ($1.key, $1.other) }) {
      if found.last?.key == key {
        found[found.count - 1].others.append(other)
      } else {
        found.append((key, [other]))
      }
    }
    return found
  }

  /// Adds the rows of a side that have no partner.
  private func addAlone(
    _ side: JoinQuery.Side, besides keys: [Int], _ add: (Task) throws -> Void
  ) throws {
    let paired = Set(keys)
    let input = side == .left ? execution.left : execution.right
    for key in input.rows.keys where !paired.contains(key) {
      try add(Task(side: side, key: key, others: [], isPair: false))
    }
  }

  private func run(_ tasks: inout [Task], _ body: (Piece) throws -> Void) throws {
    for index in tasks.indices {
      let task = tasks[index]
      tasks[index].geometry = geometry(task.key, task.side)
      do throws(GeometryError) {
        if task.others.count > Self.maxCuts {
          tasks[index].areas = task.others.compactMap { geometry($0, task.side.other) }
          continue
        }
        for other in task.others {
          tasks[index].cutters.append(
            try cutter(Cutter(side: task.side.other, key: other, keepsInside: task.isPair)))
        }
      } catch {
        throw failure(task, error)
      }
    }
    tasks.withUnsafeMutableBufferPointer { tasks in
      WorkerPool.shared.run(tasks.count) { index in tasks[index].run() }
    }
    for task in tasks {
      switch task.result {
      case .failure(let error): throw failure(task, error)
      case .success(nil): continue
      case .success(let geometry?):
        let other = task.isPair ? task.others.first : nil
        try body(
          Piece(
            left: task.side == .left ? task.key : other,
            right: task.side == .right ? task.key : other, geometry: geometry))
      }
    }
  }

  private func failure(_ task: Task, _ error: GeometryError) -> PieceFailure {
    let other = task.others.first
    return PieceFailure(
      left: task.side == .left ? task.key : other, right: task.side == .right ? task.key : other,
      cause: error)
  }

  private func cutter(_ wanted: Cutter) throws(GeometryError) -> GeometryCutter {
    if let known = cutters[wanted] { return known }
    if cutters.count >= Self.maxCutters { cutters.removeAll() }
    guard let area = geometry(wanted.key, wanted.side) else {
      throw GeometryError(.library, message: "a row of the pairs has no geometry")
    }
    let made = try GeometryCutter(area, keeping: wanted.keepsInside ? .inside : .outside)
    cutters[wanted] = made
    return made
  }

  /// The geometry of a row; nil if it has none.
  private func geometry(_ key: Int, _ side: JoinQuery.Side) -> Geometry? {
    guard case .places(let left, let right) = execution.sides else { return nil }
    let column = side == .left ? left.column : right.column
    let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
    return chunk.isRowNull(row) ? nil : Geometry(packed: Array(chunk.rowBytes(row)))
  }
}

extension Overlay.Task {
  /// Makes the piece.
  fileprivate mutating func run() {
    guard let geometry else { return }
    result = Result { () throws(GeometryError) in
      if !areas.isEmpty {
        let area = try Geometry.union(of: areas)
        return try GeometryCutter(area, keeping: .outside).part(of: geometry)
      }
      var rest: Geometry? = geometry.isEmpty ? nil : geometry
      for cutter in cutters {
        guard let left = rest else { break }
        rest = try cutter.part(of: left)
      }
      return rest
    }
    self.geometry = nil
    (cutters, areas) = ([], [])
  }
}
