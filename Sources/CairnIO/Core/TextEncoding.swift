import CairnSystem

/// The encoding of a file's text.
public enum TextEncoding: Sendable, Equatable {
  /// UTF-8.
  case utf8
  /// UTF-16, in the byte order that the case names.
  case utf16(isBigEndian: Bool)
  /// UTF-32, in the byte order that the case names.
  case utf32(isBigEndian: Bool)
  /// An encoding of one byte for each character, by index; `init(named:)` finds it.
  case singleByte(Int)
  /// An encoding that the system's library converts, by index; `init(named:)` finds it.
  case system(Int)

  /// Finds an encoding by its name, such as `windows-1252`, `latin1` or `shift-jis`, in any case,
  /// with or without hyphens. Returns nil for an unknown name; ``names`` lists them.
  public init?(named name: String) {
    let plain = Self.plain(name)
    switch plain {
    case "utf8": self = .utf8
    case "utf16", "utf16le": self = .utf16(isBigEndian: false)
    case "utf16be": self = .utf16(isBigEndian: true)
    case "utf32", "utf32le": self = .utf32(isBigEndian: false)
    case "utf32be": self = .utf32(isBigEndian: true)
    default:
      let wanted = Self.otherNames[plain] ?? plain
      if let index = SystemEncodings.all.firstIndex(where: { Self.plain($0.name) == wanted }) {
        self = .system(index)
        return
      }
      let index = SingleByteTables.all.firstIndex { Self.plain($0.name) == wanted }
      guard let index else { return nil }
      self = .singleByte(index)
    }
  }

  /// The accepted names, for messages.
  public static var names: [String] {
    ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1"]
      + SingleByteTables.all.map(\.name) + SystemEncodings.all.map(\.name)
  }

  /// The advice for text that is not UTF-8.
  package static let advice: ImportMessage =
    "name the file's encoding, as in \(option: .encoding, "windows-1252") "
    + "or \(option: .encoding, "latin1")"

  /// The name in messages.
  public var name: String {
    switch self {
    case .utf8: "utf-8"
    case .utf16(let isBigEndian): isBigEndian ? "utf-16be" : "utf-16le"
    case .utf32(let isBigEndian): isBigEndian ? "utf-32be" : "utf-32le"
    case .singleByte(let index): SingleByteTables.all[index].name
    case .system(let index): SystemEncodings.all[index].name
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

  /// Returns the encoding of the byte order mark at the start of a file, except that of UTF-8, or
  /// nil without a mark.
  static func marked(by head: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
    if head.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(isBigEndian: false), 4) }
    if head.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    return head.starts(with: [0xFE, 0xFF]) ? (.utf16(isBigEndian: true), 2) : nil
  }
}

/// Multi-byte encodings that the system's library converts to UTF-8.
enum SystemEncodings {
  /// The names that users give and the names in the library: supersets in which a backslash is a
  /// backslash.
  static let all: [(name: String, system: String)] = [
    ("shift-jis", "CP932"), ("euc-jp", "EUC-JP"), ("gbk", "CP936"), ("gb18030", "GB18030"),
    ("big5", "BIG5-HKSCS"), ("euc-kr", "UHC"),
  ]
}
