#if canImport(SwiftUI)
import CairnObjects
import Foundation
import SwiftUI

/// The objects of a class that a view shows. The view is drawn again when what it reads of them
/// changes.
///
///     struct DogList: View {
///       @ObservedResults(Dog.self, where: { $0.age > 3 }, sortDescriptor: "name") var dogs
///       var body: some View {
///         SwiftUI.List {
///           ForEach(dogs) { Text($0.name) }.onDelete { $dogs.remove(atOffsets: $0) }
///         }
///       }
///     }
///
/// The realm is that of the configuration, or of `.environment(\.realmConfiguration, …)`. A realm that
/// cannot be opened ends the program, and so does a write that fails.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@propertyWrapper
public struct ObservedResults<Element: Object>: DynamicProperty {
  @Environment(\.realmConfiguration) private var environment
  @State private var holder = Holder()
  private let configuration: Realm.Configuration?
  private let narrow: (Results<Element>) -> Results<Element>

  /// Creates a property with the objects of a class, or those that a predicate selects.
  public init(
    _ type: Element.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
    sortDescriptor: SortDescriptor? = nil
  ) {
    self.configuration = configuration
    narrow = { results in
      let found = filter.map { results.filter($0) } ?? results
      return sortDescriptor.map { found.sorted(by: [$0]) } ?? found
    }
  }

  /// Creates a property with the objects of a class that fulfil a condition.
  public init(
    _ type: Element.Type, configuration: Realm.Configuration? = nil,
    where condition: @escaping (Query<Element>) -> Query<Bool>,
    sortDescriptor: SortDescriptor? = nil
  ) {
    self.configuration = configuration
    narrow = { results in
      let found = results.where(condition)
      return sortDescriptor.map { found.sorted(by: [$0]) } ?? found
    }
  }

  private var realm: Realm {
    let configuration = configuration ?? environment
    let realm = orFatal { try Realm(configuration: configuration, _isolation: MainActor.shared) }
    holder.realm = realm
    return realm
  }

  /// The objects.
  public var wrappedValue: Results<Element> { narrow(realm.objects(Element.self)) }

  /// The property itself, which adds and removes objects.
  public var projectedValue: ObservedResults { self }

  /// Adds an object in a write transaction of its own.
  public func append(_ object: Element) {
    let realm = realm
    orFatal { try realm.write { realm.add(object) } }
  }

  /// Deletes an object in a write transaction of its own.
  public func remove(_ object: Element) { delete([object]) }

  /// Deletes the objects at indexes of the results in a write transaction of its own.
  public func remove(atOffsets offsets: IndexSet) {
    let results = wrappedValue
    delete(offsets.map { results[$0] })
  }

  private func delete(_ objects: [Element]) {
    let realm = realm
    orFatal { try realm.write { realm.delete(objects) } }
  }

  /// Keeps the realm open while the view is shown, because a closed realm reports nothing.
  private final class Holder {
    var realm: Realm?
  }
}

extension EnvironmentValues {
  /// The configuration of the realm that ``ObservedResults`` opens; the default configuration unless
  /// a view sets another one.
  public var realmConfiguration: Realm.Configuration {
    get { self[ConfigurationKey.self] }
    set { self[ConfigurationKey.self] = newValue }
  }

  private struct ConfigurationKey: EnvironmentKey {
    static var defaultValue: Realm.Configuration { .defaultConfiguration }
  }
}
#endif
