import CairnValues

extension Parser {
  /// What the token, a `%@` or `$0`, stands for; moves on.
  mutating func readArgument() throws(PredicateError) -> PredicateArgument {
    let argument: PredicateArgument
    if case .argument(let number) = token.kind {
      argument = try self.argument(number)
    } else {
      argument = try nextArgument()
    }
    try advance()
    return argument
  }

  /// The argument whose turn it is.
  mutating func nextArgument() throws(PredicateError) -> PredicateArgument {
    let argument = try argument(argumentsTaken)
    argumentsTaken += 1
    return argument
  }

  private func argument(_ number: Int) throws(PredicateError) -> PredicateArgument {
    guard number < arguments.count else {
      let given =
        switch arguments.count {
        case 0: "none was given"
        case 1: "only one was given"
        default: "only \(arguments.count) were given"
        }
      throw error("The predicate asks for argument \(number), but \(given).", kind: .argument)
    }
    return arguments[number]
  }
}
