import CairnQuery
import CairnStorage
import CairnValues

/// A dotted path to a property in the program's text: `favoriteToy.name`, `parks['Bonn']`.
struct PropertyKeyPath {
  let text: String
  let path: PropertyPath

  init(_ text: String) {
    self.text = text
    var components: [PropertyPath.Component] = []
    for part in PropertyKeyPath.parts(of: text) {
      guard let open = part.firstIndex(of: "["), part.last == "]" else {
        components.append(.property(String(part)))
        continue
      }
      components.append(.property(String(part[..<open])))
      let key = part[part.index(after: open)...].dropLast()
      components.append(.key(String(key).trimmingQuotes))
    }
    path = PropertyPath(components)
  }

  /// The parts between dots. Dots within brackets do not separate.
  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var isInBrackets = false
    for letter in text {
      if letter == "[" { isInBrackets = true }
      if letter == "]" { isInBrackets = false }
      if letter == ".", !isInBrackets {
        parts.append("")
      } else {
        parts[parts.count - 1].append(letter)
      }
    }
    return parts
  }

  /// Ends the program with the reason if the path does not lead to a sortable value.
  func check(for operation: String, from table: Table) {
    if let fault = fault(for: operation, from: table) { programmingError(fault) }
  }

  /// The reason why the path does not lead to a sortable value; nil if it does.
  func fault(for operation: String, from table: Table) -> String? {
    if text.contains("@") {
      return reason(operation, reason: "KVC collection operators are not supported.")
    }
    var table = table
    for (index, component) in path.components.enumerated() {
      guard case .property(let name) = component else { continue }
      let isKeyed = index + 1 < path.components.count && path.components[index + 1].isKey
      let isFinal =
        index + 1 == path.components.count || (isKeyed && index + 2 == path.components.count)
      let owner = "property '\(table.schema.name).\(name)'"
      guard let column = table.schema.column(named: name), !column.isHidden else {
        return reason(operation, reason: "\(owner) does not exist.")
      }
      if column.collection != .none, !(isKeyed && column.collection == .map) {
        return reason(operation, reason: "\(owner) is of unsupported type '\(column.kindName)'.")
      }
      if column.isLink {
        if isFinal {
          return reason(
            operation,
            reason: "\(owner) of type 'object' cannot be the final property in the key path.")
        }
        guard let target = table.target(of: column.position) else { return nil }
        table = target
      } else if !isFinal {
        return reason(
          operation,
          reason: "\(owner) of type '\(column.type.name)' may only be the final property in the "
            + "key path.")
      }
    }
    return nil
  }

  private func reason(_ operation: String, reason: String) -> String {
    "Cannot \(operation) on key path '\(text)': \(reason)"
  }
}

extension PropertyPath.Component {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}

extension ColumnSchema {
  /// Realm's name for the collection.
  fileprivate var kindName: String {
    switch collection {
    case .none: type.name
    case .list: "array"
    case .set: "set"
    case .map: "dictionary"
    }
  }
}

extension String {
  fileprivate var trimmingQuotes: String {
    guard count >= 2, let mark = first, mark == last, mark == "'" || mark == "\"" else {
      return self
    }
    return String(dropFirst().dropLast())
  }
}
