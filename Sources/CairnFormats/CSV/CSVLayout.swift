/// What stands in which column of one CSV file.
struct CSVLayout: Sendable {
  /// The columns in the order of the file.
  let names: [String]
  /// The column of the latitudes, or of y.
  let latitude: Int
  /// The column of the longitudes, or of x.
  let longitude: Int
  /// Where the records begin.
  let start: Int64
  let delimiter: UInt8

  /// The columns that become properties, with their places in the file.
  var properties: [(place: Int, name: String)] {
    names.enumerated()
      .filter { $0.offset != latitude && $0.offset != longitude && !$0.element.isEmpty }
      .map { ($0.offset, $0.element) }
  }

  /// The last column, when it has no name: its fields must be empty.
  var unnamed: Int? { names.last == "" ? names.count - 1 : nil }
}
