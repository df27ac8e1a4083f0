extension Table {
  /// The live rows among `keys`.
  package func liveKeys(_ keys: Range<Int>) -> KeyRuns {
    Self.liveKeys(keys.clamped(to: 0..<endKey), liveness(ofChunk:))
  }

  /// The rows that lived before the transaction.
  var storedLiveKeys: KeyRuns { Self.liveKeys(0..<state.endKey, storedLiveness(ofChunk:)) }

  private static func liveKeys(
    _ keys: Range<Int>, _ liveness: (Int) -> UnsafePointer<UInt64>?
  ) -> KeyRuns {
    var live = KeyRuns()
    var start = keys.lowerBound
    while start < keys.upperBound {
      let chunk = start >> ChunkShape.shift
      let part = start..<min(keys.upperBound, (chunk + 1) << ChunkShape.shift)
      if let words = liveness(chunk) {
        let wanted = BitmapWords(copying: words)
        wanted.keep(rows: part.lowerBound & (ChunkShape.rows - 1), part.count)
        live.append(UnsafePointer(wanted.words), ofChunk: chunk)
      } else {
        live.append(part)
      }
      start = part.upperBound
    }
    return live
  }
}

extension BitmapWords {
  /// Takes away the marks of all but `count` rows from the one given on.
  func keep(rows first: Int, _ count: Int) {
    for word in 0..<ChunkShape.words {
      let start = min(max(first - word << 6, 0), 64)
      let end = min(max(first + count - word << 6, 0), 64)
      let below: (Int) -> UInt64 = { $0 == 64 ? ~0 : 1 << UInt64($0) - 1 }
      words[word] &= below(end) & ~below(start)
    }
  }
}
