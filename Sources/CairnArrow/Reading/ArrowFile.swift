internal import CairnIO
internal import CairnParquet
import CairnSystem

/// A file or a stream of Arrow: its parts, and its columns as those of a layer.
final class ArrowFile: ColumnFile {
  let name: String
  let input: InputFile
  let container: ArrowContainer
  /// The columns of the layer.
  let schema: LayerSchema
  /// The columns of the file that become those of the layer, by their indexes.
  let columns: [(index: Int, field: ArrowField)]
  let buffers = BodyReader.SharedBuffers()
  let dictionaries = SharedParts<[Int], LoadedDictionary>()

  private static let oldMagic = Array("FEA1".utf8)

  /// Whether a file begins as Arrow's files and streams do.
  static func recognizes(_ head: UnsafeRawBufferPointer) -> Bool {
    head.starts(with: ArrowContainer.fileMagic) || head.starts(with: [0xFF, 0xFF, 0xFF, 0xFF])
      || head.starts(with: oldMagic)
  }

  init(_ input: InputFile, head: UnsafeRawBufferPointer) throws(ImportError) {
    self.input = input
    name = input.name
    guard !head.starts(with: Self.oldMagic) else {
      throw ImportError(
        .data,
        message: "\(input.name): the file is Feather of version 1, which Cairn does not read; "
          + "pyarrow writes it anew: feather.write_feather(feather.read_table(old), new)")
    }
    do throws(ArrowError) {
      container = try ArrowContainer(input)
      let layout = try GeoArrowLayout(container.schema)
      var schema = LayerSchema(name: "")
      schema.columns = layout.columns.map {
        LayerSchema.Column(name: $0.field.name, type: $0.field.columnType)
      }
      schema.count = container.rowCount
      schema.geometryType = layout.geometryType
      schema.system = layout.system
      schema.otherGeometries = layout.otherGeometries
      schema.hasSphericalEdges = layout.hasSphericalEdges
      self.schema = schema
      columns = layout.columns
    } catch { throw ImportError(error, file: input.name) }
  }

  func makeDecoder(_ needed: Set<Int>) throws(ImportError) -> any LayerDecoder {
    for index in needed.sorted() {
      let field = columns[index].field
      if let objection = field.objection { throw .unreadable(field.name, of: name, objection) }
    }
    return ArrowDecoder(self, needed: needed)
  }
}

extension ImportError {
  /// Wraps a fault of a file, whose name a failure of reading already has.
  init(_ error: ArrowError, file: String) {
    self.init(
      error.kind,
      message: error.message.hasPrefix(file) ? "\(error.message)" : "\(file): \(error.message)")
  }
}
