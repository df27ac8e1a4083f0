/// The number of processors that the process may use at once, at least 1.
///
/// On Linux these are the processors of its affinity mask, but no more than the quota of its control
/// group allows, rounded up. The number is determined once.
package func processorCount() -> Int { countedProcessors }

private let countedProcessors: Int = {
  let allowed = allowedProcessors() ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  let quota = CPUQuota.ofThisProcess().map { Int($0.rounded(.up)) } ?? allowed
  return max(1, min(allowed, quota))
}()

/// The number of processors in the affinity mask of the process, or nil if the system has none.
///
/// `/proc/self/status` has the mask as hexadecimal words; Swift cannot call `sched_getaffinity`.
private func allowedProcessors() -> Int? {
  let name = "Cpus_allowed:"
  guard let status = textOfSystemFile("/proc/self/status"),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) })
  else { return nil }
  let count = line.dropFirst(name.count).compactMap(\.hexDigitValue)
    .reduce(0) { $0 + $1.nonzeroBitCount }
  return count > 0 ? count : nil
}

/// The text of a file of the system, whose size is not known before; nil if it cannot be read.
private func textOfSystemFile(_ path: String) -> String? {
  let file = openFile(path, flags: O_RDONLY)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var text: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(file, &block, block.count)
    if count == 0 { return String(decoding: text, as: UTF8.self) }
    if count > 0 { text += block[..<count] } else if errno != EINTR { return nil }
  }
}

/// A path of mountinfo, in which a backslash and three octal digits replace blanks and backslashes.
private func unescaped(_ path: Substring) -> String {
  var bytes: [UInt8] = []
  var rest = path.utf8[...]
  while let byte = rest.popFirst() {
    let digits = String(decoding: rest.prefix(3), as: UTF8.self)
    if byte == UInt8(ascii: "\\"), let value = UInt8(digits, radix: 8) {
      bytes.append(value)
      rest = rest.dropFirst(3)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The share of the processors that Linux's control groups leave to a process, version 1 or 2.
///
/// See "cpu.max" in the kernel's `cgroup-v2.rst`, and `cpu.cfs_quota_us` in `sched-bwc.rst`.
package struct CPUQuota {
  /// The content of `/proc/self/cgroup`: the group of the process in each hierarchy.
  private let groups: String
  /// The content of `/proc/self/mountinfo`: where the hierarchies are mounted.
  private let mounts: String
  /// Returns the content of a file, or nil if it cannot be read.
  private let read: (String) -> String?

  package init(groups: String, mounts: String, read: @escaping (String) -> String?) {
    (self.groups, self.mounts, self.read) = (groups, mounts, read)
  }

  /// The quota of this process in processors, such as 1.5; nil if it has none.
  package static func ofThisProcess() -> Double? {
    guard let groups = textOfSystemFile("/proc/self/cgroup"),
      let mounts = textOfSystemFile("/proc/self/mountinfo")
    else { return nil }
    return CPUQuota(groups: groups, mounts: mounts, read: textOfSystemFile).processors
  }

  /// The least quota of the group and of the groups that contain it; nil if none has one.
  package var processors: Double? {
    var least: Double?
    for mount in mounts.split(separator: "\n").compactMap(Mount.init) {
      guard let group = group(in: mount) else { continue }
      for folder in folders(from: group, in: mount) {
        guard let quota = quota(of: folder, version: mount.version) else { continue }
        least = min(least ?? quota, quota)
      }
    }
    return least
  }

  /// A mounted hierarchy of groups that limits processors.
  private struct Mount {
    let version: Int
    /// The group that is visible as the root of the mount.
    let root: Substring
    let point: String

    /// Parses a line of mountinfo; nil if it is another mount.
    init?(_ line: Substring) {
      let fields = line.split(separator: " ")
      guard let separator = fields.firstIndex(of: "-"), separator >= 5,
        separator + 3 < fields.count
      else { return nil }
      switch fields[separator + 1] {
      case "cgroup2": version = 2
      case "cgroup" where fields[separator + 3].split(separator: ",").contains("cpu"): version = 1
      default: return nil
      }
      (root, point) = (fields[3], unescaped(fields[4]))
    }
  }

  /// The group of the process in a hierarchy.
  private func group(in mount: Mount) -> Substring? {
    for line in groups.split(separator: "\n") {
      let fields = line.split(
        separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isWanted =
        mount.version == 2
        ? fields[0] == "0" && fields[1].isEmpty
        : fields[1].split(separator: ",").contains("cpu")
      if isWanted { return fields[2] }
    }
    return nil
  }

  /// The folders of a group and of those that contain it, as far as they are mounted.
  ///
  /// In a container the group may be named as outside, although the mount begins with it.
  private func folders(from group: Substring, in mount: Mount) -> [String] {
    let root = mount.root == "/" ? "" : mount.root
    guard group.hasPrefix(root) else { return [mount.point] }
    var rest = group.dropFirst(root.count)
    var folders = [mount.point]
    while let slash = rest.lastIndex(of: "/") {
      if rest.count > 1 { folders.append(mount.point + rest) }
      rest = rest[..<slash]
    }
    return folders
  }

  private func quota(of folder: String, version: Int) -> Double? {
    let numbers: [Int?]
    if version == 2 {
      // The quota is "max" in a group without a limit.
      guard let line = read(folder + "/cpu.max") else { return nil }
      numbers = line.split(whereSeparator: \.isWhitespace).map { Int($0) }
    } else {
      // The quota is -1 in a group without a limit.
      numbers = ["/cpu.cfs_quota_us", "/cpu.cfs_period_us"].map { name in
        read(folder + name)?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
      }
    }
    guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0,
      period > 0
    else { return nil }
    return Double(quota) / Double(period)
  }
}
