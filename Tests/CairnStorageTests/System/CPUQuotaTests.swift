import CairnSystem
import CairnTestSupport
import Foundation
import Testing

/// The quota of control groups, from files as they lie on real systems.
@Suite struct CPUQuotaTests {
  private func quota(groups: String, mounts: String, files: [String: String]) -> Double? {
    CPUQuota(groups: groups, mounts: mounts, read: { files[$0] }).processors
  }

  private static let second = "24 1 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
  private static let first = """
    31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
    32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
    34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset

    """

  /// The least quota of the group and of those around it counts.
  @Test func groupsOfVersion2() {
    let files = [
      "/sys/fs/cgroup/system.slice/cpu.max": "150000 100000\n",
      "/sys/fs/cgroup/system.slice/a.service/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/user.slice/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/user.slice/b/cpu.max": "25000 50000\n",
    ]
    let quota = { (groups: String) in
      self.quota(groups: groups, mounts: Self.second, files: files)
    }
    #expect(quota("0::/system.slice/a.service\n") == 1.5)
    #expect(quota("0::/system.slice\n") == 1.5)
    #expect(quota("0::/user.slice\n") == nil)
    #expect(quota("0::/user.slice/b\n") == 0.5)
    #expect(quota("0::/\n") == nil)
    #expect(quota("") == nil)
  }

  /// The root of a container's own namespace is the container's group, and has a quota.
  @Test func theRootOfAContainer() {
    let files = ["/sys/fs/cgroup/cpu.max": "200000 100000\n"]
    #expect(quota(groups: "0::/\n", mounts: Self.second, files: files) == 2)
  }

  @Test func groupsOfVersion1() {
    let files = [
      "/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_quota_us": "300000\n",
      "/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/cpu,cpuacct/jobs/one/cpu.cfs_quota_us": "-1\n",
      "/sys/fs/cgroup/cpu,cpuacct/jobs/one/cpu.cfs_period_us": "100000\n",
    ]
    let quota = { (groups: String) in self.quota(groups: groups, mounts: Self.first, files: files) }
    #expect(quota("7:cpuset:/jobs\n4:cpuacct,cpu:/jobs/one\n0::/\n") == 3)
    #expect(quota("7:cpuset:/jobs\n0::/\n") == nil)
  }

  /// Docker names the group as outside, although the mount begins with it.
  @Test func aMountThatBeginsWithTheGroup() {
    let mounts = "9 8 0:29 /docker/ab /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n"
    let files = [
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ]
    #expect(quota(groups: "3:cpu:/docker/ab\n", mounts: mounts, files: files) == 0.5)
    #expect(quota(groups: "3:cpu:/elsewhere\n", mounts: mounts, files: files) == 0.5)
  }

  @Test func pathsWithBlanks() {
    let mounts = #"9 8 0:29 / /mnt/my\040groups rw - cgroup2 none rw"#
    let files = ["/mnt/my groups/cpu.max": "100000 100000"]
    #expect(quota(groups: "0::/\n", mounts: mounts, files: files) == 1)
  }

  /// Text in another form than the kernel's sets no limit.
  @Test(arguments: ["", "max", "-5 100000", "5 0", "five 100000", "100000", "1 2 3", "inf 100000"])
  func oddTexts(text: String) {
    let quota = self.quota(
      groups: "0::/\n", mounts: Self.second, files: ["/sys/fs/cgroup/cpu.max": text])
    #expect(quota == nil)
    #expect(processorCount() >= 1)
  }

  /// The worker prints the number of processors that it finds.
  @Test(.enabled(if: Tool.isInstalled("taskset"), "taskset is not installed"))
  func theAffinityMaskLimits() throws {
    let outcome = try Command.shell("taskset -c 0 cairn-worker processors")
    #expect(outcome.output == "1\n", "\(outcome.errors)")
    let all = try Command.shell("cairn-worker processors; nproc")
    #expect(all.lines.count == 2)
    #expect(Int(all.lines[0]) ?? 0 <= Int(all.lines[1]) ?? 0, "a quota may allow fewer")
  }
}
