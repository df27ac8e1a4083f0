#if !canImport(ObjectiveC)
/// Runs a block. There is no autorelease pool without Objective-C; programs that drain one compile as they are.
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
#endif
