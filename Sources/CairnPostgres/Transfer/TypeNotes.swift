/// Columns whose types a class does not have.
enum TypeNotes {
  /// The columns and what they become, in words; one part for each type of a property.
  static func words(_ columns: [PostgresColumn]) -> [String] {
    let parts: [(fate: String, columns: [PostgresColumn])] = [
      ("text", columns.filter { $0.form == .castText }),
      ("date in UTC", columns.filter { $0.isDateWithoutZone }),
      ("geometry", columns.filter { $0.isGeography }),
      ("WGS 84", columns.filter { $0.isSpatial && ![0, 4326].contains($0.srid) }),
    ]
    return parts.filter { !$0.columns.isEmpty }.map { part in
      let list = part.columns.map { "'\($0.name)' (\($0.sqlType))" }.joined(separator: ", ")
      return "\(list) as \(part.fate)"
    }
  }
}

extension PostgresColumn {
  /// Whether the values are days, or times without a zone, perhaps in arrays.
  fileprivate var isDateWithoutZone: Bool {
    let element =
      switch form {
      case .array(let element), .set(let element): element
      default: form
      }
    return element == .date || element == .timestamp && !sqlType.contains("with time zone")
  }
}
