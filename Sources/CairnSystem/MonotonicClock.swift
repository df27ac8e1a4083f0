/// A clock that runs steadily, whatever happens to the date of the machine.
package enum MonotonicClock {
  /// The nanoseconds since an arbitrary moment.
  package static var nanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// The milliseconds since an arbitrary moment.
  package static var milliseconds: Int { nanoseconds / 1_000_000 }

  /// The seconds since an arbitrary moment.
  package static var seconds: Double { Double(nanoseconds) * 1e-9 }
}
