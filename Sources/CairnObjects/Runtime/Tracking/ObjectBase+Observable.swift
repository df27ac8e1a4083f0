import Observation

/// Objects are observable: `withObservationTracking`, `Observations` and SwiftUI's views follow the
/// properties that they read.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ObjectBase: Observable {}

/// The sites of an unmanaged object, by the offset of the property in the instance.
@usableFromInline
final class UnmanagedSites {
  fileprivate var sites: [Int: TrackedSite] = [:]

  fileprivate init() {}
}

extension ObjectBase {
  /// Makes the present tracking depend on a property of an unmanaged object.
  ///
  /// - Parameter property: The property within the instance.
  @usableFromInline
  final func trackUnmanaged<Wrapper>(_ property: inout Wrapper) {
    guard row == nil else { return }
    let sites = unmanagedSites ?? UnmanagedSites()
    unmanagedSites = sites
    let offset = offset(of: &property)
    let site = sites.sites[offset] ?? TrackedSite.make()
    sites.sites[offset] = site
    site?.access()
  }

  /// Removes the site of a property that is about to change, and returns it.
  @usableFromInline
  final func takeUnmanaged<Wrapper>(_ property: inout Wrapper) -> TrackedSite? {
    let offset = offset(of: &property)
    // A tracking begins to listen at its end, to the same site.
    if TrackingScope.isActive { return unmanagedSites?.sites[offset] }
    let site = unmanagedSites?.sites.removeValue(forKey: offset)
    if unmanagedSites?.sites.isEmpty == true { unmanagedSites = nil }
    return site
  }

  /// Reports all sites, because the object is added to a realm. From then on its row has sites.
  final func reportAddition() {
    let sites = unmanagedSites
    unmanagedSites = nil
    for site in (sites?.sites ?? [:]).values {
      site.willChange()
      site.didChange()
    }
  }

  private final func offset<Wrapper>(of property: inout Wrapper) -> Int {
    withUnsafeMutablePointer(to: &property) {
      UnsafeRawPointer($0) - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }
  }
}
