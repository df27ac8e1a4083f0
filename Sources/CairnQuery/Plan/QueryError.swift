/// Why a query cannot be asked: a kind to switch over, and a sentence for whoever asked.
package struct QueryError: Error, CustomStringConvertible, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The class has no property of that name.
    case unknownProperty
    /// The property's type does not allow what was asked of it.
    case unsupportedType
    /// The values of a comparison cannot be compared.
    case typeMismatch
    /// A number is out of its range: a negative limit, a NaN coordinate.
    case invalidArgument
  }

  package let kind: Kind
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  package var description: String { message }
}
