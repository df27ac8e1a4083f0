import CairnGeometry
import CairnIndex
import CairnValues

/// A summary of the values in one column: the number of nulls and the bounds of the other values.
package struct ColumnProfile: Sendable {
  /// The number of null rows.
  package private(set) var nullCount = 0
  /// The least and the greatest value of numbers and dates; nil for other types and if all rows are
  /// null.
  package private(set) var bounds: (least: Value, greatest: Value)?
  /// The bounding box of locations or boxes in degrees; nil for other types and if all rows are null.
  package private(set) var extent: (west: Double, south: Double, east: Double, north: Double)?

  /// Summarizes a column. Zones are enough for chunks without deleted rows, and R-trees without
  /// deleted rows are enough for the extent of locations. Otherwise this reads the rows.
  package init(_ column: Column, of table: Table) {
    let kind = Kind(column.schema)
    let isSpatial = kind == .location || kind == .boxes
    let isIndexed = isSpatial && addExtent(of: column, table, column.schema.entryType)
    var (low, high) = (Int64.max, Int64.min)
    var (least, greatest) = (Double.infinity, -Double.infinity)
    for index in 0..<table.chunkCount {
      let liveRowBitmap = table.liveRowBitmap(ofChunk: index)
      let zone = column.zone(index)
      if liveRowBitmap == nil, zone.isKnown, !isSpatial || isIndexed {
        nullCount += Int(zone.nullCount)
        guard zone.hasBounds else { continue }
        (low, high) = (min(low, zone.minimum), max(high, zone.maximum))
        least = min(least, Double(bitPattern: UInt64(bitPattern: zone.minimum)))
        greatest = max(greatest, Double(bitPattern: UInt64(bitPattern: zone.maximum)))
        continue
      }
      let chunk = column.chunk(index)
      for row in 0..<table.rowCount(ofChunk: index) {
        if let liveRowBitmap, !liveRowBitmap.isSet(row) { continue }
        guard !chunk.isNull(row) else {
          nullCount += 1
          continue
        }
        switch kind {
        case .integers:
          let value = chunk.int(at: row)
          (low, high) = (min(low, value), max(high, value))
        case .doubles, .floats:
          let value = kind == .floats ? Double(chunk.float(at: row)) : chunk.double(at: row)
          if value < least { least = value }
          if value > greatest { greatest = value }
        case .location where !isIndexed: add(chunk.position(at: row))
        case .boxes where !isIndexed: add(chunk.box(at: row))
        case .location, .boxes, .others: break
        }
      }
    }
    switch kind {
    case .integers where low <= high: bounds = (.int(low), .int(high))
    case .doubles where least <= greatest:
      bounds =
        column.schema.type == .date
        ? (.date(least), .date(greatest)) : (.double(least), .double(greatest))
    case .floats where least <= greatest: bounds = (.float(Float(least)), .float(Float(greatest)))
    default: break
    }
  }

  /// Takes the extent from the R-tree; returns false if the tree alone cannot determine it.
  private mutating func addExtent<Entry: IndexedEntry>(
    of column: Column, _ table: Table, _ type: Entry.Type
  ) -> Bool {
    guard let index = Entry.index(of: table, column.schema.position),
      !index.deltaMayBeStale, index.pending.isEmpty,
      index.baseRuns.allSatisfy({ $0.tombstones.isEmpty })
    else { return false }
    for tree in index.baseRuns.map(\.tree) + index.deltaRuns.map(\.tree) {
      guard let found = tree.extent() else { continue }
      add(Position(latitude: found.south, longitude: found.west))
      add(Position(latitude: found.north, longitude: found.east))
    }
    return true
  }

  private mutating func add(_ box: Envelope) {
    add(Position(latitude: box.south, longitude: box.west))
    add(Position(latitude: box.north, longitude: box.east))
  }

  private mutating func add(_ position: Position) {
    let here =
      extent ?? (position.longitude, position.latitude, position.longitude, position.latitude)
    extent = (
      min(here.west, position.longitude), min(here.south, position.latitude),
      max(here.east, position.longitude), max(here.north, position.latitude)
    )
  }

  /// The way to find the bounds of a column.
  private enum Kind {
    case integers
    case doubles
    case floats
    case location
    case boxes
    case others

    init(_ schema: ColumnSchema) {
      self =
        switch schema.collection == .none ? schema.type : .data {
        case .int: .integers
        case .double, .date: .doubles
        case .float: .floats
        case .point: .location
        case .box: .boxes
        default: .others
        }
    }
  }
}
