internal import CairnIO
import CairnSystem

/// Properties of an Esri JSON file that GDAL does not report.
struct EsriJSON {
  /// Whether the server had more rows than it sent.
  private(set) var isPart = false

  /// - Throws: `LayerFailure` for curves, which GDAL takes for geometries without points.
  init(_ path: String) throws(LayerFailure) {
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else { return }
    defer { close(file) }
    let step = 1 << 20
    // The end of a part is read again, so that no word is cut.
    let overlap = 64
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: step + overlap, alignment: 1)
    defer { bytes.deallocate() }
    var offset = 0
    while case let count = pread(file, bytes.baseAddress, bytes.count, off_t(offset)), count > 0 {
      let text = UnsafeRawBufferPointer(rebasing: bytes[..<count])
      for word in ["\"curveRings\"", "\"curvePaths\""] where Self.end(of: word, in: text) != nil {
        throw LayerFailure(
          "it has curves (\(word)), which GDAL leaves out; ask the server for lines with "
            + "returnTrueCurves=false")
      }
      isPart = isPart || Self.isTrue("\"exceededTransferLimit\"", in: text)
      offset += step
    }
  }

  /// Returns the index after the first occurrence of a word in a text.
  private static func end(of word: String, in text: UnsafeRawBufferPointer) -> Int? {
    guard let base = text.baseAddress, let first = word.utf8.first else { return nil }
    var index = 0
    while index + word.utf8.count <= text.count,
      let found = memchr(base + index, Int32(first), text.count - index)
    {
      index = UnsafeRawPointer(found) - base + 1
      let end = index - 1 + word.utf8.count
      if end <= text.count, memcmp(base + index - 1, word, word.utf8.count) == 0 { return end }
    }
    return nil
  }

  /// Whether a member is true.
  private static func isTrue(_ name: String, in text: UnsafeRawBufferPointer) -> Bool {
    guard let end = end(of: name, in: text) else { return false }
    let rest = text[end...].drop { JSONScan.isSpace($0) }
    guard rest.first == UInt8(ascii: ":") else { return false }
    return rest.dropFirst().drop { JSONScan.isSpace($0) }.starts(with: "true".utf8)
  }
}
