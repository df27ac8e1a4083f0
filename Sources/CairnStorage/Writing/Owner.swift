/// The object that an embedded object lives in, and the property.
package struct Owner: Hashable, Sendable {
  /// The number of the class.
  package let table: UInt32
  /// The number of the property's column.
  package let column: UInt16
  package let key: Int

  package init(table: UInt32, column: UInt16, key: Int) {
    self.table = table
    self.column = column
    self.key = key
  }

  /// Class and property as one number, as the hidden column holds them.
  var place: Int64 { Int64(table) << 16 | Int64(column) }

  init(place: Int64, key: Int) {
    self.init(
      table: UInt32(truncatingIfNeeded: place >> 16), column: UInt16(truncatingIfNeeded: place),
      key: key)
  }
}
