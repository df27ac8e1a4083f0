#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Defaults that are another for each object, such as a new id: they are made with the object, so that whoever looks
/// first, an encoder too, finds the one that the object will have.
///
/// Instances that stand for rows need none; while one of them is made, the thread says so.
enum FreshDefault {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether the thread makes an instance that stands for a row.
  private static var isNeedless: Bool {
    get { pthread_getspecific(key) != nil }
    set { pthread_setspecific(key, newValue ? UnsafeRawPointer(bitPattern: 1) : nil) }
  }

  /// The value for a new object; nil for an instance that stands for a row.
  static func make<Value>(_ value: () -> Value) -> Value? { isNeedless ? nil : value() }

  /// Makes an instance that stands for a row.
  static func without<Object>(_ make: () -> Object) -> Object {
    isNeedless = true
    defer { isNeedless = false }
    return make()
  }
}
