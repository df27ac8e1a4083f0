import CairnValues

/// Values as the descriptions of objects show them: like Realm's, which come from Objective-C.
enum ValueText {
  static func text(of value: Value) -> String {
    switch value {
    case .null: "(null)"
    case .bool(let flag): flag ? "1" : "0"
    default: value.shown
    }
  }
}
