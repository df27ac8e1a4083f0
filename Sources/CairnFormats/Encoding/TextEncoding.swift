/// How the text of a file is encoded.
package enum TextEncoding: Sendable, Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  /// One of the encodings of `SingleByteTables`, by its place there.
  case singleByte(Int)
  /// One of `SystemEncodings`, by its place there.
  case system(Int)

  /// The encoding of that name, in any case, with or without hyphens; nil: none that is known.
  package init?(named name: String) {
    let plain = Self.plain(name)
    switch plain {
    case "utf8": self = .utf8
    case "utf16", "utf16le": self = .utf16(isBigEndian: false)
    case "utf16be": self = .utf16(isBigEndian: true)
    case "utf32", "utf32le": self = .utf32(isBigEndian: false)
    case "utf32be": self = .utf32(isBigEndian: true)
    default:
      let wanted = Self.otherNames[plain] ?? plain
      if let place = SystemEncodings.all.firstIndex(where: { Self.plain($0.name) == wanted }) {
        self = .system(place)
        return
      }
      let place = SingleByteTables.all.firstIndex { Self.plain($0.name) == wanted }
      guard let place else { return nil }
      self = .singleByte(place)
    }
  }

  /// The names that can be given, for a message.
  package static var names: [String] {
    ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1"]
      + SingleByteTables.all.map(\.name) + SystemEncodings.all.map(\.name)
  }

  /// As messages call it.
  package var name: String {
    switch self {
    case .utf8: "utf-8"
    case .utf16(let isBigEndian): isBigEndian ? "utf-16be" : "utf-16le"
    case .utf32(let isBigEndian): isBigEndian ? "utf-32be" : "utf-32le"
    case .singleByte(let place): SingleByteTables.all[place].name
    case .system(let place): SystemEncodings.all[place].name
    }
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  private static let otherNames = [
    "latin1": "iso88591", "l1": "iso88591", "latin2": "iso88592", "latin5": "iso88599",
    "latin9": "iso885915", "latin0": "iso885915", "cp1250": "windows1250", "cp1251": "windows1251",
    "cp1252": "windows1252", "cp1253": "windows1253", "cp1254": "windows1254",
    "ansi": "windows1252",
    "ibm437": "cp437", "ibm850": "cp850", "ibm852": "cp852", "ibm866": "cp866",
    "macroman": "macintosh", "sjis": "shiftjis", "cp932": "shiftjis", "windows31j": "shiftjis",
    "mskanji": "shiftjis", "gb2312": "gbk", "cp936": "gbk", "cp949": "euckr", "uhc": "euckr",
    "big5hkscs": "big5", "cp950": "big5", "eucjis": "eucjp",
  ]

  /// What a byte order mark at the head of a file says, but for that of UTF-8; nil: there is none.
  static func marked(by head: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
    if head.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(isBigEndian: false), 4) }
    if head.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    return head.starts(with: [0xFE, 0xFF]) ? (.utf16(isBigEndian: true), 2) : nil
  }
}
