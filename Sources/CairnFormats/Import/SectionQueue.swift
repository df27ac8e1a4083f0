internal import CairnValues

/// Hands out the sections of all files, in order, to any number of threads.
final class SectionQueue: Sendable {
  private struct State {
    var file = 0
    var cutter: (any SectionCutter)?
    var number = 0
    /// Sections handed out of the current file.
    var ofFile = 0
    var isStopped = false
    var bytesRead: Int64 = 0
    var isComplete = true
  }

  private let sources: [ImportSource]
  private let limit: Int
  private let state: Mutex<State>

  /// - Parameter limit: sections that are handed out of every file.
  init(_ sources: [ImportSource], limit: Int) {
    self.sources = sources
    self.limit = limit
    state = Mutex(State())
  }

  /// Reads the next section; false when there is none.
  ///
  /// - Throws: with `section.number` set to the number that the section would have had.
  func next(_ section: InputSection) throws(ImportError) -> Bool {
    try state.withLock { (state) throws(ImportError) in
      section.number = state.number
      while !state.isStopped, state.file < sources.count {
        if try next(section, &state) { return true }
        state.file += 1
        state.cutter = nil
        state.ofFile = 0
      }
      return false
    }
  }

  private func next(_ section: InputSection, _ state: inout State) throws(ImportError) -> Bool {
    let cutter = state.cutter ?? sources[state.file].makeCutter()
    state.cutter = cutter
    guard state.ofFile < limit else {
      state.isComplete = false
      return false
    }
    section.file = state.file
    // Until the section is there: a cutter that has thrown must not be asked again.
    state.isStopped = true
    guard try cutter.cut(into: section) else {
      state.isStopped = false
      return false
    }
    state.isStopped = false
    section.number = state.number
    state.number += 1
    state.ofFile += 1
    state.bytesRead += Int64(section.range.count)
    return true
  }

  /// No further section is handed out.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Bytes handed out so far.
  var bytesRead: Int64 { state.withLock { $0.bytesRead } }

  /// Whether the limit left nothing out.
  var isComplete: Bool { state.withLock { $0.isComplete } }
}
