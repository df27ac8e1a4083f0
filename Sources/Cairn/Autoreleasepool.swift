#if !canImport(ObjectiveC)
/// Runs a block. Platforms without Objective-C have no autorelease pools; this function lets
/// programs that drain one compile unchanged.
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
#endif
