import CairnObjects
import CairnQuery
import Foundation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension CairnQuery.Predicate {
  /// Converts a predicate of Foundation's `#Predicate` macro.
  ///
  ///     let large = try Predicate(#Predicate<City> { $0.population > 1_000_000 })
  ///
  /// The condition is evaluated by the store, with its indexes. These parts of Swift have
  /// counterparts:
  ///
  /// | Swift | |
  /// |---|---|
  /// | stored properties, also through links: `$0.country?.name`, `$0.country!.name` | a forced null meets no comparison but `!=` |
  /// | `==` `!=` `<` `<=` `>` `>=` with constants, `nil` and other properties | |
  /// | `&&` `\|\|` `!`, boolean properties | |
  /// | `text.contains("x")`, `text.starts(with: "x")`, `text.isEmpty` | |
  /// | `[1, 2].contains($0.rank)`, `(1...5).contains($0.rank)` | |
  /// | `tags.contains("x")`, `dogs.contains { … }`, `dogs.allSatisfy { … }`, `dogs.filter { … }.count`, `count`, `isEmpty`, `max()`, `min()` of collections | closures test one element and can use its properties only |
  /// | `$0.rank ?? 0`, and optional chaining | |
  ///
  /// Texts are compared as everywhere in Cairn, by code points: a composed `é` differs from one
  /// with a combining accent, which Swift considers equal.
  ///
  /// - Throws: `PredicateError` for anything else, such as arithmetic, with a message that names it.
  public init<T: ObjectBase>(_ predicate: Foundation.Predicate<T>) throws(CairnQuery.PredicateError)
  {
    let translator = PredicateTranslator(predicate.variable.key)
    self.init(try translator.condition(predicate.expression))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension RealmCollection where Element: ObjectBase {
  /// Returns the objects that also match a predicate of Foundation's `#Predicate` macro.
  ///
  ///     let cities = realm.objects(City.self).filter(#Predicate { $0.population > 1_000_000 })
  ///
  /// A part of the predicate that has no counterpart in a store is a programming error;
  /// `Predicate(_:)` throws instead, and lists what has one.
  public func filter(_ predicate: Foundation.Predicate<Element>) -> Results<Element> {
    storedResults.meeting(orFatal { try CairnQuery.Predicate(predicate) })
  }

  /// Returns the index of the first object that matches a predicate of Foundation's `#Predicate`
  /// macro, or nil if no object does.
  public func index(matching predicate: Foundation.Predicate<Element>) -> Int? {
    index(meeting: orFatal { try CairnQuery.Predicate(predicate) })
  }
}
