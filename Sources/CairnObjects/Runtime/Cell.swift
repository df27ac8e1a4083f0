import CairnStorage
import CairnSystem
import CairnValues

/// One cell of a live row: its chunk, and its row within the chunk.
///
/// A cell is valid until the session advances or writes. Read it at once and never keep it.
///
/// Numbers are decoded here rather than by `Chunk`, because declarations with package access are
/// not inlined into other modules (Swift 6.3), and a call for each step would cost more than the
/// step.
@frozen
public struct _Cell {
  @usableFromInline let view: UnsafeMutableRawPointer
  @usableFromInline let row: Int

  @inline(__always)
  init(_ view: UnsafeMutablePointer<ChunkView>, row: Int) {
    assert(row >= 0 && row < ChunkShape.rows, "a row is outside of the chunk")
    self.view = UnsafeMutableRawPointer(view)
    self.row = row
  }

  /// The view of the chunk. Valid until the session's clock ticks.
  @inline(__always)
  private var pointer: UnsafeMutablePointer<ChunkView> {
    view.assumingMemoryBound(to: ChunkView.self)
  }

  /// The chunk.
  @inline(__always)
  var chunk: Chunk { pointer.pointee.chunk }

  /// Whether the cell is null.
  @inline(__always)
  var isNull: Bool {
    guard let nulls = pointer.pointee.chunk.nulls else { return false }
    return nulls[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  /// The integer in a column of integers.
  @inline(__always)
  var int: Int64 { pointer.pointee.numbers.int(row) }

  /// The number in a column of doubles.
  @inline(__always)
  var double: Double {
    guard pointer.pointee.numbers.isDoubles else { return chunk.double(at: row) }
    // The buffer of a transaction has memory for all rows, and no header before them.
    assert(row < chunk.count || chunk.base == chunk.codes, "a row is outside of the chunk")
    return pointer.pointee.chunk.codes.load(fromByteOffset: row &* 8, as: Double.self)
  }

  /// The bytes of a string, of data, or of a value of a fixed width that is not a number. Valid until
  /// the session's clock ticks.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer { chunk.bytes(at: row) }

  /// The text of a string.
  @inline(__always)
  var text: String {
    guard pointer.pointee.chunk.encoding == .bytes else { return chunk.string(at: row) }
    let (start, end) =
      pointer.pointee.chunk.width == 2
      ? offsets(as: UInt16.self) : offsets(as: UInt32.self)
    assert(row < chunk.count && start <= end, "the offsets of a row do not rise")
    let bytes = UnsafeRawBufferPointer(
      start: pointer.pointee.chunk.heap + start, count: end - start)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The offsets of the first byte, and of that after the last one.
  @inline(__always)
  private func offsets<Offset: FixedWidthInteger>(as type: Offset.Type) -> (start: Int, end: Int) {
    let codes = pointer.pointee.chunk.codes + row &* MemoryLayout<Offset>.size
    let end = codes.load(fromByteOffset: MemoryLayout<Offset>.size, as: type)
    return (Int(truncatingIfNeeded: codes.load(as: type)), Int(truncatingIfNeeded: end))
  }
}

/// The division of keys into chunks and rows, as constants of this module so that they are inlined.
enum RowLayout {
  @inline(__always) static var shift: Int { 12 }
  @inline(__always) static var rowMask: Int { 4095 }
}

extension ClassHandle {
  /// The cell of a column in a row; nil if it is not cached, or the row was deleted.
  @inline(__always)
  func cachedCell(_ column: Int, at key: Int, on thread: UInt) -> _Cell? {
    guard let view = cache.view(column, chunk: key &>> RowLayout.shift, on: thread),
      view.pointee.numbers.holds(key & RowLayout.rowMask)
    else { return nil }
    return _Cell(view, row: key & RowLayout.rowMask)
  }

  /// The cell of a column in a row; a deleted row is a programming error.
  @inline(__always)
  func cell(_ column: Int, at key: Int) -> _Cell {
    cachedCell(column, at: key, on: Caller.threadPointer) ?? loadCell(column, key: key)
  }

  @inline(never)
  func loadCell(_ column: Int, key: Int) -> _Cell {
    session.checkThread()
    session.trackRead(self, column: column, key: key)
    return session.lock.withLock { _ in
      checkLive(key)
      let chunk = key >> RowLayout.shift
      let row = key & RowLayout.rowMask
      let cache = frozenCache ?? cache
      // The view may be valid all the same: the cell is one of a frozen class, whose clock never
      // ticks, the caller comes from another thread, or the read is tracked.
      if let view = cache.viewForAnyThread(column, chunk: chunk) { return _Cell(view, row: row) }
      // A view of one row counts as outdated at once, so that a read of another row replaces it.
      let single = frozenCache == nil ? table.column(column).rowOnly(RowAddress(key)) : nil
      let fresh = ChunkView(
        time: single == nil ? cache.clock.pointee : .min,
        rowCount: table.rowCount(ofChunk: chunk),
        liveRowBitmap: table.liveRowBitmap(ofChunk: chunk),
        chunk: single ?? table.column(column).chunk(chunk))
      return _Cell(cache.keep(fresh, column: column, chunk: chunk), row: row)
    }
  }
}

/// The most common properties. `@_effects(releasenone)` is true because a read releases nothing that
/// a program can see. It frees the caller from keeping the object alive meanwhile, which would take
/// longer than the read. A read that is tracked has an effect, so it is not `readonly`.
extension ObjectBase {
  /// The number in a column of ints.
  @_effects(releasenone)
  @usableFromInline
  final func int(_ column: Int) -> Int {
    let thread = Caller.threadPointer
    guard let row,
      let view = row.handle.cache.numbers(column, chunk: row.key &>> RowLayout.shift, on: thread),
      view.pointee.holds(row.key & RowLayout.rowMask)
    else { return loadInt(column) }
    return Int(truncatingIfNeeded: view.pointee.int(row.key & RowLayout.rowMask))
  }

  /// The number in a column of doubles.
  @_effects(releasenone)
  @usableFromInline
  final func double(_ column: Int) -> Double {
    let thread = Caller.threadPointer
    guard let row,
      let view = row.handle.cache.numbers(column, chunk: row.key &>> RowLayout.shift, on: thread),
      view.pointee.holds(row.key & RowLayout.rowMask), view.pointee.isDoubles
    else { return loadDouble(column) }
    return view.pointee.codes.load(
      fromByteOffset: (row.key & RowLayout.rowMask) &* 8, as: Double.self)
  }

  @inline(never)
  private final func loadInt(_ column: Int) -> Int { Int(_cell: cell(column)) }

  @inline(never)
  private final func loadDouble(_ column: Int) -> Double { cell(column).double }

  /// The string in a column of strings.
  @usableFromInline
  final func text(_ column: Int) -> String { String(_cell: cell(column)) }
}

extension ObjectBase {
  /// The cell of a column in the object's row.
  @usableFromInline
  final func cell(_ column: Int) -> _Cell {
    if let pointer = cachedCell(column) { return pointer }
    return managedRow.handle.loadCell(column, key: managedRow.key)
  }

  /// The cell of a column in the object's row; nil if the cell is null.
  @usableFromInline
  final func cellUnlessNull(_ column: Int) -> _Cell? {
    let cell = cell(column)
    return cell.isNull ? nil : cell
  }

  // A separate function that calls nothing, so that the compiler counts no reference to the class.
  @inline(__always)
  private final func cachedCell(_ column: Int) -> _Cell? {
    let thread = Caller.threadPointer
    guard let row else { return nil }
    return row.handle.cachedCell(column, at: row.key, on: thread)
  }
}

extension Row {
  /// The cell of a column in the row.
  @usableFromInline
  func cell(_ column: Int) -> _Cell { handle.cell(column, at: key) }

  /// The cell of a column in the row; nil if the cell is null.
  @usableFromInline
  func cellUnlessNull(_ column: Int) -> _Cell? {
    let cell = handle.cell(column, at: key)
    return cell.isNull ? nil : cell
  }
}
