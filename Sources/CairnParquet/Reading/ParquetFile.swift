internal import CairnGeometry
internal import CairnIO
internal import CairnQuery
import CairnSystem

/// A Parquet file: its description, and its columns as those of a layer.
final class ParquetFile: ColumnFile {
  let name: String
  let input: InputFile
  let metadata: FileMetadata
  let nodes: [SchemaNode]
  /// The columns of the layer.
  let schema: LayerSchema
  /// The node of each column, and the form of its geometries.
  let columns: [Column]
  /// The column of the boxes of the geometries; nil without one.
  let boxes: SchemaNode?

  /// A column of the layer.
  struct Column: Sendable {
    let node: SchemaNode
    /// The form of its geometries; nil for other values.
    let form: GeoMetadata.Form?
    /// The reason why the column cannot be read.
    let objection: String?
  }

  private static let magic = Array("PAR1".utf8)
  /// The largest description that is read.
  private static let largestFooter = 1 << 30

  /// Whether a file begins as Parquet does.
  static func recognizes(_ head: UnsafeRawBufferPointer) -> Bool {
    head.starts(with: magic) || head.starts(with: Array("PARE".utf8))
  }

  init(_ input: InputFile) throws(ImportError) {
    self.input = input
    name = input.name
    let footer = try Self.footer(of: input)
    do throws(ParquetError) {
      metadata = try footer.parsed { (bytes) throws(ParquetError) in try FileMetadata(bytes) }
      nodes = try SchemaNode.tree(metadata.elements)
      let geo = try metadata.notes["geo"].map { (text) throws(ParquetError) in
        try GeoMetadata(text)
      }
      let layout = GeoLayout(nodes, geo: geo, notes: metadata.notes)
      var schema = LayerSchema(name: "")
      schema.columns = layout.columns.map {
        LayerSchema.Column(name: $0.node.name, type: $0.layerType)
      }
      schema.count = Int(metadata.rowCount)
      schema.geometryType = layout.geometryType
      schema.system = layout.system
      schema.otherGeometries = layout.otherGeometries
      schema.hasSphericalEdges = layout.hasSphericalEdges
      self.schema = schema
      columns = layout.columns
      boxes = layout.boxes
    } catch { throw ImportError(error, file: input.name) }
    try checkGroups()
  }

  /// Reads the bytes of the description at the end of the file.
  private static func footer(of input: InputFile) throws(ImportError) -> [UInt8] {
    let tail = try input.readBytes(at: max(0, input.size - 8), count: 8)
    let size: Int
    do throws(ParquetError) { size = try footerSize(tail, fileSize: input.size) } catch {
      throw ImportError(error, file: input.name)
    }
    return try input.readBytes(at: input.size - 8 - Int64(size), count: size)
  }

  /// Reads the size of the description from the last bytes of a file.
  private static func footerSize(
    _ tail: [UInt8], fileSize: Int64
  ) throws(ParquetError) -> Int {
    guard tail.count == 8 else { throw ParquetError("the file is too short for Parquet") }
    let ending = String(decoding: tail[4...], as: UTF8.self)
    guard ending != "PARE" else {
      throw ParquetError("the file is encrypted, which Cairn does not read")
    }
    guard ending == "PAR1" else {
      throw ParquetError(
        "the file ends without the mark of Parquet, so it is cut off or was not finished")
    }
    let size = Int(tail[0]) | Int(tail[1]) << 8 | Int(tail[2]) << 16 | Int(tail[3]) << 24
    guard Int64(size) <= fileSize - 12 else {
      throw ParquetError("the description of the file has \(size) bytes, more than the file")
    }
    guard size <= largestFooter else {
      throw ParquetError(
        "the description of the file has \(size) bytes, and \(largestFooter) is the most")
    }
    return size
  }

  /// Throws if the row groups do not have the columns of the schema.
  private func checkGroups() throws(ImportError) {
    let leaves = nodes.flatMap(\.leaves)
    for (number, group) in metadata.groups.enumerated() where group.columns.count != leaves.count {
      throw ImportError(
        ParquetError(
          "row group \(number + 1) has \(group.columns.count) columns, and the schema \(leaves.count)"
        ),
        file: name)
    }
  }

  /// Returns a column chunk, which lies in the file.
  func chunk(of leaf: LeafColumn, group: Int) throws(ImportError) -> ColumnChunk {
    let chunk = metadata.groups[group].columns[leaf.index]
    var objection: String?
    if chunk.isElsewhere { objection = "lies in another file, which Cairn does not read" }
    if chunk.isEncrypted { objection = "is encrypted or is not described" }
    if let codec = chunk.unknownCodec {
      objection = "has the codec \(codec), which Cairn does not know"
    }
    if chunk.type != leaf.type {
      objection = "has the type \(chunk.type), and the schema \(leaf.type)"
    }
    let (end, overflows) = chunk.start.addingReportingOverflow(chunk.packedSize)
    if chunk.start < 0 || chunk.packedSize < 0 || overflows || end > input.size {
      objection = "lies behind the end of the file"
    }
    guard let objection else { return chunk }
    throw ImportError(
      ParquetError("column `\(leaf.path)`, row group \(group + 1), \(objection)"), file: name)
  }

  func rows(for pruning: LayerPruning) -> RowRanges? { RowGroupPruning(self, pruning).rows }

  var partEnds: [Int64] { metadata.groups.map(\.endRow) }

  func bounds(ofColumn index: Int) -> ValueBounds {
    let groups = metadata.groups.filter { $0.rowCount > 0 }
    return groups.reduce(nil) { (all: ValueBounds?, group) in
      let own = RowGroupStatistics(file: self, group: group).bounds(ofColumn: index)
      return all.map { $0.union(own) } ?? own
    } ?? ValueBounds()
  }

  func size(of columns: Set<Int>, in rows: RowRanges) -> Int64 {
    let leaves = columns.flatMap { self.columns[$0].node.leaves.map(\.index) }
    return rows.ranges.flatMap(metadata.parts).reduce(0) { size, part in
      let group = metadata.groups[part.group]
      let bytes = leaves.reduce(0.0) { $0 + Double(max(0, group.columns[$1].packedSize)) }
      let share = Double(part.rows.count) / Double(max(1, group.rowCount))
      return size + Int64(min(bytes, Double(input.size)) * share)
    }
  }

  func makeDecoder(_ needed: Set<Int>) throws(ImportError) -> any LayerDecoder {
    try ParquetDecoder(self, needed: needed)
  }

  /// Returns a reader of a column of the layer.
  func makeReader(_ index: Int) throws(ImportError) -> any RowReader {
    let column = columns[index]
    if let objection = column.objection {
      throw .unreadable(column.node.name, of: name, objection)
    }
    if case .native(let kind) = column.form {
      if let reader = ShapeColumnReader(column.node, kind: kind, of: self) { return reader }
    } else if let leaf = column.node.leaf, leaf.maxRepetition == 0 {
      return FlatColumnReader(leaf, of: self)
    }
    return NestedColumnReader(column.node, of: self)
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes, and passes its typed error on.
  func parsed<R>(
    _ body: (UnsafeRawBufferPointer) throws(ParquetError) -> R
  ) throws(ParquetError) -> R {
    let result = withUnsafeBytes { bytes -> Result<R, ParquetError> in
      do throws(ParquetError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
