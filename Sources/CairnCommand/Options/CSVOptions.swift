import ArgumentParser
import CairnFormats

/// How the CSV files of an import are written.
struct CSVOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What stands between fields: a character, or tab, comma, semicolon, pipe or space; else found out.",
      valueName: "char"),
    completion: .list(["tab", "comma", "semicolon", "pipe", "space"]),
    transform: ByteOption.init(text:))
  var delimiter: ByteOption?

  @Flag(help: "Numbers have a comma where others have a point.")
  var decimalComma = false

  @Flag(help: "The first line is data: the columns are called column_1 and so on.")
  var noHeader = false

  @Option(
    help: ArgumentHelp("Lines that begin with it are passed over; or none.", valueName: "char"),
    completion: .list(["none"]),
    transform: CommentOption.init(text:))
  var comment: CommentOption?

  @Option(help: "Rows with too few fields: fail (as --on-error says) or fill with nulls.")
  var ragged: RaggedOption = .fail

  @Option(
    help: ArgumentHelp(
      "The encoding of the text, as windows-1252 or latin1; else UTF-8, or what a byte order mark says.",
      valueName: "name"))
  var encoding: EncodingOption?

  func validate() throws {
    if let byte = comment?.byte, byte == delimiter?.byte {
      throw ValidationError("--comment and --delimiter cannot be the same character.")
    }
  }

  func apply(to options: inout ImportOptions) {
    options.delimiter = delimiter?.byte
    options.hasDecimalCommas = decimalComma
    options.hasHeader = !noHeader
    options.comment = comment?.byte
    options.hasNoComments = comment.map { $0.byte == nil } ?? false
    options.fillsRows = ragged == .fill
    options.encoding = encoding?.encoding
  }
}

/// A character of ASCII, itself or by its name.
struct ByteOption {
  let byte: UInt8

  fileprivate static let names = [
    "tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ",
  ]

  init(text: String) throws {
    let bytes = Array((Self.names[text.lowercased()] ?? text).utf8)
    guard bytes.count == 1, bytes[0] < 0x80, bytes[0] >= 0x20 || bytes[0] == 9, bytes[0] != 0x22
    else { throw Self.objection(text, others: []) }
    byte = bytes[0]
  }

  fileprivate static func objection(_ text: String, others: [String]) -> OptionError {
    let names = names.keys.filter { $0.count > 2 }.sorted() + others
    let hint =
      Hint.nearest(text.lowercased(), among: names).map { "; did you mean '\($0)'?" } ?? "."
    return OptionError("that is no one character of ASCII\(hint) It can be \(Hint.list(names))")
  }
}

/// `--comment CHAR|none`
struct CommentOption {
  /// Nil: no line is a comment.
  let byte: UInt8?

  init(text: String) throws {
    if text.lowercased() == "none" {
      byte = nil
    } else if let option = try? ByteOption(text: text) {
      byte = option.byte
    } else {
      throw ByteOption.objection(text, others: ["none"])
    }
  }
}

/// `--ragged fail|fill`
enum RaggedOption: String, WordArgument {
  case fail
  case fill
}

/// `--encoding NAME`
struct EncodingOption: ExpressibleByArgument {
  let encoding: TextEncoding

  init?(argument: String) {
    guard let encoding = TextEncoding(named: argument) else { return nil }
    self.encoding = encoding
  }

  static var allValueStrings: [String] { TextEncoding.names }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
