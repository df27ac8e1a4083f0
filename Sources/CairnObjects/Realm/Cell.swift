import CairnStorage
import CairnValues

/// One cell of a live row: the chunk that it is in, and its row there.
///
/// Good until the session moves or writes; it is read at once and never kept.
@frozen
public struct _Cell {
  @usableFromInline let view: UnsafeMutableRawPointer
  @usableFromInline let row: Int

  @inline(__always)
  init(_ view: UnsafeMutablePointer<ChunkView>, _ row: Int) {
    self.view = UnsafeMutableRawPointer(view)
    self.row = row
  }

  /// The chunk.
  @inline(__always)
  var chunk: Chunk { view.assumingMemoryBound(to: ChunkView.self).pointee.chunk }
}

extension ClassHandle {
  /// The cell of a column in a row; a row that was deleted is a programming error.
  @inline(__always)
  func cell(_ column: Int, at key: Int) -> _Cell {
    let row = key & (ChunkShape.rows - 1)
    if let view = cache.view(column, key >> ChunkShape.shift), view.pointee.holds(row) {
      return _Cell(view, row)
    }
    return freshCell(column, key)
  }

  @inline(never)
  private func freshCell(_ column: Int, _ key: Int) -> _Cell {
    session.lock.withLock { _ in
      checkLive(key)
      let chunk = key >> ChunkShape.shift
      let row = key & (ChunkShape.rows - 1)
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
    guard let row else { ObjectBase.missingRow() }
    return row.handle.cell(column, at: row.key)
  }

  /// The same, nil when it is null.
  @usableFromInline
  final func cellUnlessNull(_ column: Int) -> _Cell? {
    let cell = cell(column)
    return cell.chunk.isNull(cell.row) ? nil : cell
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
    return cell.chunk.isNull(cell.row) ? nil : cell
  }
}
