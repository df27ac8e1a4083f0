import CairnValues

/// A run of a text index as words in order, from the store or from memory.
struct TextRunReader {
  let firstChunk: Int
  let segmentCount: Int
  /// Whether the run has the positions of words.
  let hasPositions: Bool
  /// The bytes of a segment, valid until the snapshot ends, or while the run in memory lives.
  private let words: (Int) -> UnsafeRawBufferPointer?
  private let positions: (Int) -> UnsafeRawBufferPointer?

  /// Reads a stored run.
  init(_ run: TextRun, table: UInt32, source: any KeyValues) {
    firstChunk = RowAddress(run.firstRow).chunk
    segmentCount = run.segmentCount
    hasPositions = run.hasPositions
    words = { number in
      source.get(
        .runWords(table, column: run.column, run: run.id, segment: run.firstSegment + number))
    }
    positions = { number in
      source.get(
        .runPositions(table, column: run.column, run: run.id, segment: run.firstSegment + number))
    }
  }

  /// Reads a run in memory.
  init(_ run: TextBlock, firstChunk: Int) {
    self.firstChunk = firstChunk
    segmentCount = run.segments.count
    hasPositions = true
    words = { run.segments[$0].words.bytes }
    positions = { run.segments[$0].positions?.bytes }
  }

  /// Returns a segment; nil if it is missing or damaged.
  ///
  /// - Parameter withPositions: Whether the caller needs positions.
  func segment(at number: Int, withPositions: Bool = false) -> TextSegment? {
    guard number < segmentCount else { return nil }
    return TextSegment(
      words(number), positions: withPositions && hasPositions ? positions(number) : nil)
  }

  /// Visits the groups of a word and of its other forms, or of all words that begin with one of
  /// them.
  ///
  /// - Parameter withPositions: Whether the groups have their positions.
  func forEachGroup(
    of word: [UInt8], isPrefix: Bool = false, withPositions: Bool = false,
    _ body: (RowGroup) -> Void
  ) {
    for form in [word] + CanonicalForms.otherForms(of: word) {
      forEachGroup(ofForm: form, isPrefix: isPrefix, withPositions: withPositions, body)
    }
  }

  private func forEachGroup(
    ofForm word: [UInt8], isPrefix: Bool, withPositions: Bool, _ body: (RowGroup) -> Void
  ) {
    word.withUnsafeBytes { word in
      var number = segmentIndex(of: word)
      while let segment = segment(at: number, withPositions: withPositions) {
        for index in segment.firstIndex(notBefore: word)..<segment.count {
          let found = segment.word(index)
          guard found.count >= word.count, isPrefix || found.count == word.count,
            UnsafeRawBufferPointer(rebasing: found[..<word.count]).order(to: word) == 0
          else { return }
          for group in segment.groups(index, firstChunk: firstChunk) { body(group) }
        }
        number += 1
      }
    }
  }

  /// Returns the groups of a word with a single form, in rising order of chunks.
  func groups(of word: [UInt8]) -> [RowGroup] {
    var groups: [RowGroup] = []
    forEachGroup(of: word) { groups.append($0) }
    return groups
  }

  /// The first segment that may have a word: the last one whose first word comes before it.
  private func segmentIndex(of word: UnsafeRawBufferPointer) -> Int {
    if word.isEmpty { return 0 }
    let later = partitionPoint(segmentCount) { segment(at: $0)?.word(0).isBefore(word) ?? false }
    return max(0, later - 1)
  }
}

/// A position among the words of a run.
struct TextCursor {
  let reader: TextRunReader
  private let withPositions: Bool
  private var segment: TextSegment?
  private var number = 0
  private var index = 0

  init(_ reader: TextRunReader, withPositions: Bool) {
    self.reader = reader
    self.withPositions = withPositions
    segment = reader.segment(at: 0, withPositions: withPositions)
  }

  /// The word, valid like the bytes of the run; nil at the end.
  var word: UnsafeRawBufferPointer? { segment?.word(index) }

  /// The groups of the word, or the first part of them.
  var groups: RowGroupReader {
    segment?.groups(index, firstChunk: reader.firstChunk)
      ?? RowGroupReader(
        UnsafeRawBufferPointer(start: nil, count: 0), firstChunk: reader.firstChunk)
  }

  /// Moves to the next word, or to the next part of its groups.
  mutating func advance() {
    guard let segment else { return }
    index += 1
    guard index == segment.count else { return }
    index = 0
    number += 1
    self.segment = reader.segment(at: number, withPositions: withPositions)
  }
}
