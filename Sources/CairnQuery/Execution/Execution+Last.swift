extension Execution {
  /// The last key of the result; without an order it is looked for from the end.
  package func last() -> Int? {
    guard plan.isPlain, plan.order == nil, plan.distinct.isEmpty, plan.offset == 0,
      plan.limit == nil
    else { return keys().last }
    var end = plan.scan.allChunks.upperBound
    var portion = 1
    while end > 0 {
      let start = max(0, end - portion)
      if let key = keys(in: start..<end).last { return key }
      end = start
      portion = min(portion * 4, 1024)
    }
    return nil
  }
}
