/// The columns of the files that become properties, and the names of these properties.
package struct ColumnSelection: Sendable {
  /// The columns that become properties; nil for all. Columns of coordinates may be among them.
  package var kept: [String]?
  /// The texts in which a column is named that becomes a property; nil for all columns. A text may mean
  /// something else by the name.
  package var mentions: [String]?
  /// Whether locations and geometries are left out too, unless a text names one, where they are columns
  /// like others.
  package var mayLackLocations = false
  /// The columns that do not become properties.
  package var dropped: [String] = []
  /// The new names of columns.
  package var renamed: [String: String] = [:]

  /// The properties of the class that the program declares, except those of coordinates; other
  /// columns are left out. Nil for a class that can get more properties.
  var declared: Set<String>?

  package init() {}

  /// Whether a column becomes a property.
  func isKept(_ column: String) -> Bool {
    (kept?.contains(column) ?? true) && !dropped.contains(column)
      && mentions?.contains { $0.contains(column) } ?? true
      && declared?.contains(property(of: column)) ?? true
  }

  /// The same selection of all columns, whether or not a text names them.
  var withoutMentions: ColumnSelection {
    var selection = self
    selection.mentions = nil
    return selection
  }

  /// Whether locations and geometries are read of a file of columns.
  ///
  /// - Parameter names: The names that their properties may have.
  func keepsLocations(named names: [String]) -> Bool {
    guard mayLackLocations, let mentions else { return true }
    return names.contains { name in mentions.contains { $0.contains(name) } }
  }

  /// Selects columns that were left out, under their own names.
  mutating func keep(_ names: [String]) {
    dropped.removeAll { names.contains($0) }
    let missing = names.filter { !isKept($0) && renamed[$0] == nil }
    kept?.append(contentsOf: missing)
  }

  /// Returns the name of the property that a column becomes.
  func property(of column: String) -> String { renamed[column] ?? column }

  /// Returns the column that becomes a property; nil if none of that name does.
  func column(of property: String) -> String? {
    if let column = renamed.first(where: { $0.value == property })?.key { return column }
    return renamed[property] == nil && isKept(property) ? property : nil
  }

  /// Returns values by column instead of by property.
  func columns<Value>(of properties: [String: Value]) -> [String: Value] {
    var columns: [String: Value] = [:]
    for (property, value) in properties {
      if let column = column(of: property) { columns[column] = value }
    }
    return columns
  }

  /// All columns that the options name.
  private var named: [String] { (kept ?? []) + dropped + renamed.keys.sorted() }

  /// Returns the first named column that is not one of the known ones.
  func unknown(among columns: Set<String>) -> String? {
    named.first { !columns.contains($0) }
  }
}

extension InferredColumns {
  /// The findings for the selected columns, under the names of their properties.
  ///
  /// - Throws: An error if two columns would become the same property.
  func selected(_ selection: ColumnSelection) throws(ImportError) -> InferredColumns {
    var chosen = columns.filter { selection.isKept($0.name) }
    // Rows without columns could not be counted.
    if chosen.isEmpty, selection.mentions != nil,
      let first = columns.first(where: { !$0.isUnnamed || !$0.evidence.isEmpty })
    {
      chosen = [first]
    }
    let kept = chosen.map { column in
      Column(
        name: selection.property(of: column.name), evidence: column.evidence,
        isUnnamed: column.isUnnamed, suspects: column.suspects)
    }
    var names: Set<String> = []
    for column in kept where !names.insert(column.name).inserted {
      throw ImportError(.usage, message: "two columns would become the property `\(column.name)`")
    }
    return replacing(columns: kept)
  }
}
