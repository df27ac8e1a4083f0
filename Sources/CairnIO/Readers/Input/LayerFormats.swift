import CairnSystem

/// Recognizes the files that GDAL reads.
package enum LayerFormats {
  private static let extensions: Set = [
    "gpkg", "shp", "shz", "dbf", "zip", "fgb", "kml", "kmz", "gpx", "gml", "topojson", "mif",
    "dxf", "xlsx", "xls", "ods", "sqlite", "sqlite3", "db", "osm", "pbf", "mvt",
  ]
  private static let magics: [[UInt8]] = [
    Array("SQLite format 3\0".utf8), Array("fgb\u{3}".utf8), [0, 0, 0x27, 0x0A],
    [0x50, 0x4B, 3, 4], Array("<?xml".utf8),
    Array("<kml".utf8), Array("<gpx".utf8), Array("<osm".utf8), Array("!table".utf8),
  ]
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether files with an extension have a format that GDAL reads.
  package static func isExtension(_ ending: String) -> Bool { extensions.contains(ending) }

  /// Whether a path is that of a file geodatabase, which is a folder.
  static func isGeodatabase(_ path: String) -> Bool {
    ending(of: path) == "gdb" && isFolder(path)
  }

  /// Whether a file may have several layers: GDAL reads it, and it is not an archive of tables
  /// that Cairn reads itself.
  package static func holdsLayers(_ path: String) -> Bool {
    recognizes(path) && !ZipArchive.hasTables(path)
  }

  /// Whether a file has a format that GDAL reads, by its extension or its first bytes.
  ///
  /// - Parameter includesJSON: Whether TopoJSON and Esri JSON count.
  package static func recognizes(_ path: String, includesJSON: Bool = true) -> Bool {
    guard path != "-" else { return false }
    if let ending = ending(of: path), extensions.contains(ending) { return true }
    if isGeodatabase(path) { return true }
    var info = stat()
    // Opening a pipe would end its writer.
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: JSONRecordLayout.sampleSize)
    let count = pread(file, &head, head.count, 0)
    var start = head.prefix(max(0, count))
    if start.starts(with: byteOrderMark) { start = start.dropFirst(byteOrderMark.count) }
    if magics.contains(where: { start.starts(with: $0) }) { return true }
    guard includesJSON else { return false }
    return start.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map {
        JSONRecordLayout.isForGDAL(JSONScan(bytes: $0, count: bytes.count))
      } ?? false
    }
  }

  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last?.lowercased() ?? ""
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) }
  }
}
