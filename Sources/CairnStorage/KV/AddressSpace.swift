import CairnSystem

/// The address space that is left to the process.
enum AddressSpace {
  /// Whether a map of that size has a place now, if the address space of the process is limited
  /// (`ulimit -v`).
  static func holds(_ size: Int) -> Bool {
    guard limit != nil else { return true }
    let map = mmap(nil, size, PROT_NONE, privateMemory, -1, 0)
    guard map != MAP_FAILED else { return false }
    munmap(map, size)
    return true
  }

  #if os(Linux)
  private static let privateMemory = Int32(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)
  #else
  private static let privateMemory = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
  #endif

  /// The limit in bytes, or nil without one.
  static var limit: UInt64? {
    var limit = rlimit()
    #if canImport(Glibc)
    let code = getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #else
    let code = getrlimit(RLIMIT_AS, &limit)
    #endif
    guard code == 0, limit.rlim_cur < UInt64(Int64.max) else { return nil }
    return UInt64(limit.rlim_cur)
  }
}
