import ArgumentParser
import CairnFormats
import CairnStorage

/// `--format csv|geojson|geojsonl|json|jsonl`
enum InputFormatOption: String, WordArgument {
  case csv
  case geojson
  case geojsonl
  case json
  case jsonl

  var format: InputFormat {
    switch self {
    case .csv: .csv
    case .geojson: .geojson
    case .geojsonl: .geojsonl
    case .json: .json
    case .jsonl: .jsonl
    }
  }
}

/// `--on-conflict error|replace|skip`
enum ConflictOption: String, WordArgument {
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
enum RefusalOption: String, WordArgument {
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
struct TypeOption {
  let column: String
  let type: FieldType

  private static let types: [String: FieldType] = [
    "text": .text, "string": .text, "int": .int, "double": .double, "bool": .boolWord,
    "date": .date,
    "epoch-s": .epochSeconds, "epoch-ms": .epochMilliseconds,
  ]

  /// A name may hold `=`: the last one counts.
  init(text: String) throws {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw OptionError("a type is given as COLUMN=TYPE, as in name=text")
    }
    let name = text[text.index(after: equals)...].lowercased()
    guard let type = Self.types[name] else {
      let names = ["text", "int", "double", "bool", "date", "epoch-s", "epoch-ms"]
      let nearest = Self.otherNames[name] ?? Hint.nearest(name, among: names)
      let hint = nearest.map { "; did you mean '\($0)'?" } ?? "."
      throw OptionError("'\(name)' is no type\(hint) There are \(Hint.list(names))")
    }
    column = String(text[..<equals])
    self.type = type
  }

  /// As databases call them.
  private static let otherNames = [
    "str": "text", "varchar": "text", "integer": "int", "bigint": "int", "float": "double",
    "real": "double", "number": "double", "numeric": "double", "decimal": "double",
    "boolean": "bool", "datetime": "date", "timestamp": "date",
  ]
}
