/// A value that cannot be read.
struct ValueProblem: Error {
  /// The reason in words, with the value.
  let text: String
  /// The reason that other values share.
  let reason: String
  /// Whether the row can be left out; otherwise other rows would fail for the same reason.
  let isOfRow: Bool

  /// - Parameter reason: The reason that other values share; nil for the text itself.
  init(_ text: String, reason: String? = nil, isOfRow: Bool = true) {
    self.text = text
    self.reason = reason ?? text
    self.isOfRow = isOfRow
  }

  static let damaged = ValueProblem(
    "the server has sent a value of another type", reason: "a value of another type",
    isOfRow: false)
}
