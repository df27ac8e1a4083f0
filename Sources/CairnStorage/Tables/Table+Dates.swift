import CairnValues

extension Table {
  /// The form that writes all dates of a column alike: without times if every one is midnight UTC.
  ///
  /// - Complexity: O(1) for most columns of times, by their zones or first rows; O(*n*) for days.
  package func dateForm(of position: Int) -> ISODate.Form {
    let column = column(position)
    return (0..<chunkCount).contains { hasTimes(column, chunk: $0) } ? .time : .shortest
  }

  private func hasTimes(_ column: Column, chunk index: Int) -> Bool {
    let zone = column.zone(index)
    let liveRowBitmap = liveRowBitmap(ofChunk: index)
    if zone.isKnown {
      guard zone.hasBounds else { return false }
      let bounds = [zone.minimum, zone.maximum].map { Double(bitPattern: UInt64(bitPattern: $0)) }
      if liveRowBitmap == nil, !bounds.allSatisfy(ISODate.isDay) { return true }
    }
    let chunk = column.chunk(index)
    return (0..<rowCount(ofChunk: index)).contains { row in
      guard liveRowBitmap?.isSet(row) ?? true else { return false }
      return !chunk.isNull(row) && !ISODate.isDay(chunk.double(at: row))
    }
  }
}
