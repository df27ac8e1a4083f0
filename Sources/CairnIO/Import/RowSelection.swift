internal import CairnQuery

/// The rows of the files that are read.
struct RowSelection: Sendable {
  /// The rows to read of the files that are not read as a whole, by the indexes of the files.
  var rows: [Int: RowRanges] = [:]
  /// The number of rows that are left out because they do not meet the condition of the import.
  var unmatched = 0
}

extension ImportRun {
  /// Selects the rows to read. Those that cannot meet the condition of the import, or are of no use to
  /// the program, are left out where a file says so.
  func selection(_ plan: ImportPlan) throws(ParseAbort) -> RowSelection {
    var selection = RowSelection()
    // The number of rows that a row with several points makes is not known without reading it.
    guard !options.geometries.takesEachPoint else { return selection }
    // The sieve reports a condition that cannot be bound.
    let own = try? plan.bound(options.condition, boxes: options.boxes)
    let hint = plan.bound(options.pruning)
    guard own != nil || hint != nil else { return selection }
    let mappings = CoordinateMappings(sources)
    for (file, source) in sources.enumerated() {
      guard case .layer(let layer) = source.content else { continue }
      let mapping = try ParseAbort.on { () throws(ImportError) in try mappings[file] }
      func rows(_ condition: BoundPredicate?) -> RowRanges? {
        condition.flatMap {
          layer.rows(
            for: LayerPruning($0, plan: plan, layer: layer.columns, mapping: mapping))
        }
      }
      let (kept, wanted) = (rows(own), rows(hint))
      if let kept { selection.unmatched += (layer.columns.schema.count ?? 0) - Int(kept.count) }
      selection.rows[file] = kept.map { rows in wanted.map(rows.intersection) ?? rows } ?? wanted
    }
    return selection
  }
}
