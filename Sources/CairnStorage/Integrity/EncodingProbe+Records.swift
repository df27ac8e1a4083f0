import CairnValues

/// Small records, and rows that hold many values.
extension EncodingProbe {
  static func readRecords(_ bytes: [UInt8]) {
    check(bytes, { try TableSchema(id: 1, decoding: $0) }, { $0.encoded() })
    check(bytes, { try TableState(decoding: $0, table: "probe") }) {
      _ = ($0.chunkCount, $0.unsettledRows, $0.valueRuns.map(\.segments))
      return $0.encoded()
    }
    check(bytes, { try PendingLoad(decoding: $0) }) {
      _ = 0..<$0.columnEnd
      return $0.encoded()
    }
    check(bytes, { try Journal.entries(in: $0, of: 1) }, { Journal.record(of: $0) })
    bytes.withUnsafeBytes { raw in
      guard let element = try? Element(decoding: raw) else { return }
      let written = element.encoded()
      // Not the elements: some numbers are not equal to themselves.
      let again = written.withUnsafeBytes { try? Element(decoding: $0).encoded() }
      precondition(again == written, "an element is written and read as another")
    }
  }

  private static func check<Record: Equatable>(
    _ bytes: [UInt8], _ read: (UnsafeRawBufferPointer) throws -> Record,
    _ write: (Record) -> [UInt8]
  ) {
    guard let record = try? bytes.withUnsafeBytes(read) else { return }
    let again = try? write(record).withUnsafeBytes(read)
    precondition(again == record, "\(record) is written and read as another")
  }

  static func readCollections(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      for type in ValueType.allCases {
        for kind in [CollectionKind.list, .set, .map] {
          let column = ColumnSchema(
            id: 0, name: "", type: type, collection: kind, isOptional: true, position: 0)
          let isSound = CollectionForm.objection(raw, column) == nil
          let values = values(raw, column)
          // Lest the reading be left out, as nobody wants what is read.
          withExtendedLifetime(values) {}
          if isSound, type != .mixed, raw.count > 0 { check(values, column) }
        }
      }
    }
  }

  private static func values(
    _ raw: UnsafeRawBufferPointer, _ column: ColumnSchema
  ) -> [(key: String, value: Value)] {
    let isMap = column.collection == .map
    let collection = StoredCollection(raw, of: column.type, isMap: isMap)
    return (0..<min(collection.count, 1000)).map {
      (key: isMap ? collection.keyText(at: $0) : "", value: collection.value(at: $0))
    }
  }

  /// What `verify` lets pass is written and read as the same.
  private static func check(_ entries: [(key: String, value: Value)], _ column: ColumnSchema) {
    guard entries.count < 1000 else { return }
    let written = encoded(entries, column)
    written.withUnsafeBytes { raw in
      precondition(CollectionForm.objection(raw, column) == nil, "\(entries) are written wrongly")
      let again = values(raw, column)
      // A point that is none is not equal to itself; but its bytes are.
      let isSame = column.type == .point || again.map(\.value) == entries.map(\.value)
      precondition(
        isSame && again.map(\.key) == entries.map(\.key) && encoded(again, column) == written,
        "\(entries) are written and read as \(again)")
    }
  }

  private static func encoded(
    _ entries: [(key: String, value: Value)], _ column: ColumnSchema
  ) -> [UInt8] {
    switch column.collection {
    case .map: StoredCollection.encode(map: entries, of: column.type)
    case .set: StoredCollection.encode(set: entries.map(\.value), of: column.type)
    default: StoredCollection.encode(entries.map(\.value), of: column.type)
    }
  }
}
