package import CArrow
import CairnSystem

/// The values of one column of a batch, read in place. The arrays must outlive it.
///
/// The buffers have no sizes of their own: whoever makes the arrays vouches for them.
package struct ArrowColumn {
  package let field: ArrowField
  /// The type of the values.
  let type: ArrowType
  private let rows: cairn_arrow_array
  /// The values of a dictionary or of runs; otherwise the rows themselves.
  let values: cairn_arrow_array
  /// The bits of the rows and of the values that are not null; nil if all are not.
  private let rowBits: UnsafeRawPointer?
  private let valueBits: UnsafeRawPointer?
  private let numbering: Numbering

  /// The way from a row to its value.
  private enum Numbering {
    case own
    case none
    case dictionary(ArrowType)
    case runs(RunEnds)
  }

  /// - Throws: An error if a part of the array is missing.
  package init(_ field: ArrowField, _ array: cairn_arrow_array) throws(ArrowError) {
    self.field = field
    rows = array
    type = field.content.type
    rowBits = Self.bits(array)
    if field.type == .runs {
      guard array.n_children == 2, let ends = array.children?[0]?.pointee,
        let values = array.children?[1]?.pointee, let runs = RunEnds(ends, field)
      else { throw ArrowError("the column `\(field.name)` lacks a part of its values") }
      self.values = values
      numbering = type == .null ? .none : .runs(runs)
    } else if let index = field.dictionaryIndex {
      guard let dictionary = array.dictionary else {
        throw ArrowError("the column `\(field.name)` lacks its dictionary")
      }
      values = dictionary.pointee
      numbering = type == .null ? .none : .dictionary(index)
    } else {
      values = array
      numbering = type == .null ? .none : .own
    }
    valueBits = Self.bits(values)
  }

  /// The number of rows.
  var rowCount: Int { Int(rows.length) }

  /// Throws unless the column has the rows before an index, as far as the length of the array says.
  package func requireRows(upTo end: Int) throws(ArrowError) {
    guard Int64(end) <= rows.length, rows.offset >= 0 else {
      throw ArrowError("the column `\(field.name)` lacks some of its rows")
    }
  }

  /// The offset of the first row in the buffers, if each row has a value there and none is null.
  var denseOffset: Int? {
    if case .own = numbering, rowBits == nil { Int(rows.offset) } else { nil }
  }

  /// Returns the index of a row's value in the buffers; nil for a null.
  @inline(__always)
  package func position(_ row: Int) -> Int? {
    assert(row >= 0 && row < rows.length, "a row is outside of the column")
    let index = Int(rows.offset) + row
    guard Self.isValid(rowBits, index) else { return nil }
    switch numbering {
    case .own: return index
    case .none: return nil
    case .dictionary(let type):
      return value(Int(truncatingIfNeeded: Self.integer(rows, type: type, at: index)))
    case .runs(let ends): return value(ends.run(of: index))
    }
  }

  @inline(__always)
  private func value(_ number: Int) -> Int? {
    guard number >= 0, number < values.length else { return nil }
    let position = Int(values.offset) + number
    return Self.isValid(valueBits, position) ? position : nil
  }

  private static func bits(_ array: cairn_arrow_array) -> UnsafeRawPointer? {
    array.null_count == 0 || array.n_buffers == 0 ? nil : array.buffers?[0] ?? nil
  }

  @inline(__always)
  private static func isValid(_ bits: UnsafeRawPointer?, _ index: Int) -> Bool {
    guard let bits else { return true }
    return bits.load(fromByteOffset: index >> 3, as: UInt8.self) >> UInt8(index & 7) & 1 != 0
  }

  /// A buffer of an array; nil if the array lacks it. Valid until the array is released.
  @inline(__always)
  static func buffer(_ array: cairn_arrow_array, _ number: Int) -> UnsafeRawPointer? {
    number < array.n_buffers ? array.buffers?[number] ?? nil : nil
  }

  @inline(__always)
  static func load<T: BitwiseCopyable>(
    _ array: cairn_arrow_array, at index: Int, as type: T.Type
  ) -> T? {
    buffer(array, 1)?.loadUnaligned(fromByteOffset: index * MemoryLayout<T>.size, as: T.self)
  }

  /// Returns an integer of up to 64 bits; unsigned ones of 64 bits have their bits.
  @inline(__always)
  static func integer(_ array: cairn_arrow_array, type: ArrowType, at index: Int) -> Int64 {
    guard case .int(let size, let isSigned) = type else { return 0 }
    switch (size, isSigned) {
    case (1, true): return Int64(load(array, at: index, as: Int8.self) ?? 0)
    case (2, true): return Int64(load(array, at: index, as: Int16.self) ?? 0)
    case (4, true): return Int64(load(array, at: index, as: Int32.self) ?? 0)
    case (1, false): return Int64(load(array, at: index, as: UInt8.self) ?? 0)
    case (2, false): return Int64(load(array, at: index, as: UInt16.self) ?? 0)
    case (4, false): return Int64(load(array, at: index, as: UInt32.self) ?? 0)
    default: return load(array, at: index, as: Int64.self) ?? 0
    }
  }
}

/// The rows behind the last one of each run, in ascending order.
private struct RunEnds {
  private let array: cairn_arrow_array
  private let type: ArrowType

  init?(_ array: cairn_arrow_array, _ field: ArrowField) {
    guard array.length >= 0, array.offset >= 0 else { return nil }
    self.array = array
    type = field.children[0].type
  }

  /// The number of the run of a row; the number of runs if no run has the row.
  func run(of row: Int) -> Int {
    var (low, high) = (0, Int(array.length))
    while low < high {
      let middle = (low + high) / 2
      if ArrowColumn.integer(array, type: type, at: Int(array.offset) + middle) > row {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}
