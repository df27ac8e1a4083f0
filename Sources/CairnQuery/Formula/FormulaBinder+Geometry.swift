import CairnGeometry
import CairnStorage
import CairnValues

// Functions of geometries.
extension FormulaBinder {
  func geometric(
    _ function: GeometryFunction, _ arguments: [BoundTerm], range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    if arguments.contains(where: { $0.type == nil }) { return null(range) }
    let (required, optional) = function.parameters
    var terms: [BoundTerm] = []
    for (given, parameter) in zip(arguments, required + optional) {
      let argument = try parameter == .geometry ? shape(given) : given
      guard let type = argument.type, parameter.accepts(type) else {
        throw error(
          .typeMismatch,
          "\(shown(argument)) is of type \(argument.type?.name ?? "null"); "
            + "\(function.rawValue) takes \(parameter.name) there.", at: argument.range)
      }
      var term = argument
      // Lines and polygons are geometries as they are.
      if !type.isGeometry { term.wanted = parameter.type }
      terms.append(term)
    }
    return BoundTerm(.geometric(function, terms), type: function.type, range: range)
  }

  /// The term, or the geometry that a constant text is in WKT.
  private func shape(_ term: BoundTerm) throws(PredicateError) -> BoundTerm {
    guard case .constant(.string(let text)) = term.content else { return term }
    do throws(GeometryError) {
      let geometry = try Geometry(text: text)
      return BoundTerm(.constant(.geometry(geometry.bytes)), type: .geometry, range: term.range)
    } catch {
      throw self.error(
        .typeMismatch, "\(shown(term)) is not a geometry in WKT: \(error.message)", at: term.range)
    }
  }
}

extension GeometryFunction.Parameter {
  /// Whether values of a type can be the argument.
  fileprivate func accepts(_ type: ValueType) -> Bool {
    switch self {
    case .geometry: type.isSpatial
    case .distance, .number: type == .int || type == .double
    case .int: type == .int
    case .text: type == .string
    }
  }
}
