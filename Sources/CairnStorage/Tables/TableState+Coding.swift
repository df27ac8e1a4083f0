extension TableState {
  /// The state as the store keeps it.
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Int64(endKey))
    writer.write(Int64(liveCount))
    writer.write(nextRun)
    writer.write(looseIsStale)
    writer.write(UInt32(extents.count))
    for extent in extents {
      writer.write(Int64(extent.firstChunk))
      writer.write(extent.id)
    }
    writer.write(UInt32(spatialRuns.count))
    for run in spatialRuns { run.encode(into: &writer) }
    writer.write(UInt32(valueRuns.count))
    for run in valueRuns { run.encode(into: &writer) }
    writer.write(short: endKey - unsettledRows.lowerBound)
    writer.write(short: unsettled.count)
    for row in unsettled {
      writer.write(short: row.key)
      writer.write(row.column)
    }
    return writer.bytes
  }

  init(decoding bytes: UnsafeRawBufferPointer, table: String) throws(StoreError) {
    var reader = ByteReader(bytes, "the state of class '\(table)'")
    endKey = try reader.readCount()
    liveCount = try reader.readCount()
    nextRun = try reader.read()
    looseIsStale = try reader.readBool()
    extents = []
    for _ in 0..<(try reader.read(UInt32.self)) {
      extents.append(Extent(firstChunk: try reader.readCount(), id: try reader.read()))
    }
    for _ in 0..<(try reader.read(UInt32.self)) {
      spatialRuns.append(try SpatialRun(decoding: &reader))
    }
    for _ in 0..<(try reader.read(UInt32.self)) {
      valueRuns.append(try ValueRun(decoding: &reader))
    }
    settledEnd = endKey - (try reader.readShort())
    for _ in 0..<(try reader.readShort()) {
      unsettled.append(Unsettled(key: try reader.readShort(), column: try reader.read()))
    }
    guard settledEnd >= 0, unsettled.allSatisfy({ $0.key < settledEnd }),
      liveCount <= endKey, extents.first?.firstChunk == 0
    else { throw reader.nonsense() }
  }
}

extension SpatialRun {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(id)
    writer.write(column)
    writer.write(Int64(firstRow))
    writer.write(Int64(count))
    writer.write(UInt32(dead.count))
    for entry in dead {
      writer.write(Int64(entry.chunk))
      writer.write(Int64(entry.count))
    }
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    id = try reader.read()
    column = try reader.read()
    firstRow = try reader.readInt()
    guard -1...1 << 48 ~= firstRow else { throw reader.nonsense() }
    count = try reader.readCount()
    for _ in 0..<(try reader.read(UInt32.self)) {
      dead.append(DeadCount(chunk: try reader.readCount(), count: try reader.readCount()))
    }
  }
}

extension ValueRun {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(id)
    writer.write(column)
    writer.write(Int64(count))
    writer.write(Int64(firstSegment))
    writer.write(Int64(firstRow))
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    id = try reader.read()
    column = try reader.read()
    count = try reader.readCount()
    firstSegment = try reader.readCount()
    firstRow = try reader.readCount()
  }
}
