import CairnStorage

/// The objects whose locations or geometries the rows of a class are compared by, where these lie
/// behind links: for each row, the key of the object at the end of the path. Read-only once it is made.
final class JoinTargets {
  private let keys: UnsafeMutablePointer<Int>
  private let count: Int

  /// Follows the links of the rows on all cores, chunk by chunk.
  ///
  /// - Parameters:
  ///   - linkSteps: The links, each to one object.
  ///   - column: The column of the objects at the end that must not be null.
  ///   - rows: The rows; those that lead to nothing are removed.
  init(_ linkSteps: [LinkStep], column: Column, rows: RowBitmap, of table: Table, end: Table) {
    let count = table.endKey
    let keys = UnsafeMutablePointer<Int>.allocate(capacity: max(1, count))
    self.keys = keys
    self.count = count
    let chunks = (0..<table.chunkCount).filter(rows.hasRows)
    for linkStep in linkSteps { linkStep.prepare() }
    column.prepareAll(of: end)
    WorkerPool.shared.run(chunks.count) { index in
      rows.keep(ofChunk: chunks[index]) { key in
        guard let target = linkSteps.target(of: key) else { return false }
        let address = RowAddress(target)
        assert(key >= 0 && key < count, "the row does not exist")
        keys[key] = target
        return !column.chunk(address.chunk).isRowNull(address.row)
      }
    }
  }

  deinit { keys.deallocate() }

  /// The object of a row that takes part.
  @inline(__always)
  subscript(key: Int) -> Int {
    assert(key >= 0 && key < count, "the row does not exist")
    return keys[key]
  }
}

extension [LinkStep] {
  /// The object at the end of the links of a row; nil if one of them is null.
  fileprivate func target(of key: Int) -> Int? {
    var target: Int? = key
    for linkStep in self {
      guard let origin = target else { return nil }
      target = nil
      _ = linkStep.forEach(origin) { found in
        target = found
        return false
      }
    }
    return target
  }
}
