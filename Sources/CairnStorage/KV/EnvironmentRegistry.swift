import CairnSystem

/// The identity of a file, independent of the path that leads to it.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  /// The number of the file in its file system.
  package let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// The identity of the file that a path leads to; nil if it leads to none.
  package init?(path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    self.init(info)
  }

  init?(descriptor: Int32) {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    self.init(info)
  }

  private init(_ info: stat) {
    self.init(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
  }
}

/// The environments that the process has open, by file.
final class EnvironmentRegistry: @unchecked Sendable {
  // Sendable: `open` is only touched while `lock` is held.
  static let shared = EnvironmentRegistry()

  private struct Entry {
    let environment: Environment
    var users: Int
  }

  private let lock = Lock()
  private var open: [FileIdentity: Entry] = [:]
  /// The paths of files that are being replaced.
  private var reserved: Set<String> = []
  /// The environments of in-memory stores, by name.
  private var inMemory: [String: Environment] = [:]

  /// The environment of the file, opened on first use. An environment that was opened for reading
  /// does not serve a writer.
  fileprivate func acquire(path: String, readOnly: Bool) throws(StoreError) -> Environment {
    lock.lock()
    defer { lock.unlock() }
    let identity = FileIdentity(path: path)
    if let identity, let known = open[identity] {
      guard readOnly || !known.environment.isReadOnly else {
        throw StoreError(
          .locked,
          message: "\(path) is open for reading only in this process; close it first to write")
      }
      open[identity]?.users += 1
      return known.environment
    }
    let realPath = resolvedPath(path)
    guard !reserved.contains(realPath) else {
      throw StoreError(
        .locked, message: "\(path) is being compacted in this process; open it afterwards")
    }
    // The file at the path has replaced the open ones, which their readers may keep.
    for entry in open.values where entry.environment.realPath == realPath {
      entry.environment.giveUpPath()
    }
    let environment = try Environment(path: path, readOnly: readOnly)
    open[environment.identity] = Entry(environment: environment, users: 1)
    return environment
  }

  /// Keeps everyone in the process from opening a file.
  ///
  /// - Throws: `.inUse` if the file is open in this process.
  func reserve(_ realPath: String, path: String) throws(StoreError) {
    lock.lock()
    defer { lock.unlock() }
    let isOpen = open.values.contains { $0.environment.realPath == realPath }
    guard !isOpen, !reserved.contains(realPath) else {
      throw StoreError(.inUse, message: "\(path) is open in this process; close it first")
    }
    reserved.insert(realPath)
  }

  func unreserve(_ realPath: String) { _ = lock.withLock { reserved.remove(realPath) } }

  /// The environment of an in-memory store, created on first use: a file that is unlinked as soon
  /// as it is open.
  fileprivate func acquire(inMemory identifier: String) throws(StoreError) -> Environment {
    lock.lock()
    defer { lock.unlock() }
    if let known = inMemory[identifier] {
      open[known.identity]?.users += 1
      return known
    }
    let path = try temporaryFile()
    defer {
      unlink(path)
      unlink(path + "-lock")
    }
    let environment = try Environment(
      path: path, readOnly: false, isLasting: false)
    open[environment.identity] = Entry(environment: environment, users: 1)
    inMemory[identifier] = environment
    return environment
  }

  /// Closes the environment with its last user. The lock is held, so that nobody opens the file
  /// meanwhile.
  fileprivate func release(_ environment: Environment) {
    lock.lock()
    defer { lock.unlock() }
    let users = (open[environment.identity]?.users ?? 1) - 1
    if users == 0 {
      open[environment.identity] = nil
      if let name = inMemory.first(where: { $0.value === environment })?.key {
        inMemory[name] = nil
      }
      environment.close()
    } else {
      open[environment.identity]?.users = users
    }
  }
}

/// A reference to an environment that keeps it open. Every store and snapshot has one.
final class EnvironmentHandle: Sendable {
  let environment: Environment

  init(path: String, readOnly: Bool) throws(StoreError) {
    environment = try EnvironmentRegistry.shared.acquire(path: path, readOnly: readOnly)
  }

  init(inMemory identifier: String) throws(StoreError) {
    environment = try EnvironmentRegistry.shared.acquire(inMemory: identifier)
  }

  /// A reference to an environment that nobody else uses.
  init(owning environment: Environment) { self.environment = environment }

  /// Opens a file for reading that nobody else can have open.
  convenience init(alone path: String) throws(StoreError) {
    self.init(owning: try Environment(path: path, readOnly: true, locks: false))
  }

  deinit { EnvironmentRegistry.shared.release(environment) }
}

/// One object that the layer above keeps with an environment; made on first use.
final class Attachment: Sendable {
  private let object = Mutex<AnyObject?>(nil)

  /// Returns the object. Every call has to pass the same type.
  func get<T: AnyObject>(_ make: () -> T) -> T {
    object.withLock { object in
      if let object {
        guard let cached = object as? T else {
          preconditionFailure("an environment keeps one type of attachment")
        }
        return cached
      }
      let made = make()
      object = made
      return made
    }
  }
}
