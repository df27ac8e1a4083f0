import CairnGeometry
import CairnQuery
import CairnValues

/// A node of a filter in CQL2. The text and the JSON form of a filter have the same nodes.
struct CQL2Term {
  /// The kinds of nodes.
  indirect enum Content {
    case bool(Bool)
    /// An integer or a double.
    case number(Value)
    case text(String)
    /// A date or a timestamp, in seconds since 2001.
    case instant(Double)
    /// The ends of an interval; nil for an open one.
    case interval(CQL2Term?, CQL2Term?)
    case shape(Shape)
    case property(String)
    /// An operator or a function, in lower case as in JSON, with its arguments.
    case operation(String, [CQL2Term])
    case list([CQL2Term])
  }

  /// The content of the node.
  let content: Content
  /// The offset of the node in the UTF-8 bytes of the filter.
  let offset: Int
}

/// The language of a filter.
enum FilterLanguage: String {
  case text = "cql2-text"
  case json = "cql2-json"

  /// - Parameter name: The name as a client sends it. GDAL before 3.9 sends that of the draft, and only
  ///   texts that mean the same in both.
  init?(name: String) { self.init(rawValue: name == Self.draftText ? "cql2-text" : name) }

  /// The name that the text language had in the draft of the standard.
  static let draftText = "cql-text"
}

/// A filter in CQL2, compiled to a condition on a class.
enum CQL2 {
  /// Compiles a filter.
  ///
  /// - Parameters:
  ///   - system: The coordinate system of the geometries in the filter.
  ///   - maxDepth: The greatest number of nested conditions.
  /// - Throws: `PredicateError` with the place of the mistake.
  static func condition(
    _ text: String, language: FilterLanguage, on collection: Collection, system: ServedSystem,
    maxDepth: Int
  ) throws -> PredicateNode {
    let shapes = CQL2Shapes(system: system)
    let term: CQL2Term
    switch language {
    case .text: term = try CQL2TextParser.parse(text, shapes: shapes, maxDepth: maxDepth)
    case .json: term = try CQL2JSONParser.parse(text, shapes: shapes, maxDepth: maxDepth)
    }
    return try CQL2Compiler(text: text, collection: collection).condition(term, isNegated: false)
  }

  /// The names of functions that are written like a call.
  static let functions = Set(CQL2Compiler.spatial.keys).union(CQL2Compiler.distances.keys)
    .union(CQL2Compiler.temporal.keys).union(CQL2Compiler.folding.keys)
}
