import CairnValues

/// The numbers of some rows in memory: those of a column of ints, doubles or dates.
package struct RawNumbers {
  /// The type of the numbers.
  package let type: ValueType
  /// 8 bytes for each row.
  private let base: UnsafeRawPointer
  /// A byte for each of the first rows, 1 for null. The rows behind them are not null.
  let nulls: UnsafeRawBufferPointer

  /// Creates a view of numbers, which must outlive it.
  ///
  /// - Parameters:
  ///   - type: `int`, `double` or `date`.
  ///   - base: 8 bytes for each row.
  ///   - nulls: A byte for each of the first rows, 1 for null.
  package init(type: ValueType, base: UnsafeRawPointer, nulls: UnsafeRawBufferPointer) {
    (self.type, self.base, self.nulls) = (type, base, nulls)
  }

  @inline(__always)
  func int(_ row: Int) -> Int64 { base.loadUnaligned(fromByteOffset: row * 8, as: Int64.self) }

  @inline(__always)
  func double(_ row: Int) -> Double { base.loadUnaligned(fromByteOffset: row * 8, as: Double.self) }

  @inline(__always)
  func isNull(_ row: Int) -> Bool { nulls[row] == 1 }
}

/// The locations of some rows in memory.
package struct RawPositions {
  private let longitudes: UnsafeRawPointer
  private let latitudes: UnsafeRawPointer
  /// A byte for each of the first rows, 1 for null. The rows behind them are not null.
  private let nulls: UnsafeRawBufferPointer

  /// Creates a view of locations in degrees, which must outlive it.
  package init(
    longitudes: UnsafeRawPointer, latitudes: UnsafeRawPointer, nulls: UnsafeRawBufferPointer
  ) {
    (self.longitudes, self.latitudes, self.nulls) = (longitudes, latitudes, nulls)
  }

  @inline(__always)
  func isNull(_ row: Int) -> Bool { row < nulls.count && nulls[row] == 1 }

  @inline(__always)
  func longitude(_ row: Int) -> Double {
    longitudes.loadUnaligned(fromByteOffset: row * 8, as: Double.self)
  }

  @inline(__always)
  func latitude(_ row: Int) -> Double {
    latitudes.loadUnaligned(fromByteOffset: row * 8, as: Double.self)
  }
}

/// Texts that many rows share, by their indexes in a dictionary. A condition looks at each text once. For use
/// with one condition, by one thread.
package final class SharedTexts {
  /// The index of a row without a text.
  package static let null = UInt32.max

  /// The index of the text of each row.
  package var indexes: [UInt32] = []
  private var count = 0
  private var text: (Int) -> UnsafeRawBufferPointer = { _ in
    UnsafeRawBufferPointer(start: nil, count: 0)
  }
  /// The results of conditions for all texts, by the numbers of the conditions.
  private var results: [Int: [Bool]] = [:]

  /// Creates an empty dictionary.
  package init() {}

  /// Replaces the dictionary.
  ///
  /// - Parameter text: Returns the bytes of a text. They must outlive the next call.
  package func replace(count: Int, text: @escaping (Int) -> UnsafeRawBufferPointer) {
    (self.count, self.text) = (count, text)
    results.removeAll()
  }

  /// The bytes of a text of the dictionary, which are valid until it is replaced.
  @inline(__always)
  package func bytes(_ index: UInt32) -> UnsafeRawBufferPointer { text(Int(index)) }

  /// Keeps the rows whose texts pass.
  ///
  /// - Parameter number: The number of the test, by which its results are kept.
  func refine(
    _ rows: UnsafeMutableBufferPointer<Bool>, number: Int,
    test: (UnsafeRawBufferPointer?) -> Bool
  ) {
    let passes = results[number] ?? (0..<count).map { test(text($0)) }
    results[number] = passes
    let takesNull = test(nil)
    assert(rows.count == indexes.count, "each row has an index")
    for row in rows.indices where rows[row] {
      let index = indexes[row]
      rows[row] = index == Self.null ? takesNull : passes[Int(index)]
    }
  }
}
