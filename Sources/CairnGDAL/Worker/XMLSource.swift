import CairnSystem

/// A memory-mapped file in an XML format that GDAL reads incompletely without reporting it.
///
/// - OpenStreetMap: GDAL takes ways whose nodes come later, as Overpass writes them, for ways without
///   nodes, and stops at a node that comes twice.
/// - KML: GDAL has no form for a `LinearRing` that is not the boundary of a polygon.
///
/// Only the process that reads with GDAL uses it: the mapping of a file that another program truncates
/// ends the process.
final class XMLSource {
  enum Root {
    case keyhole
    case openStreetMap
  }

  /// The format, by the name of the outermost element.
  let root: Root
  private let bytes: UnsafeRawBufferPointer

  /// Maps a file into memory. Returns nil if it has another format or does not fit into memory.
  init?(_ path: String) {
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0,
      let start = mmap(nil, Int(info.st_size), PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(info.st_size))
    guard let root = Self.root(of: bytes) else {
      munmap(start, bytes.count)
      return nil
    }
    self.bytes = bytes
    self.root = root
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  private static func root(of bytes: UnsafeRawBufferPointer) -> Root? {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
    guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return nil }
    var tags = XMLTags(bytes)
    guard let first = tags.next(), first.form == .start else { return nil }
    if tags.isName(first.name, "osm") { return .openStreetMap }
    return tags.isName(first.name, "kml") ? .keyhole : nil
  }

  /// Returns a text that GDAL reads whole; nil if the file is one. The text of a file that is not
  /// complete is not changed.
  ///
  /// - Throws: `LayerFailure` if GDAL would leave out parts of any such text.
  func revised() throws(LayerFailure) -> [UInt8]? {
    switch root {
    case .keyhole: withLines()
    case .openStreetMap: try OpenStreetMapElements(bytes)?.inOrder()
    }
  }

  /// Returns the text with lines instead of the rings that bound nothing; nil if it has none.
  private func withLines() -> [UInt8]? {
    var tags = XMLTags(bytes)
    var open: [(holdsLines: Bool, isLine: Bool)] = []
    var names: [Range<Int>] = []
    while let tag = tags.next() {
      switch tag.form {
      case .empty: break
      case .start:
        let isRing = tags.isName(tag.name, "LinearRing") && open.last?.holdsLines == true
        if isRing { names.append(tag.name) }
        let holdsLines =
          tags.isName(tag.name, "Placemark") || tags.isName(tag.name, "MultiGeometry")
        open.append((holdsLines, isRing))
      case .end:
        guard let last = open.popLast() else { return nil }
        if last.isLine { names.append(tag.name) }
      }
    }
    guard open.isEmpty, !names.isEmpty else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var copied = 0
    for name in names {
      text += bytes[copied..<name.lowerBound]
      text += "LineString".utf8
      copied = name.upperBound
    }
    return text + bytes[copied...]
  }
}

extension GDALLibrary {
  /// Keeps a text for as long as the process runs. Returns the name by which GDAL opens it, which ends
  /// with that of the file that it replaces.
  func keep(_ text: [UInt8], as path: String) throws(LayerFailure) -> String {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    memory.copyBytes(from: text)
    let name = path.split(separator: "/").last ?? ""
    let source = "/vsimem/\(UInt(bitPattern: memory.baseAddress))/\(name)"
    guard let start = memory.baseAddress,
      let file = fileOfBytes(source, start, UInt64(text.count), 0)
    else { throw LayerFailure("GDAL cannot read the file from memory") }
    _ = closeFile(file)
    return source
  }
}
