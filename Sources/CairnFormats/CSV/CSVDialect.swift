/// How the fields and records of a CSV file are told apart.
struct CSVDialect: Sendable, Equatable {
  var delimiter = UInt8(ascii: ",")
  /// What ends a record: LF, before which a CR may stand, or CR alone.
  var newline = CSVQuotes.newline
  /// Lines that begin with it are passed over.
  var comment: UInt8?
  /// Lines that begin with it are refused: such lines stand before the header, and no one has said that those behind
  /// it are comments too.
  var doubtfulComment: UInt8?
}
