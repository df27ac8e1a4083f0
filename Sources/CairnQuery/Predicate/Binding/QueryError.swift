/// An error in a query: a kind for a switch, and a message for a person.
package struct QueryError: Error, CustomStringConvertible, Sendable, Equatable {
  /// The category of an error.
  package enum Kind: Sendable, Equatable {
    /// The class has no property of that name.
    case unknownProperty
    /// The property's type does not support the operation.
    case unsupportedType
    /// The values of a comparison cannot be compared.
    case typeMismatch
    /// A number is out of range, such as a negative limit or a NaN coordinate.
    case invalidArgument
  }

  /// The category of the error.
  package let kind: Kind
  /// The message.
  package let message: String

  /// Creates an error.
  package init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
