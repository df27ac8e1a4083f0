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
  var int: Int64 { known.pointee.numbers.int(row) }

  /// The number of a column of doubles.
  @inline(__always)
  var double: Double {
    guard known.pointee.numbers.isDoubles else { return chunk.double(at: row) }
    return known.pointee.chunk.codes.load(fromByteOffset: row &* 8, as: Double.self)
  }

  /// The bytes of a text, of data, or of a value of a fixed width that is no number.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer { chunk.bytes(at: row) }
}

/// How keys are divided into chunks and rows, as constants of this module.
private enum KeyShape {
  @inline(__always) static var shift: Int { 12 }
  @inline(__always) static var rowMask: Int { 4095 }
}

extension ClassHandle {
  /// The cell of a column in a row; nil where it is not known yet, or the row was deleted.
  @inline(__always)
  func knownCell(_ column: Int, at key: Int, on thread: UInt) -> _Cell? {
    guard let view = cache.view(column, key &>> KeyShape.shift, on: thread),
      view.pointee.numbers.holds(key & KeyShape.rowMask)
    else { return nil }
    return _Cell(view, key & KeyShape.rowMask)
  }

  /// The cell of a column in a row; a row that was deleted is a programming error.
  @inline(__always)
  func cell(_ column: Int, at key: Int) -> _Cell {
    knownCell(column, at: key, on: Caller.thread) ?? freshCell(column, key)
  }

  @inline(never)
  func freshCell(_ column: Int, _ key: Int) -> _Cell {
    session.checkThread()
    return session.lock.withLock { _ in
      checkLive(key)
      let chunk = key >> KeyShape.shift
      let row = key & KeyShape.rowMask
      let cache = frozenCache ?? cache
      // A frozen class remembers under the lock alone; its clock stands still, so that views stay good.
      if session.isFrozen, let view = cache.viewForAnyThread(column, chunk) {
        return _Cell(view, row)
      }
      let fresh = ChunkView(
        time: cache.clock.pointee, rowCount: table.rowCount(ofChunk: chunk),
        liveness: table.liveness(ofChunk: chunk), chunk: table.column(column).chunk(chunk))
      return _Cell(cache.keep(fresh, column, chunk), row)
    }
  }
}

/// The commonest properties. Reading has no effect that a program can see; said of a function, whoever calls it need not
/// keep the object alive meanwhile, which would take longer than the reading.
extension ObjectBase {
  /// The number of a column of ints.
  @_effects(readonly)
  @usableFromInline
  final func int(_ column: Int) -> Int {
    let thread = Caller.thread
    guard let row,
      let view = row.handle.cache.numbers(column, row.key &>> KeyShape.shift, on: thread),
      view.pointee.holds(row.key & KeyShape.rowMask)
    else { return freshInt(column) }
    return Int(truncatingIfNeeded: view.pointee.int(row.key & KeyShape.rowMask))
  }

  /// The number of a column of doubles.
  @_effects(readonly)
  @usableFromInline
  final func double(_ column: Int) -> Double {
    let thread = Caller.thread
    guard let row,
      let view = row.handle.cache.numbers(column, row.key &>> KeyShape.shift, on: thread),
      view.pointee.holds(row.key & KeyShape.rowMask), view.pointee.isDoubles
    else { return freshDouble(column) }
    return view.pointee.codes.load(
      fromByteOffset: (row.key & KeyShape.rowMask) &* 8, as: Double.self)
  }

  @inline(never)
  private final func freshInt(_ column: Int) -> Int { Int(_cell: cell(column)) }

  @inline(never)
  private final func freshDouble(_ column: Int) -> Double { cell(column).double }

  /// The text of a column of texts.
  @usableFromInline
  final func text(_ column: Int) -> String { String(_cell: cell(column)) }
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
    let thread = Caller.thread
    guard let row else { return nil }
    return row.handle.knownCell(column, at: row.key, on: thread)
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
