import CairnSystem
internal import CairnValues

// Values as JSON.
extension ArrowColumn {
  /// The most bytes of a list. Lists may overlap or hold only nulls, so that a few bytes describe a list of
  /// any length.
  private static let longestJSON = 1 << 26

  /// Appends the JSON of a value.
  func appendJSON(at position: Int, to text: inout String) throws(ArrowError) {
    switch type {
    case .null, .runs, .union: text += "null"
    case .bool: text += bool(at: position) ? "true" : "false"
    case .int: text += "\(try int(at: position))"
    case .float:
      let number = double(at: position)
      text += number.isFinite ? "\(number)" : "null"
    case .decimal: text += decimalText(at: position)
    case .text, .textView:
      text += JSONString.quoted(String(decoding: bytes(at: position), as: UTF8.self))
    case .binary, .binaryView, .fixedBinary:
      text += JSONString.quoted(Base64.encode(Array(bytes(at: position))))
    case .days, .dayMilliseconds, .timestamp:
      text += JSONString.quoted(ISODate.format(date(at: position)))
    case .time, .duration, .interval: text += JSONString.quoted(try self.text(at: position))
    case .structure: try appendStructure(at: position, to: &text)
    case .list, .listView, .fixedList: try appendList(range(at: position), to: &text)
    case .map: try appendMap(range(at: position), to: &text)
    }
  }

  private func appendJSON(ofRow row: Int, to text: inout String) throws(ArrowError) {
    try requireRows(upTo: row + 1)
    guard let position = position(row) else { return text += "null" }
    try appendJSON(at: position, to: &text)
  }

  private func appendList(_ range: Range<Int>, to text: inout String) throws(ArrowError) {
    let child = try child(0)
    text += "["
    for row in range {
      if row > range.lowerBound { text += "," }
      try child.appendJSON(ofRow: row, to: &text)
      try Self.checkSize(text, field)
    }
    text += "]"
  }

  /// Appends pairs, whose keys are texts in JSON.
  private func appendMap(_ range: Range<Int>, to text: inout String) throws(ArrowError) {
    let pairs = try child(0)
    guard pairs.type == .structure, pairs.field.children.count == 2 else {
      return try appendList(range, to: &text)
    }
    try pairs.requireRows(upTo: range.upperBound)
    let (keys, values) = (try pairs.child(0), try pairs.child(1))
    text += "{"
    for row in range {
      guard let position = pairs.position(row) else { continue }
      if row > range.lowerBound { text += "," }
      var key = ""
      try keys.appendJSON(ofRow: position, to: &key)
      text += (key.first == "\"" ? key : JSONString.quoted(key)) + ":"
      try values.appendJSON(ofRow: position, to: &text)
      try Self.checkSize(text, field)
    }
    text += "}"
  }

  private func appendStructure(at position: Int, to text: inout String) throws(ArrowError) {
    text += "{"
    for index in field.content.children.indices {
      let child = try child(index)
      if index > 0 { text += "," }
      text += JSONString.quoted(child.field.name) + ":"
      // A structure's own offset applies to its children as well.
      try child.appendJSON(ofRow: position, to: &text)
    }
    text += "}"
  }

  private static func checkSize(_ text: String, _ field: ArrowField) throws(ArrowError) {
    guard text.utf8.count <= longestJSON else {
      throw ArrowError("the column `\(field.name)` has a list of more than 64 MB")
    }
  }
}
