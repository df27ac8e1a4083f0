import CairnStorage
import CairnValues

/// One cell of a live row: the chunk that it is in, and its row there.
///
/// Good until the session moves or writes; it is read at once and never kept.
///
/// Numbers are decoded here, not by `Chunk`: what a module offers its package alone is not inlined into others
/// (Swift 6.3), and a call for each step would cost more than the step.
@frozen
public struct _Cell {
  @usableFromInline let view: UnsafeMutableRawPointer
  @usableFromInline let row: Int

  @inline(__always)
  init(_ view: UnsafeMutablePointer<ChunkView>, _ row: Int) {
    self.view = UnsafeMutableRawPointer(view)
    self.row = row
  }

  @inline(__always)
  private var known: UnsafeMutablePointer<ChunkView> {
    view.assumingMemoryBound(to: ChunkView.self)
  }

  /// The chunk.
  @inline(__always)
  var chunk: Chunk { known.pointee.chunk }

  /// Whether the cell is null.
  @inline(__always)
  var isNull: Bool {
    guard let nulls = known.pointee.chunk.nulls else { return false }
    return nulls[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  /// The integer of a column of integers.
  @inline(__always)
  var int: Int64 {
    let codes = known.pointee.chunk.codes
    let code: UInt64 =
      switch known.pointee.chunk.width {
      case 0: 0
      case 1: UInt64(codes.load(fromByteOffset: row, as: UInt8.self))
      case 2: UInt64(codes.load(fromByteOffset: row &* 2, as: UInt16.self))
      case 4: UInt64(codes.load(fromByteOffset: row &* 4, as: UInt32.self))
      default: codes.load(fromByteOffset: row &* 8, as: UInt64.self)
      }
    return known.pointee.chunk.frame &+ Int64(bitPattern: code)
  }

  /// The number of a column of doubles.
  @inline(__always)
  var double: Double {
    guard case .doubles = known.pointee.chunk.encoding else { return chunk.double(at: row) }
    return known.pointee.chunk.codes.load(fromByteOffset: row &* 8, as: Double.self)
  }

  /// The bytes of a text, of data, or of a value of a fixed width that is no number.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer { chunk.bytes(at: row) }
}

/// How keys are divided into chunks and rows, as constants of this module.
private enum Shape {
  @inline(__always) static var shift: Int { 12 }
  @inline(__always) static var rowMask: Int { 4095 }
}

extension ClassHandle {
  /// The cell of a column in a row; nil where it is not known yet, or the row was deleted.
  @inline(__always)
  func knownCell(_ column: Int, at key: Int) -> _Cell? {
    guard let view = cache.view(column, key &>> Shape.shift),
      view.pointee.holds(key & Shape.rowMask)
    else { return nil }
    return _Cell(view, key & Shape.rowMask)
  }

  /// The cell of a column in a row; a row that was deleted is a programming error.
  @inline(__always)
  func cell(_ column: Int, at key: Int) -> _Cell {
    knownCell(column, at: key) ?? freshCell(column, key)
  }

  @inline(never)
  func freshCell(_ column: Int, _ key: Int) -> _Cell {
    session.lock.withLock { _ in
      checkLive(key)
      let chunk = key >> Shape.shift
      let row = key & Shape.rowMask
      let cache = frozenCache ?? cache
      // A frozen class remembers under the lock alone; its clock stands still, so that views stay good.
      if session.isFrozen, let view = cache.view(column, chunk) { return _Cell(view, row) }
      let fresh = ChunkView(
        time: cache.clock.pointee, rowCount: table.rowCount(ofChunk: chunk),
        liveness: table.liveness(ofChunk: chunk), chunk: table.column(column).chunk(chunk))
      return _Cell(cache.keep(fresh, column, chunk), row)
    }
  }
}

extension ObjectBase {
  /// The cell of a column in the object's row.
  @usableFromInline
  final func cell(_ column: Int) -> _Cell {
    if let known = knownCell(column) { return known }
    return managedRow.handle.freshCell(column, managedRow.key)
  }

  /// The same, nil when it is null.
  @usableFromInline
  final func cellUnlessNull(_ column: Int) -> _Cell? {
    let cell = cell(column)
    return cell.isNull ? nil : cell
  }

  // A function of its own, from which nothing is called: so nobody counts a reference to the class.
  @inline(__always)
  private final func knownCell(_ column: Int) -> _Cell? {
    guard let row else { return nil }
    return row.handle.knownCell(column, at: row.key)
  }
}

extension Row {
  /// The cell of a column in the row.
  @usableFromInline
  func cell(_ column: Int) -> _Cell { handle.cell(column, at: key) }

  /// The same, nil when it is null.
  @usableFromInline
  func cellUnlessNull(_ column: Int) -> _Cell? {
    let cell = handle.cell(column, at: key)
    return cell.isNull ? nil : cell
  }
}
