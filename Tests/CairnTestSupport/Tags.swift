import Testing

extension Tag {
  /// Tests in which several threads, queues, tasks or actors work on the same values. `make tsan` runs
  /// them under ThreadSanitizer.
  @Tag public static var threads: Self

  /// Tests of readers of untrusted bytes, where memory errors would come from outside. `make asan` runs
  /// them under AddressSanitizer.
  @Tag public static var untrusted: Self
}
