import CairnIndex
import CairnValues

/// What the values of one column come to: how many are null, and between which bounds the others lie.
package struct ColumnProfile: Sendable {
  /// Rows without a value.
  package private(set) var nullCount = 0
  /// The least and the greatest value; of numbers and dates only, and nil where there is none.
  package private(set) var bounds: (least: Value, greatest: Value)?
  /// Degrees; of locations only, and nil where there is none.
  package private(set) var extent: (west: Double, south: Double, east: Double, north: Double)?

  /// Chunks whose rows all live tell by their zones, without being touched, and an R-tree in which no row is dead tells
  /// where locations are; else rows are read.
  package init(_ column: Column, of table: Table) {
    let kind = Kind(column.schema)
    let isIndexed = kind == .location && addExtent(of: column, table)
    var (low, high) = (Int64.max, Int64.min)
    var (least, greatest) = (Double.infinity, -Double.infinity)
    for index in 0..<table.chunkCount {
      let liveness = table.liveness(ofChunk: index)
      let zone = column.zone(index)
      if liveness == nil, zone.isKnown, kind != .location || isIndexed {
        nullCount += Int(zone.nullCount)
        guard zone.hasBounds else { continue }
        (low, high) = (min(low, zone.minimum), max(high, zone.maximum))
        least = min(least, Double(bitPattern: UInt64(bitPattern: zone.minimum)))
        greatest = max(greatest, Double(bitPattern: UInt64(bitPattern: zone.maximum)))
        continue
      }
      let chunk = column.chunk(index)
      for row in 0..<table.rowCount(ofChunk: index) {
        if let liveness, liveness[row >> 6] >> UInt64(row & 63) & 1 == 0 { continue }
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
        case .location, .others: break
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

  /// Takes the extent from the R-tree; false where the tree alone does not know it.
  private mutating func addExtent(of column: Column, _ table: Table) -> Bool {
    guard let index = table.spatialIndex(column.schema.position), !index.looseMayBeStale,
      index.pending.isEmpty, index.clustered.allSatisfy({ !$0.hasDead })
    else { return false }
    for tree in index.clustered.map(\.tree) + index.loose.map(\.tree) {
      guard let found = tree.extent() else { continue }
      add(Position(latitude: found.south, longitude: found.west))
      add(Position(latitude: found.north, longitude: found.east))
    }
    return true
  }

  private mutating func add(_ place: Position) {
    let here = extent ?? (place.longitude, place.latitude, place.longitude, place.latitude)
    extent = (
      min(here.west, place.longitude), min(here.south, place.latitude),
      max(here.east, place.longitude), max(here.north, place.latitude)
    )
  }

  /// How bounds are found.
  private enum Kind {
    case integers
    case doubles
    case floats
    case location
    case others

    init(_ schema: ColumnSchema) {
      self =
        switch schema.collection == .none ? schema.type : .data {
        case .int: .integers
        case .double, .date: .doubles
        case .float: .floats
        case .point: .location
        default: .others
        }
    }
  }
}
