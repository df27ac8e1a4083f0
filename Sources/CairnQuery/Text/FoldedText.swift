/// Texts as sequences of folded code points, one unit each.
///
/// Where one code point folds to several, all units but the first carry `continuation`, so that `?` can tell
/// where a code point of the text begins.
enum FoldedText {
  static let continuation: UInt32 = 1 << 31

  /// Hands the units of a text to `body`, in memory that lives as long as the call.
  static func withUnits<Result>(
    of bytes: UnsafeRawBufferPointer, _ folding: Folding,
    _ body: (UnsafeBufferPointer<UInt32>) -> Result
  ) -> Result {
    // No byte of UTF-8 folds to more than three code points, and those have two bytes at least.
    let capacity = bytes.count * 3 + 1
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { units in
      var count = 0
      decode(bytes) { scalar in
        var mark: UInt32 = 0
        folding.fold(scalar) { unit in
          units.initializeElement(at: count, to: unit | mark)
          count += 1
          mark = continuation
        }
      }
      return body(UnsafeBufferPointer(rebasing: units[..<count]))
    }
  }

  /// The folded code points of a text, unmarked.
  static func codePoints(of text: String, _ folding: Folding) -> [UInt32] {
    Array(text.utf8).withUnsafeBytes {
      withUnits(of: $0, folding) { $0.map { $0 & ~continuation } }
    }
  }

  /// Decodes UTF-8; bytes that are none count as one code point each.
  @inline(__always)
  private static func decode(_ bytes: UnsafeRawBufferPointer, _ body: (UInt32) -> Void) {
    var place = 0
    while place < bytes.count {
      let first = bytes[place]
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if length == 1 || first < 0xC0 || place + length > bytes.count {
        body(UInt32(first))
        place += 1
        continue
      }
      var scalar = UInt32(first) & (0x7F >> UInt32(length))
      for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[place + offset] & 0x3F) }
      body(scalar)
      place += length
    }
  }
}
