import CairnStorage
import CairnSystem
import CairnValues
import Dispatch

/// An open store, and the snapshot that all results and objects of a realm read.
///
/// Confined to one thread or actor, like its realm.
final class Session {
  let store: Store
  let configuration: Realm.Configuration
  /// Reports the end of the session, if it has reported its opening.
  var closingReport: ClosingReport?
  private(set) var confinement: Confinement
  /// Whether the session keeps its snapshot forever and may be read by any thread.
  let isFrozen: Bool
  /// The snapshot that the session reads, and its open or pending write.
  var state: SessionState
  /// The version of the snapshot that the session reads. Any thread may ask for it.
  let heldVersion = HeldVersion()
  /// The classes that the session reads and writes.
  let classes: ClassRegistry
  /// Writes that wait for the writer lock, or are not durable yet.
  let asyncWrites = AsyncWrites()
  /// The snapshot caches of the session.
  let snapshotCaches = SnapshotCaches()
  /// The observers of changes.
  let observers = Observers()
  /// The reads that trackings depend on; nil until something is tracked.
  var trackedSites: TrackedSites?
  /// Schedules deliveries in the session's isolation.
  private(set) lazy var waker = Waker(self)
  /// Schedules a delivery when another session or process commits.
  var commits: CommitWatch?
  /// Whether a delivery advances the session to the last commit.
  var autorefresh = true
  /// The actor that the session belongs to, and the identity of its executor.
  private(set) weak var actor: (any Actor)?
  private(set) var ownerExecutor: UInt = 0
  /// Keeps the memory of the actor allocated, so that no other actor gets its address while the
  /// session lives.
  private unowned var retainedActor: AnyObject?
  private(set) var actorType: (any Actor.Type)?
  /// The queue that the session belongs to.
  let queue: DispatchQueue?
  /// Whether the session has been used since it was opened.
  var isClaimed = true
  /// The main thread, once a session that belongs there has been used on it.
  var mainThread: UInt = 0
  /// Counts snapshots and changes, so that outdated results are recognised.
  var version: Int {
    get { clock.pointee }
    set { clock.pointee = newValue }
  }
  /// The thread pointer of the thread on which the caller was last checked. Always 0, as before the
  /// first check, if thread pointers are not used; every access is then checked completely.
  @inline(__always)
  var lastThread: UInt {
    get { UInt(bitPattern: clock[1]) }
    set {
      clock[1] = Int(bitPattern: newValue)
      clock[2] = newValue == 0 ? TrackingScope.unknownWord : TrackingScope.word(of: newValue)
    }
  }
  /// Whether the session belongs to the caller and a closure of `withObservationTracking` runs on
  /// the calling thread. Costs two loads if none does.
  @inline(__always)
  var isTracked: Bool {
    if isFrozen { return false }
    if lastThread == Caller.threadPointer, !TrackingScope.mayBeActive(wordAt: clock[2]) {
      return false
    }
    return TrackingScope.isActive
  }
  /// The address of `version`, followed by `lastThread` and the address of that thread's
  /// `TrackingScope` word, for frequent readers. Valid while the session exists.
  let clock: UnsafeMutablePointer<Int> = {
    let clock = UnsafeMutablePointer<Int>.allocate(capacity: 3)
    clock.initialize(repeating: 0, count: 2)
    clock[2] = TrackingScope.unknownWord
    return clock
  }()
  /// Protects the caches that reads fill: several threads read the objects of a frozen realm.
  // The byte is unused. ThreadSanitizer confuses a value without a size with the object around it.
  let lock = Mutex<UInt8>(0)
  /// The collections that the open transaction edits.
  let openCollections = CollectionDrafts()
  /// The insertions of the open transaction, by class.
  var insertions: [ObjectIdentifier: Insertion] = [:]
  /// The number of handles that have ended.
  @exclusivity(unchecked) var endedHandles = 0
  /// The frozen session of the last frozen snapshot.
  weak var lastFrozen: Session?

  /// Looks for readers that hold old versions.
  lazy var growthWatch = GrowthWatch(configuration.growthLimits)

  /// The session of the old snapshot during a migration.
  var oldSession: Session?
  /// The first mistake of the migration's block that was found before it returned.
  var migrationFault: Realm.Error?
  /// In the session of the old snapshot: the program's classes.
  var successorLayouts: [String: ObjectLayout] = [:] {
    didSet { markChanged() }
  }
  /// Whether the open transaction has altered classes of the last snapshot.
  var hasAlteredClasses = false

  /// The check of reads without the lock file, or nil where the lock file protects them.
  var unlockedReads: UnlockedReads?

  /// The treatment of added objects whose primary key is already in the store.
  var updatePolicy = Realm.UpdatePolicy.error
  /// The objects that are being added, and the properties that are written after them.
  var additions = Traversal<PostponedProperty>()

  init(
    _ store: Store, configuration: Realm.Configuration, owner: SessionOwner
  ) throws {
    self.store = store
    self.configuration = configuration
    confinement = owner.confinement
    isFrozen = false
    queue = owner.queue
    state = SessionState(heldVersion)
    classes = ClassRegistry()
    if let actor = owner.actor { belong(to: actor) }
    do { state.show(try store.snapshot()) } catch { throw Realm.Error(error) }
    if store.isUnlocked { unlockedReads = UnlockedReads() }
  }

  /// Creates a frozen session of a snapshot of another session, for any thread.
  init(freezing snapshot: Snapshot, of source: Session) throws {
    store = source.store
    configuration = source.configuration
    confinement = .none
    isFrozen = true
    queue = nil
    state = SessionState(heldVersion)
    classes = ClassRegistry(layoutsOf: source.classes)
    do { state.show(try Snapshot(sharing: snapshot, declaring: classes.drafts)) } catch {
      throw Realm.Error(error)
    }
    makeTables()
  }

  /// Creates a session that reads a snapshot of another session's store beside that session.
  init(reading snapshot: Snapshot, beside other: Session) {
    store = other.store
    configuration = other.configuration
    confinement = other.confinement
    isFrozen = other.isFrozen
    queue = other.queue
    state = SessionState(heldVersion)
    classes = ClassRegistry()
    if let actor = other.actor { belong(to: actor) }
    state.show(snapshot)
  }

  deinit { clock.deallocate() }

  private func belong(to actor: any Actor) {
    self.actor = actor
    retainedActor = actor
    actorType = type(of: actor)
    ownerExecutor = Executor(actor.unownedExecutor).identity
  }

  /// Moves a session that a task opened in the initializer of an actor to the actor.
  func move(to actor: any Actor) {
    isClaimed = true
    confinement = .of(actor)
    if confinement != .main { belong(to: actor) }
    SessionRegistry.keep(self)
  }

  // MARK: Snapshots

  /// The open write transaction.
  var transaction: WriteTransaction? { state.transaction }

  /// The last write, until it is durable.
  var pendingWrite: PreparedWrite? { state.pendingWrite }

  /// The snapshot that is read. After its release, the next read takes the last commit.
  var snapshot: Snapshot {
    get {
      if let current = state.snapshot { return current }
      let latest: Snapshot = orFatal { try store.snapshot() }
      orFatal { try check(Array(classes.layouts.values), fit: latest.schema) }
      state.show(latest)
      orFatal { try applyProgramClasses() }
      return latest
    }
    set { state.show(newValue) }
  }

  /// Advances to the last commit, and delivers what observers are due; returns whether the commit
  /// is new.
  func refresh() throws -> Bool {
    guard transaction == nil, !isFrozen, trackedSites?.isReporting != true else { return false }
    try finishPendingWrite()
    let isNew = try advance()
    if isNew { observers.hasChanged = true }
    deliver()
    return isNew
  }

  /// Advances to the last commit; returns whether it is new.
  func advance() throws -> Bool {
    let latest: Snapshot
    do { latest = try store.snapshot() } catch { throw Realm.Error(error) }
    guard latest.version != snapshot.version, trackedSites?.isReporting != true else {
      return false
    }
    try checkFit(latest.schema)
    show(latest)
    return true
  }

  /// Reads the given snapshot from now on.
  func move(to latest: Snapshot) {
    unlockedReads?.leave(snapshot)
    snapshot = latest
    orFatal { try applyProgramClasses() }
    moveHandles()
    snapshotCaches.evictAll()
  }
}
