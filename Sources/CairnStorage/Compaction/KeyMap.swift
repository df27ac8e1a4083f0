import CairnGeometry
import CairnIndex
import CairnValues

/// Which keys the objects of a class get when its dead ones go: those with a location first, along the Hilbert curve, the
/// others behind them in their order.
struct KeyMap {
  /// The old key of each new one.
  let order: [UInt32]
  /// The new key of each old one; `none` where it is dead.
  private let new: [UInt32]
  /// The column whose locations make the order; nil: none.
  let location: ColumnSchema?
  /// Objects that have a location there: the first ones.
  let located: Int

  private static let none = UInt32.max

  var count: Int { order.count }

  init(_ table: Table) throws(StoreError) {
    guard table.endKey < Int(Self.none) else {
      throw StoreError(
        .full, "class '\(table.schema.name)' has given \(table.endKey) keys, too many to compact")
    }
    location = Self.location(of: table)
    let live = (0..<table.endKey).filter(table.isLive).map(UInt32.init)
    if let location {
      let column = table.column(location.position)
      let (first, rest) = Self.split(live) { key in
        !column.chunk(key >> ChunkShape.shift).isNull(key & (ChunkShape.rows - 1))
      }
      let keys = first.map { key in
        let place = column.chunk(Int(key) >> ChunkShape.shift)
          .position(at: Int(key) & (ChunkShape.rows - 1))
        return Hilbert.key(longitude: place.longitude, latitude: place.latitude)
      }
      let sorted = keys.withUnsafeBufferPointer { RadixSort.order($0) }
      order = sorted.map { first[Int($0)] } + rest
      located = first.count
    } else {
      order = live
      located = 0
    }
    var new = [UInt32](repeating: Self.none, count: table.endKey)
    for (key, old) in order.enumerated() { new[Int(old)] = UInt32(key) }
    self.new = new
  }

  /// The location that the rows are clustered by already, or else the first one.
  private static func location(of table: Table) -> ColumnSchema? {
    let clustered = table.state.spatialRuns.first(where: \.isClustered)?.column
    return table.schema.columns.first { $0.id == clustered && $0.hasSpatialIndex }
      ?? table.schema.columns.first(where: \.hasSpatialIndex)
  }

  private static func split(
    _ keys: [UInt32], _ isFirst: (Int) -> Bool
  ) -> ([UInt32], [UInt32]) {
    var first: [UInt32] = []
    var rest: [UInt32] = []
    for key in keys {
      if isFirst(Int(key)) { first.append(key) } else { rest.append(key) }
    }
    return (first, rest)
  }

  /// The key that an object gets; nil when it is dead, or never was.
  func key(of old: Int) -> Int? {
    guard old >= 0, old < new.count, new[old] != Self.none else { return nil }
    return Int(new[old])
  }
}
