import CairnGeometry
import CairnStorage
import CairnValues

/// Texts, data, object ids and UUIDs, by their bytes.
final class BytesSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? 0 : Rank.of(chunk.rowBytes(row))
      place += 1
    }
  }

  override func isAmbiguous(_ rank: UInt64) -> Bool { rank >= 2 }

  override func order(_ a: Int, _ b: Int) -> Int { byteOrder(bytes(a), bytes(b)) }

  private func bytes(_ key: Int) -> UnsafeRawBufferPointer {
    column.chunk(key >> ChunkShape.shift).rowBytes(key & (ChunkShape.rows - 1))
  }

  override func rankBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    let low = max(2, UInt64(bitPattern: zone.minimum))
    let high = max(2, UInt64(bitPattern: zone.maximum))
    guard low <= high else { return 0...UInt64.max }
    return (zone.nullCount == 0 ? low : 0)...high
  }
}

/// Decimals and mixed values, by the total order of values.
final class ValueSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? 0 : 1
      place += 1
    }
  }

  override func isAmbiguous(_ rank: UInt64) -> Bool { rank == 1 }

  override func order(_ a: Int, _ b: Int) -> Int {
    let first = value(a)
    let second = value(b)
    return Int(Value.sortOrder(first, second).rawValue)
  }

  private func value(_ key: Int) -> Value {
    column.chunk(key >> ChunkShape.shift)
      .value(at: key & (ChunkShape.rows - 1), type: column.schema.type)
  }
}

/// Locations by their distance from a point; rows without one come last either way.
final class DistanceSort: SortColumn, @unchecked Sendable {
  let longitude: Double
  let latitude: Double
  private let origin: Origin

  init(_ column: Column, longitude: Double, latitude: Double, isAscending: Bool) {
    self.longitude = longitude
    self.latitude = latitude
    origin = Origin(longitude: longitude, latitude: latitude)
    super.init(column, isAscending: isAscending)
  }

  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    let missing: UInt64 = isAscending ? .max : 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? missing : Rank.of(distance(chunk, row))
      place += 1
    }
  }

  /// Radians from the point to the location of a row.
  func distance(_ chunk: Chunk, _ row: Int) -> Double {
    let place = chunk.position(at: row)
    return Sphere.angle(
      halfChordSquared: origin.halfChordSquared(place.longitude, place.latitude))
  }

  override var isDistance: Bool { true }

  override func radians(_ key: Int) -> Double? {
    let chunk = column.chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    return chunk.isRowNull(row) ? nil : distance(chunk, row)
  }
}
