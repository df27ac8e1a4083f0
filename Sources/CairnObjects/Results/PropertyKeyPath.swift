import CairnQuery
import CairnStorage
import CairnValues

/// A dotted way to a property, in text of the program: `favoriteToy.name`, `parks['Bonn']`.
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

  /// What stands between dots, but for those in brackets.
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

  /// Ends the program where the way does not lead to a value that has an order, with the reason.
  func check(for operation: String, from table: Table) {
    if let fault = fault(for: operation, from: table) { programmingError(fault) }
  }

  /// Why the way does not lead to a value that has an order; nil where it does.
  func fault(for operation: String, from table: Table) -> String? {
    if text.contains("@") {
      return reason(operation, "KVC collection operators are not supported.")
    }
    var table = table
    for (place, component) in path.components.enumerated() {
      guard case .property(let name) = component else { continue }
      let isKeyed = place + 1 < path.components.count && path.components[place + 1].isKey
      let isFinal =
        place + 1 == path.components.count || (isKeyed && place + 2 == path.components.count)
      let owner = "property '\(table.schema.name).\(name)'"
      guard let column = table.schema.column(named: name), !column.isHidden else {
        return reason(operation, "\(owner) does not exist.")
      }
      if column.collection != .none, !(isKeyed && column.collection == .map) {
        return reason(operation, "\(owner) is of unsupported type '\(column.kindName)'.")
      }
      if column.isLink {
        if isFinal {
          return reason(
            operation, "\(owner) of type 'object' cannot be the final property in the key path.")
        }
        guard let target = table.target(of: column.position) else { return nil }
        table = target
      } else if !isFinal {
        return reason(
          operation,
          "\(owner) of type '\(column.type.name)' may only be the final property in the key path.")
      }
    }
    return nil
  }

  private func reason(_ operation: String, _ reason: String) -> String {
    "Cannot \(operation) on key path '\(text)': \(reason)"
  }
}

extension PropertyPath.Component {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}

extension ColumnSchema {
  /// What Realm calls the collection.
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
