import ArgumentParser
import CairnFormats
import CairnStorage

/// `--format csv|geojson|geojsonl`
enum InputFormatOption: String, ExpressibleByArgument, CaseIterable {
  case csv
  case geojson
  case geojsonl

  var format: InputFormat {
    switch self {
    case .csv: .csv
    case .geojson: .geojson
    case .geojsonl: .geojsonl
    }
  }
}

/// `--on-conflict error|replace|skip`
enum ConflictOption: String, ExpressibleByArgument, CaseIterable {
  case error
  case replace
  case skip

  var policy: ConflictPolicy {
    switch self {
    case .error: .error
    case .replace: .replace
    case .skip: .skip
    }
  }
}

/// `--on-error fail|skip`
enum RefusalOption: String, ExpressibleByArgument, CaseIterable {
  case fail
  case skip

  var policy: RefusalPolicy {
    switch self {
    case .fail: .fail
    case .skip: .skip
    }
  }
}

/// `--type COLUMN=TYPE`
struct TypeOption: ExpressibleByArgument {
  let column: String
  let type: FieldType

  private static let types: [String: FieldType] = [
    "text": .text, "string": .text, "int": .int, "double": .double, "bool": .bool, "date": .date,
  ]

  /// A name may hold `=`: the last one counts.
  init?(argument: String) {
    guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex,
      let type = Self.types[argument[argument.index(after: equals)...].lowercased()]
    else { return nil }
    column = String(argument[..<equals])
    self.type = type
  }
}
