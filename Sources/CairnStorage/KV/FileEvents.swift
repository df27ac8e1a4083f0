import CairnSystem

/// Wakes one waiting thread when any process writes to a file, or when it is signalled.
///
/// On systems without such events, only signals and timeouts wake it.
final class FileEvents: @unchecked Sendable {
  // Sendable: the descriptors never change, and any thread may use them.
  private let signals: (reading: Int32, writing: Int32)
  private let writes: WriteEvents

  init(path: String) {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    signals = (lifted(ends[0]), lifted(ends[1]))
    writes = WriteEvents(path)
  }

  deinit {
    for end in [signals.reading, signals.writing] where end >= 0 { close(end) }
    writes.close()
  }

  /// Ends the current or the next wait.
  func signal() {
    var byte: UInt8 = 1
    _ = write(signals.writing, &byte, 1)
  }

  /// Waits for a write or a signal, at most the given time.
  func wait(milliseconds: Int) {
    poll([signals.reading, writes.descriptor], milliseconds: milliseconds)
    drainAll(signals.reading)
    writes.drain()
  }

  /// Waits for a signal, ignoring writes, at most the given time.
  func pause(milliseconds: Int) {
    poll([signals.reading], milliseconds: milliseconds)
  }

  private func poll(_ descriptors: [Int32], milliseconds: Int) {
    // `poll` skips negative descriptors.
    var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = systemPoll(&waits, milliseconds: milliseconds)
  }

}

private func systemPoll(_ waits: inout [pollfd], milliseconds: Int) -> Int32 {
  poll(&waits, numericCast(waits.count), Int32(milliseconds))
}

/// Reads everything available.
private func drainAll(_ descriptor: Int32) {
  withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
    while read(descriptor, room.baseAddress, room.count) > 0 {}
  }
}

#if os(Linux)
/// File write events from inotify.
private struct WriteEvents {
  /// Readable after a write; -1 if events are not available.
  let descriptor: Int32

  init(_ path: String) {
    let made = lifted(inotify_init1(O_NONBLOCK | O_CLOEXEC))
    guard made >= 0, inotify_add_watch(made, path, UInt32(IN_MODIFY)) < 0 else {
      descriptor = made
      return
    }
    _ = systemClose(made)
    descriptor = -1
  }

  func drain() { drainAll(descriptor) }
  func close() { if descriptor >= 0 { _ = systemClose(descriptor) } }
}
#else
/// File write events from a kernel queue.
private struct WriteEvents {
  /// Readable after a write; -1 if events are not available.
  let descriptor: Int32
  private let file: Int32

  init(_ path: String) {
    file = openFile(path, O_EVTONLY)
    descriptor = kqueue()
    var wanted = kevent(
      ident: UInt(bitPattern: Int(file)), filter: Int16(EVFILT_VNODE),
      flags: UInt16(EV_ADD | EV_CLEAR), fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0,
      udata: nil)
    if file >= 0, descriptor >= 0 { _ = kevent(descriptor, &wanted, 1, nil, 0, nil) }
  }

  func drain() {
    var event = kevent()
    var now = timespec(tv_sec: 0, tv_nsec: 0)
    if descriptor >= 0 { while kevent(descriptor, nil, 0, &event, 1, &now) > 0 {} }
  }

  func close() { for open in [descriptor, file] where open >= 0 { _ = systemClose(open) } }
}
#endif

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
