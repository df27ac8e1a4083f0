import ArgumentParser
import CairnIO

/// The options for the CSV dialect of an import.
struct CSVOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The delimiter: a character, or tab, comma, semicolon, pipe or space (default: detected).",
      valueName: "char"),
    completion: .list(["tab", "comma", "semicolon", "pipe", "space"]),
    transform: ByteOption.init(text:))
  var delimiter: ByteOption?

  @Flag(help: "Numbers are written with a decimal comma.")
  var decimalComma = false

  @Option(
    help: ArgumentHelp(
      "The separator of thousands in numbers: comma, point, space or apostrophe.",
      valueName: "separator"))
  var thousands: ThousandsOption?

  @Flag(help: "Ignore a currency sign or code and a percent sign beside numbers.")
  var currency = false

  @Option(
    help: ArgumentHelp(
      "Skip this number of lines above the header, such as a title.", valueName: "number"))
  var skipLines = 0

  @Flag(help: "The first line is data; the columns are named column_1, column_2, ...")
  var noHeader = false

  @Option(
    help: ArgumentHelp(
      "Skip lines that start with this character; none: skip no lines.", valueName: "char"),
    completion: .list(["none"]),
    transform: CommentOption.init(text:))
  var comment: CommentOption?

  @Option(help: "Rows with too few fields: fail (see --on-error) or fill with nulls.")
  var ragged: RaggedOption = .fail

  @Option(
    help: ArgumentHelp(
      "The text encoding, such as windows-1252 or latin1 (default: byte order mark, else UTF-8).",
      valueName: "name"))
  var encoding: EncodingOption?

  func validate() throws {
    if skipLines < 0 { throw ValidationError("--skip-lines must not be negative") }
    if let byte = comment?.byte, byte == delimiter?.byte {
      throw ValidationError("--comment and --delimiter cannot be the same character")
    }
  }

  func apply(to options: inout ImportOptions) {
    options.delimiter = delimiter?.byte
    options.hasDecimalCommas = decimalComma
    options.thousands = thousands?.separator
    options.ignoresNumberSigns = currency
    options.skippedLines = skipLines
    options.hasHeader = !noHeader
    options.comment = comment?.byte
    options.hasNoComments = comment.map { $0.byte == nil } ?? false
    options.fillsRows = ragged == .fill
    options.encoding = encoding?.encoding
  }
}

/// An ASCII character, given itself or by name.
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
      Hint.nearest(text.lowercased(), among: names).map { "; did you mean '\($0)'? The" } ?? "; the"
    return OptionError("expected an ASCII character or a name\(hint) names are \(Hint.list(names))")
  }
}

/// The value of `--comment CHAR|none`.
struct CommentOption {
  /// The character that starts a comment; nil if no line is a comment.
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

/// The value of `--thousands comma|point|space|apostrophe`.
enum ThousandsOption: String, WordArgument {
  case comma
  case point
  case space
  case apostrophe

  var separator: ThousandsSeparator? { ThousandsSeparator(rawValue: rawValue) }
}

/// The value of `--ragged fail|fill`.
enum RaggedOption: String, WordArgument {
  case fail
  case fill
}

/// The value of `--encoding NAME`.
struct EncodingOption: ExpressibleByArgument {
  let encoding: TextEncoding

  init?(argument: String) {
    guard let encoding = TextEncoding(named: argument) else { return nil }
    self.encoding = encoding
  }

  static var allValueStrings: [String] { TextEncoding.names }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
