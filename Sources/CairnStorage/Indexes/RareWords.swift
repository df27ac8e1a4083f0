import CairnValues

/// Searches with a rare word, whose rows are listed instead of marked in bitmaps: most chunks have
/// none or one of them.
enum RareWords {
  /// The number of rows of a word up to which it is rare.
  static let maxRows = 2048

  /// Returns the keys of the rows of a run that have the words of a search, with the words of a
  /// phrase in any order; nil if no word is rare, or if a part is a prefix or a word with other
  /// forms.
  static func rows(of search: TextSearch, in run: TextRunReader, maxRows: Int) -> [Int]? {
    guard !search.included.isEmpty,
      !(search.included + search.excluded).contains(where: { $0.isPrefix || $0.hasOtherForms })
    else { return nil }
    let words = search.included.flatMap { $0.words.map(run.groups) }
    let counts = words.map { $0.reduce(0) { $0 + $1.count } }
    guard let least = counts.indices.min(by: { counts[$0] < counts[$1] }),
      counts[least] <= maxRows
    else { return nil }
    var keys: [Int] = []
    keys.reserveCapacity(counts[least])
    for group in words[least] {
      let first = RowAddress.firstKey(ofChunk: group.chunk)
      group.forEachRow { keys.append(first + $0) }
    }
    for index in words.indices where index != least && !keys.isEmpty {
      keys = words[index].filter(keys, keeping: true)
    }
    for part in search.excluded where part.words.count == 1 && !keys.isEmpty {
      keys = run.groups(of: part.words[0]).filter(keys, keeping: false)
    }
    return keys
  }
}

extension [RowGroup] {
  /// Returns the keys whose rows are in the groups, or those whose rows are not.
  ///
  /// - Parameters:
  ///   - keys: The keys in rising order.
  ///   - isKept: Whether rows of the groups are kept.
  func filter(_ keys: [Int], keeping isKept: Bool) -> [Int] {
    var index = 0
    var listed = -1
    let rows = ChunkBitmap(copying: nil)
    return keys.filter { key in
      let address = RowAddress(key)
      while index < count, self[index].chunk < address.chunk { index += 1 }
      guard index < count, self[index].chunk == address.chunk else { return !isKept }
      if listed != index {
        rows.words.update(repeating: 0, count: ChunkShape.words)
        self[index].add(to: rows.words)
        listed = index
      }
      return rows.words.isSet(address.row) == isKept
    }
  }
}
