import Observation

/// Objects are observable: `withObservationTracking`, `Observations` and SwiftUI's views follow the
/// properties that they read while the object is in a realm.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ObjectBase: Observable {}
