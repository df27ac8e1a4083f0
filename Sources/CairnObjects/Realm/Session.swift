import CairnStorage
import CairnValues
import Dispatch

/// An open store and the snapshot that all of a realm's results and objects read.
///
/// Confined to one thread or actor, as its realm is.
final class Session {
  let store: Store
  let configuration: Realm.Configuration
  private(set) var confinement: Confinement
  /// Whether it stays at its state for good, and may be read by any thread.
  let isFrozen: Bool
  /// The state that is read; nil until the next time, once it was let go of.
  var shownSnapshot: Snapshot?
  /// The open write transaction.
  var transaction: WriteTransaction?
  /// What was written last, until it is durable.
  var sealed: SealedWrite?
  /// Writes that wait for their turn, or are not durable yet.
  let asyncWrites = AsyncWrites()
  /// What remembers something of the present state.
  let memories = StateMemories()
  /// Who is told of changes.
  let observers = Observers()
  /// Brings turns to the session's owner.
  private(set) lazy var waker = Waker(self)
  /// Asks for turns when anyone commits.
  var commits: CommitWatch?
  /// Whether turns let the session go on to what others committed.
  var autorefresh = true
  /// A transaction that was begun, and that observers are told before.
  var held: WriteTransaction?
  /// The actor that the session belongs to, and the identity of its executor.
  private(set) weak var actor: (any Actor)?
  private(set) var ownerExecutor: UInt = 0
  /// Keeps the memory of the actor, so that no other actor gets its address while the session lives.
  private unowned var formerActor: AnyObject?
  private(set) var actorType: (any Actor.Type)?
  /// The queue that the session belongs to.
  let queue: DispatchQueue?
  /// Whether the session was used since it was opened.
  var isClaimed = true
  /// The main thread, once a session that belongs there was used on it.
  var mainThread: UInt = 0
  /// Counts states and changes, so that what was worked out on an older one is known as such.
  var version: Int {
    get { clock.pointee }
    set { clock.pointee = newValue }
  }
  /// The thread on which the caller was checked last.
  @inline(__always)
  var lastThread: UInt {
    get { UInt(bitPattern: clock[1]) }
    set { clock[1] = Int(bitPattern: newValue) }
  }
  /// Where `version` and behind it `lastThread` stand, for those who look at them often.
  let clock = UnsafeMutablePointer<Int>.allocate(capacity: 2)
  /// Held while what reading remembers is added to: the objects of a frozen realm are read by several threads.
  // A byte, though nobody needs it: ThreadSanitizer takes a value without a size for the object around it.
  let lock = Mutex<UInt8>(0)
  /// Collections that the open transaction edits.
  let openCollections = CollectionDrafts()
  /// How objects of the classes that the open transaction added to are added, by class.
  var insertions: [ObjectIdentifier: Insertion] = [:]
  /// Handles by class, while somebody reads through them: they keep the session, not the other way round.
  var handles: [String: WeakHandle] = [:]
  /// How many handles have ended.
  @exclusivity(unchecked) var endedHandles = 0
  /// Keeps the handles as long as a realm is there to ask for them again.
  private weak var keeper: HandleKeeper?
  /// Classes of objects that were asked for, by name.
  var layouts: [String: ObjectLayout] = [:]
  /// The same classes as a store gets them.
  var drafts: [TableDraft] = []
  /// The frozen session of the last state that was frozen.
  weak var lastFrozen: Session?

  /// The state before, while a migration runs.
  var formerSession: Session?
  /// The program's classes, of a state before a migration.
  var successorLayouts: [String: ObjectLayout] = [:] {
    didSet { noteChange() }
  }
  /// Whether the open transaction gave classes another form than the last state has.
  var hasAlteredClasses = false

  /// What is done about objects being added whose primary key the store has.
  var updatePolicy = Realm.UpdatePolicy.error

  init(
    _ store: Store, _ configuration: Realm.Configuration, _ owner: SessionOwner
  ) throws {
    self.store = store
    self.configuration = configuration
    confinement = owner.confinement
    isFrozen = false
    queue = owner.queue
    clock.initialize(repeating: 0, count: 2)
    if let actor = owner.actor { belong(to: actor) }
    do { shownSnapshot = try store.snapshot() } catch { throw Realm.Error(error) }
  }

  /// A state of the store of another session, for good and for any thread.
  init(freezing state: Snapshot, of source: Session) throws {
    store = source.store
    configuration = source.configuration
    confinement = .none
    isFrozen = true
    queue = nil
    clock.initialize(repeating: 0, count: 2)
    layouts = source.layouts
    drafts = source.drafts
    do { shownSnapshot = try Snapshot(sharing: state, knowing: drafts) } catch {
      throw Realm.Error(error)
    }
    makeTables()
  }

  /// A state of the store of another session, to be read beside it.
  init(reading state: Snapshot, beside other: Session) {
    store = other.store
    configuration = other.configuration
    confinement = other.confinement
    isFrozen = other.isFrozen
    queue = other.queue
    clock.initialize(repeating: 0, count: 2)
    if let actor = other.actor { belong(to: actor) }
    snapshot = state
  }

  deinit { clock.deallocate() }

  private func belong(to actor: any Actor) {
    self.actor = actor
    formerActor = actor
    actorType = type(of: actor)
    ownerExecutor = Executor(actor.unownedExecutor).identity
  }

  /// Lets a session that a task opened in the initialiser of an actor belong to the actor.
  func move(to actor: any Actor) {
    isClaimed = true
    confinement = .of(actor)
    if confinement != .main { belong(to: actor) }
    SessionRegistry.keep(self)
  }

  // MARK: Classes

  /// The class of that name; nil when neither the store nor the program has one.
  func handle(_ name: String) -> ClassHandle? {
    lock.withLock { _ in lockedHandle(name) }
  }

  /// The same, under the lock.
  func lockedHandle(_ name: String) -> ClassHandle? {
    if let known = handles[name]?.handle { return known }
    guard let table = table(name) else { return nil }
    let handle = ClassHandle(self, table)
    handles[name] = WeakHandle(handle, isShared: isFrozen)
    keeper?.handles.append(handle)
    return handle
  }

  /// What keeps the handles for a realm.
  func handleKeeper() -> HandleKeeper {
    lock.withLock { _ in
      if let keeper { return keeper }
      let made = HandleKeeper(handles.values.compactMap(\.handle))
      keeper = made
      return made
    }
  }

  private func table(_ name: String) -> Table? {
    if let writing = transaction ?? sealed?.transaction { return writing.table(name)?.table }
    return snapshot.table(name)
  }

  /// The classes of the present state, and those that the program has besides.
  var schema: CairnStorage.Schema {
    isFrozen
      ? frozenSchema
      : transaction?.schema ?? sealed?.transaction.schema ?? snapshot.knownSchema
  }

  /// The class that a class of objects is stored in; the store gets it with the next write.
  ///
  /// - Throws: `Realm.Error` where the class itself is at fault, or does not fit what the store has.
  func handle(for layout: ObjectLayout) throws -> ClassHandle {
    if isFrozen { return try frozenHandle(for: layout) }
    if layouts[layout.className] !== layout { try register(layout) }
    guard let handle = handle(layout.className) else {
      throw Realm.Error(.fail, "Class '\(layout.className)' is not in the store.")
    }
    return handle
  }

  /// The class of objects of that name; nil when none was asked for.
  func layout(named name: String) -> ObjectLayout? {
    isFrozen ? lock.withLock { _ in layouts[name] } : layouts[name]
  }

  /// Takes note of a class and of all that it leads to.
  ///
  /// - Throws: `Realm.Error` with every mistake in them, and with all that does not fit what the store has.
  func register(_ layout: ObjectLayout) throws {
    try settle()
    try checkListed(layout)
    let fresh = layout.reachable.filter { layouts[$0.className] !== $0 }
    try ObjectLayout.check(fresh, besides: layouts)
    try bringUp(fresh)
    try check(fresh, fit: schema)
    for layout in fresh { layouts[layout.className] = layout }
    drafts = layouts.values.map(\.draft)
    formerSession?.successorLayouts = layouts
    try makeKnown()
    moveHandles()
  }

  func check(_ fresh: [ObjectLayout], fit schema: CairnStorage.Schema) throws {
    let differences = fresh.flatMap { layout in
      schema.table(named: layout.className).map(layout.differences) ?? []
    }
    guard differences.isEmpty else {
      throw Realm.Error(
        .schemaMismatch, sentences: differences,
        under: "The store has other properties than the program's classes:",
        cure:
          "Raise schemaVersion above \(configuration.schemaVersion) in the configuration to migrate the store."
      )
    }
  }

  /// Lets the present state have the program's classes: a transaction makes those that the store lacks.
  func makeKnown() throws {
    do {
      // The last state has the old form of classes that are altered: it is asked again when the transaction has ended.
      if transaction == nil || !hasAlteredClasses { try snapshot.know(drafts) }
      try transaction?.makeKnown(drafts)
    } catch { throw Realm.Error(error) }
  }

  // MARK: States

  /// The state that is read.
  var snapshot: Snapshot {
    get {
      if let shownSnapshot { return shownSnapshot }
      let latest: Snapshot = trapping { try store.snapshot() }
      trapping { try check(Array(layouts.values), fit: latest.schema) }
      shownSnapshot = latest
      trapping { try makeKnown() }
      return latest
    }
    set { shownSnapshot = newValue }
  }

  /// Moves on to the last commit, and tells observers what is due; true when there is a new one.
  func refresh() throws -> Bool {
    guard transaction == nil, !isFrozen else { return false }
    try settle()
    let isNew = try goOn()
    if isNew { observers.hasChanged = true }
    deliver()
    return isNew
  }

  /// Moves on to the last commit, if there is a new one.
  func goOn() throws -> Bool {
    let latest: Snapshot
    do { latest = try store.snapshot() } catch { throw Realm.Error(error) }
    guard latest.version != snapshot.version else { return false }
    try checkFit(latest.schema)
    move(to: latest)
    return true
  }

  /// Reads a state from now on.
  func move(to latest: Snapshot) {
    snapshot = latest
    trapping { try makeKnown() }
    moveHandles()
    memories.forgetAll()
  }

  /// Ends all handles: each reads a table that the body gives for it, and others take their places.
  func endHandles(_ table: (ClassHandle) -> Table?) {
    version += 1
    insertions = [:]
    for weak in handles.values {
      guard let handle = weak.handle else { continue }
      handle.isEnded = true
      if let table = table(handle) { handle.move(to: table) }
    }
    handles = [:]
    keeper?.handles = []
    memories.forgetAll()
  }

  /// Lets every handle read the present state.
  func moveHandles() {
    version += 1
    insertions = [:]
    for (name, weak) in handles {
      if let handle = weak.handle, let table = table(name) { handle.move(to: table) }
    }
  }
}

/// Keeps what a realm has asked for, so that it need not be made again with every call.
final class HandleKeeper {
  fileprivate(set) var handles: [ClassHandle]

  fileprivate init(_ handles: [ClassHandle]) { self.handles = handles }
}

/// A handle while somebody holds it.
struct WeakHandle {
  private weak var life: HandleLife?
  private weak var shared: ClassHandle?

  /// A weak reference makes counting references to its object slow, and every object of a realm holds a handle: so the
  /// one to a live handle goes through what lives as long as that. A frozen handle may end on one thread while another
  /// asks for it.
  init(_ handle: ClassHandle, isShared: Bool) {
    if isShared { shared = handle } else { life = handle.life }
  }

  var handle: ClassHandle? { life?.handle ?? shared }
}

/// Lives as long as the handle that holds it.
final class HandleLife {
  fileprivate(set) unowned(unsafe) var handle: ClassHandle

  init(of handle: ClassHandle) { self.handle = handle }
}
