import CairnStorage
import CairnValues

extension ObjectLayout {
  /// A sentence for each property that is not in the store as the class has it. What the store has besides is no
  /// difference: it keeps its values, and new objects get null or a blank there.
  func differences(from stored: TableSchema) -> [String] {
    var found: [String] = []
    if stored.isEmbedded != isEmbedded {
      found.append(
        "Class '\(className)' is \(isEmbedded ? "embedded" : "not embedded"), and "
          + "\(stored.isEmbedded ? "embedded" : "not embedded") in the store.")
    }
    let columns = draft.columns
    for column in columns {
      found += differences(column, stored.column(named: column.name))
    }
    if let key = stored.primaryKey, !columns.contains(where: \.isPrimaryKey) {
      found.append(
        "Property '\(className).\(stored.columns[key].name)' is the primary key in the store, "
          + "not in the class.")
    }
    return found
  }

  private func differences(_ wanted: ColumnSchema, _ stored: ColumnSchema?) -> [String] {
    let place = "Property '\(className).\(wanted.name)'"
    guard let stored else { return ["\(place) is not in the store."] }
    var found: [String] = []
    if wanted.type != stored.type || wanted.collection != stored.collection
      || wanted.target != stored.target
    {
      found.append(
        "\(place) is \(wanted.typeText) in the class, \(stored.typeText) in the store.")
    } else if wanted.isOptional != stored.isOptional {
      found.append(
        "\(place) is \(wanted.isOptional ? "optional" : "required") in the class, "
          + "\(stored.isOptional ? "optional" : "required") in the store.")
    }
    if wanted.isPrimaryKey, !stored.isPrimaryKey {
      found.append("\(place) is the primary key in the class, not in the store.")
    }
    return found
  }
}
