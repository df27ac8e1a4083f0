import CairnSystem
import Observation

/// Something that trackings depend on, such as one property of one object.
///
/// A subclass imports Observation, because older systems lack it.
@usableFromInline
class TrackedSite {
  /// Makes the present tracking depend on the site.
  @usableFromInline func access() { requireOverride() }
  /// Reports that the site is about to change.
  @usableFromInline func willChange() { requireOverride() }
  /// Reports that the site has changed.
  @usableFromInline func didChange() { requireOverride() }

  /// Returns a new site; nil where the system has no Observation.
  static func make() -> TrackedSite? {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return nil }
    return RegistrarSite()
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private final class RegistrarSite: TrackedSite {
  /// The object that the registrar observes. Trackings never see it.
  private final class Subject: Observable, Sendable {
    var content: Void { () }
  }

  private static let subject = Subject()
  private let registrar = ObservationRegistrar()

  override func access() { registrar.access(Self.subject, keyPath: \.content) }
  override func willChange() { registrar.willSet(Self.subject, keyPath: \.content) }
  override func didChange() { registrar.didSet(Self.subject, keyPath: \.content) }
}
