/// A class that is to be made: its ids and positions are given when it is.
package struct TableDraft: Sendable {
  package var name: String
  /// The properties in order.
  package var columns: [ColumnSchema]
  package var isEmbedded: Bool
  package var inverses: [InverseSchema]
  /// Names that the program has for columns that are called otherwise in the store.
  package var aliases: [String: String]

  package init(
    name: String, columns: [ColumnSchema], isEmbedded: Bool = false,
    inverses: [InverseSchema] = [], aliases: [String: String] = [:]
  ) {
    self.name = name
    self.columns = columns
    self.isEmbedded = isEmbedded
    self.inverses = inverses
    self.aliases = aliases
  }
}
