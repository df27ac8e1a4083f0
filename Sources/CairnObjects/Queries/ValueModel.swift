import CairnStorage

/// A plain value that is made of one object, such as a row of a list on the screen.
///
///     struct CitySummary: ValueModel {
///       let name: String
///       let population: Int
///       let mayor: String?
///
///       init(_ city: City) {
///         name = city.name
///         population = city.population
///         mayor = city.mayor?.name
///       }
///     }
///
///     let summaries = realm.objects(City.self).values(of: CitySummary.self)
///
/// Values are independent of the realm: any thread may use them, and they do not change.
public protocol ValueModel<Source>: Sendable {
  /// The class of the objects that the values are made of.
  associatedtype Source: ObjectBase & RealmCollectionValue
  /// Makes the value of an object. Properties that it does not read cost nothing.
  init(_ object: Source)
}

extension RealmCollection where Element: ObjectBase {
  /// Returns a value for each object, in order.
  ///
  /// All values are read through one instance of the class, which moves from object to object, so
  /// no object is allocated for each of them. The instance is reused while no other reference
  /// exists, and if the class stores nothing but persisted properties. Do not keep weak or unowned
  /// references to the object, or its identity.
  ///
  /// - Parameter type: The type of the values.
  @inlinable
  public func values<Model: ValueModel>(of type: Model.Type) -> [Model]
  where Model.Source == Element {
    let objects = ModelObjects<Element>(self)
    return Array(unsafeUninitializedCapacity: objects.count) { models, count in
      guard let models = models.baseAddress else { return }
      while count < objects.count {
        var object = objects[count]
        (models + count).initialize(to: Model(object))
        count += 1
        guard objects.mayMove else { continue }
        // Only the key changes, because counting references would take longer than reading.
        while count < objects.count, isKnownUniquelyReferenced(&object) {
          object.row?.key = objects.keys[count]
          (models + count).initialize(to: Model(object))
          count += 1
        }
      }
    }
  }

  /// Returns a value for each object, in order, which a background task reads from the present
  /// snapshot. Meanwhile the caller's thread is free.
  ///
  /// A write transaction that is open is a programming error, as it is for `freeze()`.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - isolation: The isolation of the caller, to which the collection belongs.
  public func valuesInBackground<Model: ValueModel>(
    of type: Model.Type, isolation: isolated (any Actor)? = #isolation
  ) async -> [Model] where Model.Source == Element {
    guard let results = _results else { return values(of: type) }
    let frozen = UncheckedTransfer(results.freeze())
    return await Task.detached { frozen.value.values(of: type) }.value
  }
}

/// The objects that value models are made of.
@usableFromInline
struct ModelObjects<Element: ObjectBase & RealmCollectionValue> {
  private let handle: ClassHandle?
  /// The keys of the objects, if they are in a realm.
  @usableFromInline let keys: [Int]
  private let unmanaged: [Element]
  /// Whether an instance that nobody else holds may move from row to row: its class stores nothing
  /// but persisted properties.
  @usableFromInline let mayMove: Bool

  @usableFromInline
  init<C: RealmCollection>(_ collection: C) where C.Element == Element {
    if let found = collection._results?.found {
      handle = found.handle
      keys = found.allKeys
      unmanaged = []
      mayMove = !Element.isForAnyClass && ObjectLayout.of(Element.self).holdsOnlyProperties
    } else {
      handle = nil
      keys = []
      unmanaged = Array(collection)
      mayMove = false
    }
  }

  /// The number of objects.
  @usableFromInline var count: Int { keys.count + unmanaged.count }

  /// A new instance of the object at an index, or the unmanaged object.
  @usableFromInline
  subscript(index: Int) -> Element {
    guard let handle else { return unmanaged[index] }
    return Element._object(at: Row(handle: handle, key: keys[index]))
  }
}
