package import CArrow

extension ArrowField {
  /// Reads a description of the C data interface.
  ///
  /// - Throws: An error if a column has a type that is not supported.
  package init(_ schema: cairn_arrow_schema) throws(ArrowError) { try self.init(schema, depth: 0) }

  private init(_ schema: cairn_arrow_schema, depth: Int) throws(ArrowError) {
    let name = schema.name.map { String(cString: $0) } ?? ""
    let format = schema.format.map { String(cString: $0) } ?? ""
    guard let own = ArrowType(format), depth < Self.deepest else {
      throw ArrowError("the column `\(name)` has a type that Cairn does not read (\(format))")
    }
    if let dictionary = schema.dictionary {
      let values = try ArrowField(dictionary.pointee, depth: depth + 1)
      guard case .int = own, values.dictionaryIndex == nil else {
        throw ArrowError("the column `\(name)` has a dictionary that Cairn does not read")
      }
      self.init(
        name: name, type: values.type, dictionaryIndex: own, children: values.children)
      return
    }
    var children: [ArrowField] = []
    for index in 0..<Int(schema.n_children) {
      guard let child = schema.children?[index] else { continue }
      children.append(try ArrowField(child.pointee, depth: depth + 1))
    }
    self.init(
      name: name, type: own, children: children,
      extensionName: Self.extensionName(schema.metadata))
    if let objection { throw ArrowError("the column `\(name)` \(objection)") }
  }

  /// Returns the name of the type that a program gives to the column, from its metadata: a number
  /// of pairs, and the length and bytes of the name and the value of each.
  private static func extensionName(_ metadata: UnsafePointer<CChar>?) -> String? {
    guard var cursor = metadata.map({ UnsafeRawPointer($0) }) else { return nil }
    func takeNumber() -> Int {
      defer { cursor += 4 }
      return Int(cursor.loadUnaligned(as: Int32.self))
    }
    func takeText() -> String {
      let count = takeNumber()
      defer { cursor += max(0, count) }
      return String(
        decoding: UnsafeRawBufferPointer(start: cursor, count: max(0, count)), as: UTF8.self)
    }
    for _ in 0..<max(0, takeNumber()) {
      let (name, value) = (takeText(), takeText())
      if name == "ARROW:extension:name" { return value }
    }
    return nil
  }
}

extension ArrowField {
  /// Whether the values are days, or times without a zone.
  package var isDated: Bool { dictionaryIndex == nil && (type == .days || type.isLocal) }
}
