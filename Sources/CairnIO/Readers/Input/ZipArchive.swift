internal import CZlib
import CairnSystem

/// The directory of a ZIP archive (PKWARE's APPNOTE.TXT, 4.3), and the files in it.
package struct ZipArchive {
  /// A file of the archive.
  struct Member {
    let name: String
    /// The method of compression: 0 for none, 8 for deflate.
    let method: UInt16
    /// Whether the file is encrypted.
    let isEncrypted: Bool
    let packedSize: Int64
    /// The CRC-32 of the unpacked bytes.
    let checksum: UInt32
    /// The offset of the file's header.
    fileprivate let offset: Int64

    /// The extension of the name in lower case.
    var ending: String {
      let last = name.split(separator: "/").last ?? ""
      return last.lastIndex(of: ".").map { last[last.index(after: $0)...].lowercased() } ?? ""
    }
  }

  /// The bytes that begin an archive.
  static let magic: [UInt8] = [0x50, 0x4B, 3, 4]

  /// The files, without folders and the notes of macOS.
  let members: [Member]

  private static let (endSize, entrySize) = (22, 46)
  fileprivate static let headerSize = 30
  private static let maxComment = 0xFFFF
  /// The size up to which a directory is read.
  private static let maxDirectory = 64 << 20

  /// Reads the directory. Returns nil if the file is not a complete archive, or has a directory of the
  /// format's extension for more than 4 GB.
  init?(_ descriptor: Int32, size: Int64) {
    let tailSize = min(size, Int64(Self.endSize + Self.maxComment))
    guard let tail = Self.bytes(descriptor, at: size - tailSize, count: Int(tailSize)),
      // A comment, which comes last, may have the same bytes.
      let end = tail.indices.dropLast(Self.endSize - 1).last(where: {
        tail[$0...].starts(with: [0x50, 0x4B, 5, 6])
          && $0 + Self.endSize + Int(tail.word16($0 + 20)) == tail.count
      })
    else { return nil }
    let (count, length, start) = (
      Int(tail.word16(end + 10)), Int64(tail.word32(end + 12)), Int64(tail.word32(end + 16))
    )
    guard count < 0xFFFF, length <= Self.maxDirectory, start + length <= size,
      let directory = Self.bytes(descriptor, at: start, count: Int(length))
    else { return nil }
    var members: [Member] = []
    var entry = 0
    for _ in 0..<count {
      guard entry + Self.entrySize <= directory.count,
        directory[entry...].starts(with: [0x50, 0x4B, 1, 2])
      else { return nil }
      let nameSize = Int(directory.word16(entry + 28))
      let next =
        entry + Self.entrySize + nameSize + Int(directory.word16(entry + 30))
        + Int(directory.word16(entry + 32))
      guard next <= directory.count else { return nil }
      let name = String(
        decoding: directory[(entry + Self.entrySize)...].prefix(nameSize), as: UTF8.self)
      let extraStart = entry + Self.entrySize + nameSize
      var wide = Self.wideFields(
        directory[extraStart..<extraStart + Int(directory.word16(entry + 30))])
      // The unpacked size comes first among the fields of 8 bytes.
      _ = Self.field(directory.word32(entry + 24), &wide)
      guard let packedSize = Self.field(directory.word32(entry + 20), &wide),
        let offset = Self.field(directory.word32(entry + 42), &wide)
      else { return nil }
      let member = Member(
        name: name, method: directory.word16(entry + 10),
        isEncrypted: directory.word16(entry + 8) & 1 != 0, packedSize: packedSize,
        checksum: directory.word32(entry + 16), offset: offset)
      if !Self.isNote(name) { members.append(member) }
      entry = next
    }
    self.members = members
  }

  /// Whether a name is that of a folder, or of a file in which macOS keeps attributes.
  private static func isNote(_ name: String) -> Bool {
    name.hasSuffix("/") || name.hasPrefix("__MACOSX/") || name.hasSuffix(".DS_Store")
      || name.split(separator: "/").last?.hasPrefix("._") == true
  }

  /// Returns the fields of 8 bytes for numbers that do not fit in 4, in their order.
  private static func wideFields(_ extra: ArraySlice<UInt8>) -> ArraySlice<UInt64> {
    var rest = Array(extra)[...]
    while rest.count >= 4 {
      let (kind, size) = (Array(rest).word16(0), Int(Array(rest).word16(2)))
      guard rest.count >= 4 + size else { break }
      if kind == 1 {
        let bytes = Array(rest.dropFirst(4).prefix(size))
        return stride(from: 0, through: bytes.count - 8, by: 8).map {
          UInt64(bytes.word32($0)) | UInt64(bytes.word32($0 + 4)) << 32
        }[...]
      }
      rest = rest.dropFirst(4 + size)
    }
    return []
  }

  /// Returns a number of an entry; nil for one of 8 bytes that is missing, or too large for a file.
  private static func field(_ value: UInt32, _ wide: inout ArraySlice<UInt64>) -> Int64? {
    value == .max ? wide.popFirst().flatMap { Int64(exactly: $0) } : Int64(value)
  }

  fileprivate static func bytes(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }
}

extension [UInt8] {
  fileprivate func word16(_ index: Int) -> UInt16 {
    UInt16(self[index]) | UInt16(self[index + 1]) << 8
  }

  fileprivate func word32(_ index: Int) -> UInt32 {
    UInt32(word16(index)) | UInt32(word16(index + 2)) << 16
  }
}

// Tables and GeoJSON in archives.
extension ZipArchive {
  /// The extensions of the formats of data that Cairn reads itself.
  private static let dataEndings: Set = [
    "csv", "tsv", "tab", "psv", "geojson", "geojsonl", "geojsons", "geojsonseq", "ndjson", "jsonl",
  ]
  /// The extensions of files that may be data, or describe other ones.
  private static let textEndings: Set = ["txt", "json"]

  /// The files with data, in formats that Cairn reads itself. Empty if the archive has layers for GDAL,
  /// beside which a text is a description.
  private var tables: [Member] {
    let hasLayers = members.contains { LayerFormats.isExtension($0.ending) }
    guard !hasLayers, geodatabases.isEmpty else { return [] }
    let data = members.filter { Self.dataEndings.contains($0.ending) }
    return data.isEmpty ? members.filter { Self.textEndings.contains($0.ending) } : data
  }

  /// The folders of the archive that are file geodatabases, by their names.
  private var geodatabases: [String] {
    var found: Set<String> = []
    for member in members {
      let folders = member.name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      guard let last = folders.firstIndex(where: { $0.lowercased().hasSuffix(".gdb") }) else {
        continue
      }
      found.insert(folders[...last].joined(separator: "/"))
    }
    return found.sorted()
  }

  /// The folders of the archive at a path that are file geodatabases; empty for any other file.
  package static func geodatabases(in path: String) -> [String] {
    archive(at: path)?.geodatabases ?? []
  }

  /// Returns the files with data of an archive, in formats that Cairn reads itself; empty for any other
  /// file.
  private static func tables(in path: String) -> [Member] {
    path == "-" ? [] : archive(at: path)?.tables ?? []
  }

  /// Reads the directory of the archive at a path; nil for any other file.
  private static func archive(at path: String) -> ZipArchive? {
    var info = stat()
    // Opening a pipe would end its writer.
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard bytes(file, at: 0, count: magic.count) == magic else { return nil }
    return ZipArchive(file, size: Int64(info.st_size))
  }

  /// Whether a path is that of an archive of files that Cairn reads itself.
  static func hasTables(_ path: String) -> Bool { !tables(in: path).isEmpty }

  /// Returns the only table of an archive; nil for any other file.
  ///
  /// - Throws: A usage error that names the tables if there are several.
  static func onlyTable(in path: String) throws(ImportError) -> Member? {
    let tables = tables(in: path)
    guard tables.count > 1 else { return tables.first }
    let names = tables.prefix(5).map { "`\($0.name.prefix(80))`" }.joined(separator: ", ")
    throw ImportError(
      .usage,
      message: "\(path): the archive has \(tables.count) tables (\(names)"
        + "\(tables.count > 5 ? ", …" : "")); unpack it, and import each")
  }

  /// Returns a file's name without the extensions `.zip` and, before it, that of a text format.
  static func plainName(_ name: Substring) -> Substring {
    guard name.lowercased().hasSuffix(".zip"), name.count > 4 else { return name }
    let inner = name.dropLast(4)
    guard let point = inner.lastIndex(of: "."), point > inner.startIndex,
      dataEndings.union(textEndings).contains(inner[inner.index(after: point)...].lowercased())
    else { return name }
    return inner
  }
}

extension ZipArchive.Member {
  /// Returns the offset of the packed bytes; nil if the file's header is damaged.
  private func start(in archive: Int32) -> Int64? {
    guard let header = ZipArchive.bytes(archive, at: offset, count: ZipArchive.headerSize),
      header.starts(with: ZipArchive.magic)
    else { return nil }
    return offset + Int64(ZipArchive.headerSize) + Int64(header.word16(26))
      + Int64(header.word16(28))
  }

  /// Returns the unpacked bytes of the file.
  ///
  /// - Parameter name: The name in messages.
  func source(
    in archive: Int32, size: Int64, name: String
  ) throws(ImportError) -> any ByteSource {
    guard !isEncrypted, method == 0 || method == 8 else {
      throw ImportError(
        .data,
        message: "\(name): the file is "
          + (isEncrypted ? "encrypted" : "compressed by a method other than deflate")
          + "; unpack it first")
    }
    guard let start = start(in: archive), start + packedSize <= size else {
      throw ImportError(.data, message: "\(name): the archive is damaged")
    }
    let packed = RangeSource(archive, at: start, count: packedSize, name: name)
    return CheckedSource(
      method == 0 ? packed : try InflateSource(packed, name: name, isRaw: true),
      checksum: checksum, name: name)
  }
}

/// A range of a file.
final class RangeSource: ByteSource {
  private let descriptor: Int32
  private let name: String
  private var offset: Int64
  private var left: Int64

  init(_ descriptor: Int32, at offset: Int64, count: Int64, name: String) {
    self.descriptor = descriptor
    self.name = name
    self.offset = offset
    left = count
  }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    let wanted = Int(min(Int64(count), left))
    guard wanted > 0 else { return 0 }
    while true {
      let got = pread(descriptor, target, wanted, off_t(offset))
      if got > 0 {
        offset += Int64(got)
        left -= Int64(got)
        return got
      }
      guard got < 0, errno == EINTR else {
        throw ImportError(
          .io,
          message: "\(name): "
            + (got == 0 ? "the archive ends early" : "reading failed: \(errorText(errno))"))
      }
    }
  }
}

/// The bytes of another source, compared with their checksum.
private final class CheckedSource: ByteSource {
  private let source: any ByteSource
  private let checksum: UInt32
  private let name: String
  private var found: UInt = 0

  init(_ source: any ByteSource, checksum: UInt32, name: String) {
    self.source = source
    self.checksum = checksum
    self.name = name
  }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    let got = try source.read(into: target, count: count)
    if got > 0 {
      found = crc32(found, target.assumingMemoryBound(to: UInt8.self), UInt32(clamping: got))
    } else if found != UInt(checksum) {
      throw ImportError(.data, message: "\(name): the archive is damaged: a checksum is wrong")
    }
    return got
  }
}
