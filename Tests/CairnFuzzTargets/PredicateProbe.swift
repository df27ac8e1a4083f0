import CairnQuery
import CairnStorage

/// Reads text as a condition, and asks it of two stores that hold the same.
enum PredicateProbe {
  static func read(_ text: String) {
    do throws(PredicateError) {
      check(try Predicate(parsing: text), text)
    } catch {
      require(isWithin(error, text), "'\(text)' is refused at \(String(describing: error.offset))")
    }
  }

  private static func isWithin(_ error: PredicateError, _ text: String) -> Bool {
    (error.offset.map { 0...text.utf8.count ~= $0 } ?? false) && !error.description.isEmpty
  }

  /// What is read is printed, and reads back as the same.
  private static func check(_ predicate: Predicate, _ text: String) {
    let printed = "\(predicate)"
    guard let again = try? Predicate(parsing: printed) else {
      fatalError("'\(text)' is printed as '\(printed)', which cannot be read")
    }
    require(again == predicate, "'\(text)' is printed as '\(printed)', which is another condition")
    require("\(again)" == printed, "'\(text)' is printed as '\(printed)', and that as '\(again)'")
    PredicateWorld.ask(predicate)
  }
}

/// Ends the process unless something holds.
func require(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError(message()) }
}
