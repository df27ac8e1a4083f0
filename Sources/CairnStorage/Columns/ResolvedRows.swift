/// The rows of a chunk with large values, as addresses and lengths.
final class ResolvedRows {
  private let rows = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(
    capacity: ChunkShape.rows)
  /// The edits of the chunk when `latest` was made.
  private var edits = -1
  /// The chunk that was made last.
  private(set) var latest: Chunk?
  /// How often a single row was read since then.
  private var singleReads = 0

  /// The number of single rows that may be read before all are resolved.
  private static let maxSingleReads = 64

  deinit { rows.deallocate() }

  /// Returns the chunk that was made last if the source has not been edited since.
  ///
  /// - Parameter edits: The present number of edits.
  func current(for source: Chunk, edits: Int) -> Chunk? {
    guard let latest, self.edits == edits, latest.count == source.count,
      latest.nulls == source.nulls
    else { return nil }
    return latest
  }

  /// Returns whether the next read of a single row should resolve only that row.
  func isSingleRead(edits: Int) -> Bool {
    if self.edits != edits {
      self.edits = edits
      latest = nil
      singleReads = 0
    }
    singleReads += 1
    return singleReads <= Self.maxSingleReads
  }

  /// Returns a chunk with the same rows, in which large values replace their references.
  ///
  /// The chunk is valid until the next call, and while the source and the values are.
  ///
  /// - Parameters:
  ///   - edits: The number of edits of the chunk.
  ///   - value: Returns the value of a row; nil if the store has lost it, or if the row was deleted.
  func chunk(
    of source: Chunk, edits: Int, value: (LargeReference, Int) -> UnsafeRawBufferPointer?
  ) -> Chunk {
    assert(source.count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    assert(source.codes != UnsafeRawPointer(rows), "the source is the result")
    for row in 0..<source.count {
      (rows + row).initialize(to: Self.bytes(of: source, row: row, value: value))
    }
    let chunk = view(source)
    self.edits = edits
    latest = chunk
    singleReads = 0
    return chunk
  }

  /// Returns a chunk in which only one row may be read. It is valid until the next call.
  func chunk(
    of source: Chunk, row: Int, value: (LargeReference, Int) -> UnsafeRawBufferPointer?
  ) -> Chunk {
    assert(row >= 0 && row < source.count, "the chunk does not have the row")
    (rows + row).initialize(to: Self.bytes(of: source, row: row, value: value))
    return view(source)
  }

  private static func bytes(
    of source: Chunk, row: Int, value: (LargeReference, Int) -> UnsafeRawBufferPointer?
  ) -> UnsafeRawBufferPointer {
    let bytes = source.bytes(at: row)
    guard let reference = LargeReference(bytes), !source.isNull(row) else { return bytes }
    guard let found = value(reference, row), found.count == reference.size else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return found
  }

  private func view(_ source: Chunk) -> Chunk {
    Chunk(
      base: UnsafeRawPointer(rows), encoding: .spans, count: source.count, nulls: source.nulls,
      codes: UnsafeRawPointer(rows), heap: UnsafeRawPointer(rows), heapSize: 0)
  }
}
