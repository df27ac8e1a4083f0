import ArgumentParser
import CairnFormats

/// How the CSV files of an import are written.
struct CSVOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What stands between fields: a character, or tab, comma, semicolon, pipe or space; else found out.",
      valueName: "char"))
  var delimiter: ByteOption?

  @Flag(help: "Numbers have a comma where others have a point.")
  var decimalComma = false

  @Flag(help: "The first line is data: the columns are called column_1 and so on.")
  var noHeader = false

  @Option(
    help: ArgumentHelp("Lines that begin with it are passed over; or none.", valueName: "char"))
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
struct ByteOption: ExpressibleByArgument {
  let byte: UInt8

  private static let names = [
    "tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ",
  ]

  init?(argument: String) {
    let text = Self.names[argument.lowercased()] ?? argument
    let bytes = Array(text.utf8)
    guard bytes.count == 1, bytes[0] < 0x80, bytes[0] >= 0x20 || bytes[0] == 9, bytes[0] != 0x22
    else {
      return nil
    }
    byte = bytes[0]
  }
}

/// `--comment CHAR|none`
struct CommentOption: ExpressibleByArgument {
  /// Nil: no line is a comment.
  let byte: UInt8?

  init?(argument: String) {
    let option = ByteOption(argument: argument)
    guard argument == "none" || option != nil else { return nil }
    byte = option?.byte
  }
}

/// `--ragged fail|fill`
enum RaggedOption: String, ExpressibleByArgument, CaseIterable {
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
}
