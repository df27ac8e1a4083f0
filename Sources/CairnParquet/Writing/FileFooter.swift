/// The description at the end of a file that is written.
struct FileFooter {
  /// A row group that was written.
  struct Group {
    let rowCount: Int
    /// The columns, without their bytes, and the offsets in the file at which they begin.
    let chunks: [(chunk: EncodedChunk, offset: Int)]
  }

  let leaves: [OutputLeaf]
  let codec: Codec
  var groups: [Group] = []
  /// Notes for programs, by their names.
  var notes: [(name: String, text: String)] = []

  private static let writer = "Cairn"

  /// The bytes behind the last row group, which begin at an offset: indexes of the pages, the
  /// description, its size, and the mark of the format.
  func bytes(at offset: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var indexes: [[PageIndex]] = []
    for group in groups {
      indexes.append(
        zip(group.chunks, leaves).map { chunk, leaf in
          PageIndex(chunk.chunk, at: chunk.offset, fileOffset: offset, appendingTo: &bytes)
        })
    }
    var writer = ThriftWriter()
    writer.structure { append(to: &$0, indexes: indexes) }
    bytes += writer.bytes
    withUnsafeBytes(of: UInt32(writer.bytes.count).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes + Array("PAR1".utf8)
  }

  private func append(to writer: inout ThriftWriter, indexes: [[PageIndex]]) {
    writer.int32(1, 2)
    appendSchema(to: &writer)
    writer.int64(3, groups.reduce(0) { $0 + Int64($1.rowCount) })
    writer.list(4, of: .structure, count: groups.count) { writer in
      for (group, indexes) in zip(groups, indexes) {
        writer.structure { append(group, indexes: indexes, to: &$0) }
      }
    }
    writer.list(5, of: .structure, count: notes.count) { writer in
      for note in notes {
        writer.structure { writer in
          writer.text(1, note.name)
          writer.text(2, note.text)
        }
      }
    }
    writer.text(6, Self.writer)
    // The bounds of all columns are in the order of their types.
    writer.list(7, of: .structure, count: leaves.count) { writer in
      for _ in leaves { writer.structure { $0.structure(1) { _ in } } }
    }
  }

  /// Writes the elements of the schema. Columns of a group follow one another.
  private func appendSchema(to writer: inout ThriftWriter) {
    let tops = leaves.map { $0.path[0] }
    let isFirst = tops.indices.map { $0 == 0 || tops[$0] != tops[$0 - 1] }
    let groupCount = leaves.indices.count { isFirst[$0] && leaves[$0].path.count > 1 }
    writer.list(2, of: .structure, count: 1 + leaves.count + groupCount) { writer in
      writer.structure { writer in
        writer.text(4, "schema")
        writer.int32(5, Int32(isFirst.count { $0 }))
      }
      for (index, leaf) in leaves.enumerated() {
        if isFirst[index], leaf.path.count > 1 {
          writer.structure { writer in
            writer.int32(3, SchemaElement.Repetition.optional.rawValue)
            writer.text(4, leaf.path[0])
            writer.int32(5, Int32(tops.count { $0 == leaf.path[0] }))
          }
        }
        leaf.append(to: &writer)
      }
    }
  }

  private func append(_ group: Group, indexes: [PageIndex], to writer: inout ThriftWriter) {
    writer.list(1, of: .structure, count: leaves.count) { writer in
      for (index, chunk) in group.chunks.enumerated() {
        writer.structure { writer in
          writer.int64(2, 0)
          append(chunk.chunk, at: chunk.offset, leaves[index], to: &writer)
          indexes[index].append(to: &writer)
        }
      }
    }
    writer.int64(2, group.chunks.reduce(0) { $0 + Int64($1.chunk.unpackedSize) })
    writer.int64(3, Int64(group.rowCount))
    writer.int64(5, Int64(group.chunks.first?.offset ?? 0))
    writer.int64(6, group.chunks.reduce(0) { $0 + Int64($1.chunk.packedSize) })
  }

  private func append(
    _ chunk: EncodedChunk, at offset: Int, _ leaf: OutputLeaf, to writer: inout ThriftWriter
  ) {
    writer.structure(3) { writer in
      writer.int32(1, leaf.type.rawValue)
      let encodings = chunk.encodings.map(\.rawValue).sorted()
      writer.list(2, of: .int32, count: encodings.count) { writer in
        for encoding in encodings { writer.element(Int64(encoding)) }
      }
      writer.list(3, of: .binary, count: leaf.path.count) { writer in
        for name in leaf.path { writer.element(Array(name.utf8)) }
      }
      writer.int32(4, codec.rawValue)
      writer.int64(5, Int64(chunk.rowCount))
      writer.int64(6, Int64(chunk.unpackedSize))
      writer.int64(7, Int64(chunk.packedSize))
      writer.int64(9, Int64(offset + chunk.dataOffset))
      if chunk.hasDictionary { writer.int64(11, Int64(offset)) }
      chunk.statistics.append(to: &writer, as: 12)
    }
  }
}

/// The places of the pages of a column chunk, and their bounds if all have some.
private struct PageIndex {
  private let offsets: (offset: Int, size: Int)
  private let bounds: (offset: Int, size: Int)?

  /// Writes the indexes behind bytes that begin at an offset of the file.
  init(
    _ chunk: EncodedChunk, at chunkOffset: Int, fileOffset: Int, appendingTo bytes: inout [UInt8]
  ) {
    if let index = Self.bounds(chunk) {
      bounds = (fileOffset + bytes.count, index.count)
      bytes += index
    } else {
      bounds = nil
    }
    var writer = ThriftWriter()
    writer.structure { writer in
      writer.list(1, of: .structure, count: chunk.pages.count) { writer in
        for page in chunk.pages {
          writer.structure { writer in
            writer.int64(1, Int64(chunkOffset + page.offset))
            writer.int32(2, Int32(page.size))
            writer.int64(3, Int64(page.firstRow))
          }
        }
      }
    }
    offsets = (fileOffset + bytes.count, writer.bytes.count)
    bytes += writer.bytes
  }

  private static func bounds(_ chunk: EncodedChunk) -> [UInt8]? {
    let pages = chunk.pages
    let isWhole = pages.allSatisfy { $0.isNull || $0.statistics.least != nil }
    guard isWhole, pages.contains(where: { !$0.isNull }) else { return nil }
    var writer = ThriftWriter()
    writer.structure { writer in
      writer.list(1, of: .yes, count: pages.count) { writer in
        for page in pages { writer.element(page.isNull) }
      }
      writer.list(2, of: .binary, count: pages.count) { writer in
        for page in pages { writer.element(page.statistics.least ?? []) }
      }
      writer.list(3, of: .binary, count: pages.count) { writer in
        for page in pages { writer.element(page.statistics.greatest ?? []) }
      }
      // The pages are in no order.
      writer.int32(4, 0)
      writer.list(5, of: .int64, count: pages.count) { writer in
        for page in pages { writer.element(page.statistics.nullCount ?? 0) }
      }
    }
    return writer.bytes
  }

  func append(to writer: inout ThriftWriter) {
    writer.int64(4, Int64(offsets.offset))
    writer.int32(5, Int32(offsets.size))
    if let bounds {
      writer.int64(6, Int64(bounds.offset))
      writer.int32(7, Int32(bounds.size))
    }
  }
}
