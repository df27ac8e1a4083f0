/// The places where private knowledge of the toolchain replaces the plain way, because that takes
/// several times as long. `docs/toolchain.md` lists them, each with its assumption, the test that
/// notices when the assumption no longer holds, and its fallback.
package enum Shortcuts {
  /// Whether shortcuts may be taken: unless the environment variable `CAIRN_PLAIN` is 1, which forces
  /// all fallbacks. The answers are the same.
  package static let areAllowed: Bool = {
    guard let plain = getenv("CAIRN_PLAIN") else { return true }
    return String(cString: plain) != "1"
  }()
}
