import CairnGeometry
import CairnIndex
import CairnStorage

/// A region that holds a location, or does not when negated around it. Null locations are in no region.
///
/// As a driver it streams its matches from the R-tree (`SpatialSource`); as a filter it answers chunk
/// by chunk, where the R-tree speaks for the chunk from the subtree over it, else point by point.
final class WithinFilter: Filter, @unchecked Sendable {
  let column: Column
  let region: Region
  let source: SpatialSource

  init(_ column: Column, _ region: Region, _ index: SpatialIndex?, _ table: Table) {
    self.column = column
    self.region = region
    source = SpatialSource(table, column, region, index)
  }

  override var cost: Double { 6 }
  override var description: String { "\(column.schema.name) within \(region.description)" }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    guard selection.lower < selection.upper else { return }
    let chunk = column.chunk(index)
    if let nulls = chunk.nulls { selection.remove(nulls) }
    guard selection.trim() else { return }
    guard let run = source.run(ofChunk: index), selection.upper - selection.lower > 4 else {
      return test(&selection, chunk)
    }
    narrow(&selection, index, chunk, run, workspace)
  }

  /// What the run says of its rows; rows it does not speak for are tested one by one.
  private func narrow(
    _ selection: inout Selection, _ index: Int, _ chunk: Chunk, _ run: ClusteredRun,
    _ workspace: Workspace
  ) {
    var hits = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    hits.upper = ChunkShape.words
    hits.clear()
    run.select(region, chunk: index, into: hits.words)
    let dead = run.dead(index)
    let end = run.rows.upperBound - index << ChunkShape.shift
    if dead == nil, end >= chunk.count { return selection.intersect(hits.words) }
    var unspoken = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    for word in selection.lower..<selection.upper {
      let beyond = UInt64.bits(from: end - word << 6)
      let mute = selection.words[word] & ((dead?[word] ?? 0) | beyond)
      unspoken.words[word] = mute
      selection.words[word] &= hits.words[word] & ~mute
    }
    unspoken.lower = selection.lower
    unspoken.upper = selection.upper
    test(&unspoken, chunk)
    for word in unspoken.lower..<max(unspoken.lower, unspoken.upper) {
      selection.words[word] |= unspoken.words[word]
    }
  }

  /// Tests every selected point.
  private func test(_ selection: inout Selection, _ chunk: Chunk) {
    let points = chunk.points
    selection.keep { word, _ in points.select(leaf: word, in: region) }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    source.prepare(chunks)
  }
}

extension UInt64 {
  /// The bits from a place on, which may lie before or beyond the word.
  static func bits(from place: Int) -> UInt64 {
    place >= 64 ? 0 : place <= 0 ? ~0 : ~0 << UInt64(place)
  }
}
