import CairnStorage

/// The classes of a session: the layouts of the program's classes, and the handles through which
/// objects and results read.
///
/// In a frozen session, which several threads use, the session's lock protects the registry.
final class ClassRegistry {
  /// The layouts of the classes in use, by name.
  private(set) var layouts: [String: ObjectLayout] = [:]
  /// The same classes as drafts for the store.
  private(set) var drafts: [TableDraft] = []
  /// Handles by class, while they are in use. They keep the session alive, not vice versa.
  private(set) var handles: [String: WeakHandle] = [:]
  /// Keeps the handles alive as long as a realm may need them again.
  private weak var keeper: HandleKeeper?

  /// Creates a registry with the program's classes of another one, but without its handles.
  init(layoutsOf source: ClassRegistry? = nil) {
    guard let source else { return }
    layouts = source.layouts
    drafts = source.drafts
  }

  // MARK: Layouts

  /// Whether this very layout is registered.
  func contains(_ layout: ObjectLayout) -> Bool { layouts[layout.className] === layout }

  /// The class and everything that it leads to, without the registered classes.
  func unregistered(reachableFrom layout: ObjectLayout) -> [ObjectLayout] {
    layout.reachable.filter { !contains($0) }
  }

  /// Registers layouts, which replace those of the same names.
  func register(_ fresh: [ObjectLayout]) {
    for layout in fresh { layouts[layout.className] = layout }
    drafts = layouts.values.map(\.draft)
  }

  /// Forgets all layouts. The classes are registered again on their next use.
  func removeLayouts() {
    layouts = [:]
    drafts = []
  }

  // MARK: Handles

  /// The handle of a class while it is in use.
  func handle(_ name: String) -> ClassHandle? { handles[name]?.handle }

  /// Adds a handle, which lives as long as it is in use.
  func add(_ handle: ClassHandle, named name: String, isShared: Bool) {
    handles[name] = WeakHandle(handle, isShared: isShared)
    keeper?.handles.append(handle)
  }

  /// Removes the handle of a class; the next use creates another one.
  func removeHandle(_ name: String) { handles[name] = nil }

  /// Removes all handles; the next uses create others.
  func removeHandles() {
    handles = [:]
    keeper?.handles = []
  }

  /// Returns the object that keeps the handles alive for the session's realms.
  func makeKeeper() -> HandleKeeper {
    if let keeper { return keeper }
    let created = HandleKeeper(handles.values.compactMap(\.handle))
    keeper = created
    return created
  }
}

/// Keeps a realm's handles alive, so that calls do not create them again.
final class HandleKeeper {
  fileprivate(set) var handles: [ClassHandle]

  fileprivate init(_ handles: [ClassHandle]) { self.handles = handles }
}

/// A weak reference to a handle.
struct WeakHandle {
  private weak var life: HandleLife?
  private weak var shared: ClassHandle?

  /// Creates a weak reference.
  ///
  /// A weak reference makes reference counting of its object slow, and every object of a realm
  /// holds a handle. The weak reference to a live handle therefore goes to its `HandleLife`, which
  /// lives as long as the handle. A frozen handle may end on one thread while another reads it, so
  /// it is referred to directly.
  init(_ handle: ClassHandle, isShared: Bool) {
    if isShared { shared = handle } else { life = handle.life }
  }

  var handle: ClassHandle? { life?.handle ?? shared }
}

/// A companion that lives as long as the handle that holds it.
final class HandleLife {
  fileprivate(set) unowned(unsafe) var handle: ClassHandle

  init(of handle: ClassHandle) { self.handle = handle }
}
