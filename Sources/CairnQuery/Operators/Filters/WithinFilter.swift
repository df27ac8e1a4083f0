import CairnGeometry
import CairnIndex
import CairnStorage

/// A condition that a location lies in a region. Null locations are in no region.
///
/// As an access path it streams its matches from the R-tree (``SpatialSource``). As a filter it
/// works chunk by chunk: it searches the subtree of a chunk that the R-tree covers, and tests the
/// points of other chunks one by one.
final class WithinFilter: Filter {
  let column: Column
  let region: Region
  let source: SpatialSource<PointEntry, Region>

  init(_ column: Column, region: Region, table: Table) {
    self.column = column
    self.region = region
    source = SpatialSource(table, column: column, condition: region)
  }

  override var cost: Double { 6 }

  override var spatialAccess: SpatialAccess? { source.index == nil ? nil : .points(self) }
  override var description: String { "\(column.schema.name) within \(region.description)" }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    guard selection.lower < selection.upper else { return }
    let chunk = column.chunk(index)
    if let nulls = chunk.nulls { selection.remove(nulls) }
    guard selection.trim() else { return }
    guard let run = source.run(ofChunk: index), selection.upper - selection.lower > 4 else {
      return test(&selection, chunk: chunk)
    }
    refine(&selection, at: index, chunk: chunk, run: run, scratch: scratch)
  }

  /// Keeps the rows that match by the run's R-tree. Rows that the run does not cover are tested one
  /// by one.
  private func refine(
    _ selection: inout Selection, at index: Int, chunk: Chunk, run: BaseRunReader<PointEntry>,
    scratch: ScratchBuffers
  ) {
    var hits = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    hits.upper = ChunkShape.words
    hits.clear()
    run.select(region, chunk: index, into: hits.words)
    let uncovered = run.uncovered(index)
    let end = run.rows.upperBound - RowAddress.firstKey(ofChunk: index)
    if uncovered == nil, end >= chunk.count { return selection.intersect(hits.words) }
    var uncoveredRows = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    for word in selection.lower..<selection.upper {
      let beyond = UInt64.bits(from: end - word << 6)
      let uncoveredBits = selection.words[word] & ((uncovered?[word] ?? 0) | beyond)
      uncoveredRows.words[word] = uncoveredBits
      selection.words[word] &= hits.words[word] & ~uncoveredBits
    }
    uncoveredRows.lower = selection.lower
    uncoveredRows.upper = selection.upper
    test(&uncoveredRows, chunk: chunk)
    for word in uncoveredRows.lower..<max(uncoveredRows.lower, uncoveredRows.upper) {
      selection.words[word] |= uncoveredRows.words[word]
    }
  }

  /// Tests every selected point.
  private func test(_ selection: inout Selection, chunk: Chunk) {
    let points = chunk.points
    selection.keep { word, selected in
      points.select(leaf: word, among: selected, in: region)
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    source.prepare(chunks)
  }
}

extension UInt64 {
  /// The bits from an index on. The index may lie before or beyond the word.
  static func bits(from index: Int) -> UInt64 {
    index >= 64 ? 0 : index <= 0 ? ~0 : ~0 << UInt64(index)
  }
}
