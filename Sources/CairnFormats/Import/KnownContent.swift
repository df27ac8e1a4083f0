/// Files that people take for CSV or GeoJSON, told by their first bytes.
enum KnownContent {
  private static let magics: [(bytes: [UInt8], what: String)] = [
    (
      [0x50, 0x4B, 3, 4],
      "a ZIP archive (.xlsx and .kmz are such): unpack it, or save the table as CSV, first"
    ),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd: `zstd -dc FILE | cairn import STORE -`"),
    ([0x42, 0x5A, 0x68], "compressed with bzip2: `bzip2 -dc FILE | cairn import STORE -`"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz: `xz -dc FILE | cairn import STORE -`"),
    (
      Array("SQLite format 3\0".utf8),
      "an SQLite database (a GeoPackage is one): export a table as CSV or GeoJSON first"
    ),
    (Array("PAR1".utf8), "Parquet: convert it to CSV or GeoJSON first"),
    (Array("fgb\u{3}".utf8), "FlatGeobuf: convert it to GeoJSON first"),
    ([0, 0, 0x27, 0x0A], "a shapefile: convert it to GeoJSON first"),
    (Array("%PDF".utf8), "a PDF, which is neither CSV nor GeoJSON"),
    (Array("<?xml".utf8), "XML (KML and GPX are such): convert it to GeoJSON first"),
  ]
  private static let looked = 1024

  /// Why the file cannot be read; nil: nothing speaks against it.
  static func objection(_ section: InputSection, _ count: Int, _ format: InputFormat) -> String? {
    let head = UnsafeBufferPointer(start: section.bytes, count: min(count, looked))
    if let known = magics.first(where: { head.starts(with: $0.bytes) }) {
      return "the file is \(known.what)"
    }
    let zeros = head.indices.filter { head[$0] == 0 }
    guard !zeros.isEmpty else { return nil }
    if zeros.count * 3 > head.count, let encoding = encoding(zeros) {
      return
        "the file holds a zero byte beside each letter: if it is UTF-16, say `--encoding \(encoding)`"
    }
    return format == .csv && zeros.count * 10 < head.count
      ? nil : "the file holds zero bytes, and is neither CSV nor GeoJSON"
  }

  /// UTF-16 of plain letters has its zeros all in even places, or all in odd ones.
  private static func encoding(_ zeros: [Int]) -> String? {
    let odd = zeros.count { !$0.isMultiple(of: 2) }
    if odd * 10 > zeros.count * 9 { return "utf-16le" }
    return odd * 10 < zeros.count ? "utf-16be" : nil
  }
}
