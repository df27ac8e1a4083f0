import CairnGeometry
import CairnIndex
import CairnValues

/// Holds the R-tree of a location against the column: each live row with a location is spoken for once, and stands below
/// every node that leads to it.
struct SpatialIndexCheck {
  private let check: TableCheck
  private let column: ColumnSchema
  private var table: Table { check.table }

  init(_ check: TableCheck, _ column: ColumnSchema) {
    self.check = check
    self.column = column
  }

  func run() {
    let runs = table.state.spatialRuns.filter { $0.column == column.id }
    for run in runs {
      if let objection = run.isClustered ? clusteredObjection(run) : looseObjection(run) {
        return note(objection)
      }
    }
    guard let index = table.spatialIndex(column.position) else {
      return note("a run has lost a part")
    }
    // First what the runs speak for: the nodes are then held against places that there are.
    if let objection = coverageObjection(index) { return note(objection) }
    for run in index.clustered {
      if let objection = objection(to: run) { return note(objection) }
    }
    for run in index.loose {
      do { try run.tree.checkInvariants() } catch { return note(error.description) }
    }
  }

  /// What keeps a clustered run from being read; nil: nothing.
  private func clusteredObjection(_ run: SpatialRun) -> String? {
    guard run.firstRow % ChunkShape.rows == 0, run.count > 0, run.firstRow <= table.endKey,
      run.count <= table.endKey - run.firstRow
    else { return "a run makes no sense" }
    let chunks =
      run.firstRow >> ChunkShape.shift...(run.firstRow + run.count - 1) >> ChunkShape.shift
    let dead = run.dead.map(\.chunk)
    guard dead == Set(dead).sorted(), dead.allSatisfy(chunks.contains) else {
      return "a run makes no sense"
    }
    for entry in run.dead {
      let key = StorageKey.runDead(table.id, column.id, run.id, chunk: entry.chunk)
      guard let marks = table.transaction.get(key).flatMap(BitmapForm.init),
        marks.count == entry.count,
        marks.isEmpty(from: run.firstRow + run.count - entry.chunk * ChunkShape.rows)
      else { return "the marks of dead entries make no sense" }
    }
    return nodesObjection(run)
  }

  /// What keeps a loose run from being read; nil: nothing.
  private func looseObjection(_ run: SpatialRun) -> String? {
    guard run.count > 0 else { return "a run makes no sense" }
    var left = run.count
    var block = 0
    while left > 0 {
      let key = StorageKey.runPoints(table.id, column.id, run.id, block: block)
      guard let bytes = table.transaction.get(key), let entries = LooseBlock(checking: bytes),
        entries.count == min(left, ChunkShape.rows)
      else { return "a run has lost a part, or it is damaged" }
      for index in 0..<entries.count {
        let key = entries.keys[index]
        guard key >= 0, key < table.endKey else {
          return "leads to object \(key), which there never was"
        }
        let point = entries.points.point(at: index)
        guard abs(point.longitude) <= 180, abs(point.latitude) <= 90 else {
          return "leads to a place that is not on the earth"
        }
      }
      left -= entries.count
      block += 1
    }
    return nodesObjection(run)
  }

  /// Whether every node of a run is stored.
  private func nodesObjection(_ run: SpatialRun) -> String? {
    for (level, size) in RTree.levelSizes(count: run.count).enumerated() {
      for segment in 0..<(size + RTree.segmentSize - 1) / RTree.segmentSize {
        let nodes = min(RTree.segmentSize, size - segment * RTree.segmentSize)
        let key = StorageKey.runNodes(table.id, column.id, run.id, level: level, segment: segment)
        guard let bytes = table.transaction.get(key),
          bytes.count >= nodes * MemoryLayout<Envelope>.size
        else { return "a run has lost a part" }
      }
    }
    return nil
  }

  /// What is wrong with the nodes of a clustered run, whose dead rows may have moved out of theirs; nil: nothing.
  private func objection(to run: SpatialIndex.Clustered) -> String? {
    do {
      if !run.hasDead {
        try run.tree.checkInvariants()
      } else {
        try run.tree.checkInvariants { !isDead(run.rows.lowerBound + $0, in: run) }
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// What is wrong with which rows the runs speak for; nil: nothing.
  private func coverageObjection(_ index: SpatialIndex) -> String? {
    var clustered = KeyMarks(count: table.endKey)
    for run in index.clustered {
      for key in run.rows where !isDead(key, in: run) {
        guard hasLocation(key) else { return "speaks for object \(key), which has no location" }
        guard clustered.insert(key) else { return "speaks for object \(key) twice" }
      }
    }
    var loose = KeyMarks(count: table.endKey)
    let isStale = table.state.looseIsStale
    // The runs do not speak for these; what they have of them means nothing.
    let unsettled = Set(index.pending)
    for run in index.loose {
      for position in 0..<run.count {
        let key = run.key(at: position)
        if unsettled.contains(key), key < table.state.settledEnd { continue }
        let point = run.point(at: position)
        let isTrue = table.hasLocation(
          column.position, key: key, longitude: point.longitude, latitude: point.latitude)
        let isNew =
          isTrue && !clustered.contains(key) && !unsettled.contains(key) && loose.insert(key)
        guard isNew || (isStale && !clustered.contains(key)) || !isTrue else {
          return "speaks for object \(key) twice"
        }
        guard isTrue || isStale else {
          return "speaks for object \(key) where it is not"
        }
      }
    }
    let missing = (0..<table.endKey).first {
      hasLocation($0) && !clustered.contains($0) && !loose.contains($0)
        && !unsettled.contains($0)
    }
    return missing.map { "object \($0) is not found by its location" }
  }

  private func isDead(_ key: Int, in run: SpatialIndex.Clustered) -> Bool {
    guard let dead = run.dead(chunk: key >> ChunkShape.shift) else { return false }
    return dead[(key & (ChunkShape.rows - 1)) >> 6] >> UInt64(key & 63) & 1 != 0
  }

  private func hasLocation(_ key: Int) -> Bool {
    table.isLive(key)
      && !table.column(column.position).chunk(key >> ChunkShape.shift)
        .isNull(key & (ChunkShape.rows - 1))
  }

  private func note(_ message: String) {
    check.note(.index, column, nil, "its R-tree is damaged: \(message)")
  }
}

extension LooseBlock {
  /// A block that leads nowhere outside its bytes; nil when it does.
  init?(checking bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= ChunkShape.minimumSize, let base = bytes.baseAddress,
      Int(bitPattern: base) & 7 == 0
    else { return nil }
    self.init(bytes)
    guard count > 0, count <= ChunkShape.rows,
      Self.headerSize + 3 * ChunkShape.padded(count) * 8 <= bytes.count
    else { return nil }
  }
}
