internal import CArrow
import CairnSystem

/// The values of a dictionary, which several threads read.
// Sendable: nothing changes once the values are loaded.
final class LoadedDictionary: @unchecked Sendable {
  /// The values. Valid as long as the dictionary.
  let array: cairn_arrow_array
  /// The column of the values.
  let field: ArrowField
  private let arena: ArrowArena
  /// The dictionaries of parts of the values.
  private let others: [LoadedDictionary]

  init(
    _ array: cairn_arrow_array, of field: ArrowField, in arena: ArrowArena,
    others: [LoadedDictionary]
  ) {
    self.array = array
    self.field = field
    self.arena = arena
    self.others = others
  }
}

extension LoadedDictionary {
  /// Joins the values of parts that follow one another.
  ///
  /// - Throws: An error for values that are lists or structures.
  static func joined(
    _ parts: [LoadedDictionary], _ field: ArrowField
  ) throws(ArrowError) -> LoadedDictionary {
    guard parts.count > 1 else { return parts[0] }
    var columns: [ArrowColumn] = []
    for part in parts { columns.append(try ArrowColumn(field, part.array)) }
    let count = parts.reduce(0) { $0 + Int($1.array.length) }
    guard count <= Int(Int32.max),
      field.type.isText || field.type.isBytes || field.type.width != nil
    else { throw .unjoinable(field) }
    let arena = ArrowArena()
    let joiner = Joiner(columns: columns, field: field, arena: arena, count: count)
    return LoadedDictionary(try joiner.array(), of: field, in: arena, others: [])
  }

  /// Copies the values of several arrays into one.
  private struct Joiner {
    let columns: [ArrowColumn]
    let field: ArrowField
    let arena: ArrowArena
    let count: Int

    func array() throws(ArrowError) -> cairn_arrow_array {
      var array = cairn_arrow_array()
      array.length = Int64(count)
      array.null_count = -1
      array.n_buffers = 3
      let buffers = arena.allocate(3, of: UnsafeRawPointer?.self)
      buffers.initialize(to: bits())
      let (values, heap): (UnsafeRawPointer, UnsafeRawPointer?)
      switch field.type {
      case .text(isLarge: false), .binary(isLarge: false): (values, heap) = try texts(Int32.self)
      case .text, .binary: (values, heap) = try texts(Int64.self)
      default: (values, heap) = (try fixed(), nil)
      }
      (buffers + 1).initialize(to: values)
      (buffers + 2).initialize(to: heap)
      array.buffers = buffers
      return array
    }

    /// Calls `body` with the index of each value, and with its column and position unless it is null.
    private func forEach(_ body: (Int, ArrowColumn, Int?) -> Void) {
      var index = 0
      for column in columns {
        for row in 0..<column.rowCount {
          body(index, column, column.position(row))
          index += 1
        }
      }
    }

    private func bits() -> UnsafeRawPointer {
      let size = (count + 7) / 8
      let bits = arena.allocate(size, of: UInt8.self)
      bits.initialize(repeating: 0, count: size)
      forEach { index, _, position in
        if position != nil { bits[index >> 3] |= 1 << UInt8(index & 7) }
      }
      return UnsafeRawPointer(bits)
    }

    private func texts<Number: FixedWidthInteger & BitwiseCopyable>(
      _ type: Number.Type
    ) throws(ArrowError) -> (UnsafeRawPointer, UnsafeRawPointer) {
      var size = 0
      forEach { _, column, position in size += position.map { column.bytes(at: $0).count } ?? 0 }
      guard size <= Int(Int32.max) else {
        throw ArrowError("the dictionary of the column `\(field.name)` has more than 2 GB")
      }
      let offsets = arena.allocate(count + 1, of: Number.self)
      let heap = arena.allocate(size)
      var end = 0
      offsets.initialize(to: 0)
      forEach { index, column, position in
        if let position {
          let bytes = column.bytes(at: position)
          if let start = bytes.baseAddress {
            (heap + end).copyMemory(from: start, byteCount: bytes.count)
          }
          end += bytes.count
        }
        (offsets + index + 1).initialize(to: Number(end))
      }
      return (UnsafeRawPointer(offsets), UnsafeRawPointer(heap))
    }

    private func fixed() throws(ArrowError) -> UnsafeRawPointer {
      guard let width = field.type.width, field.type != .textView, field.type != .binaryView else {
        throw .unjoinable(field)
      }
      let values = arena.allocate(count * width)
      forEach { index, column, position in
        let target = values + index * width
        if let position, let source = ArrowColumn.buffer(column.values, 1) {
          target.copyMemory(from: source + position * width, byteCount: width)
        } else {
          target.initializeMemory(as: UInt8.self, repeating: 0, count: width)
        }
      }
      return UnsafeRawPointer(values)
    }
  }
}

extension ArrowError {
  /// A dictionary that grows, of values that cannot be joined.
  fileprivate static func unjoinable(_ field: ArrowField) -> ArrowError {
    ArrowError(
      "the column `\(field.name)` has a dictionary that grows, of values that Cairn does not join")
  }
}
