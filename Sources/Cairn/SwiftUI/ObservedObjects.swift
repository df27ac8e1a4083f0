#if canImport(SwiftUI)
import CairnObjects
import SwiftUI

/// An object that a view shows and edits. The view is drawn again when a property that it reads
/// changes.
///
///     struct DogView: View {
///       @ObservedRealmObject var dog: Dog
///       var body: some View { TextField("Name", text: $dog.name) }
///     }
///
/// `$dog.name` is a binding that sets the property in a write transaction of its own. A failed write
/// ends the program, because a binding cannot report it; write with `realm.write` to handle errors.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@propertyWrapper
public struct ObservedRealmObject<Value: ObjectBase>: DynamicProperty {
  /// The object.
  public var wrappedValue: Value

  /// Creates the property of a view from an object of a realm on the main actor.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// The bindings to the properties of the object.
  public var projectedValue: ObjectBindings<Value> { ObjectBindings(wrappedValue) }
}

/// An object that belongs to a view, such as a new one in a form. It stays the same while the view
/// is shown.
///
/// An object that is not in a realm is not tracked, so add it to a realm before other views show it.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@propertyWrapper
public struct StateRealmObject<Value: ObjectBase>: DynamicProperty {
  @State private var object: Value

  /// Creates the property with the object that the view has at first.
  public init(wrappedValue: Value) { _object = State(initialValue: wrappedValue) }

  /// The object.
  public var wrappedValue: Value {
    get { object }
    nonmutating set { object = newValue }
  }

  /// The bindings to the properties of the object.
  public var projectedValue: ObjectBindings<Value> { ObjectBindings(object) }
}

/// Bindings to the properties of an object. A binding sets its property in a write transaction of
/// its own, or in the one that is open.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@dynamicMemberLookup
public struct ObjectBindings<Value: ObjectBase> {
  private let object: Value

  fileprivate init(_ object: Value) { self.object = object }

  /// The binding to a property.
  public subscript<Member>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>
  ) -> Binding<Member> {
    Bindable(WritableProperty(keyPath, of: object)).value
  }
}
#endif
