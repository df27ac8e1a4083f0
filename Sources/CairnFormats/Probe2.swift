#if canImport(Glibc)
import Glibc
#endif
func now() -> Double {
  var t = timespec(); clock_gettime(CLOCK_MONOTONIC, &t);
  return Double(t.tv_sec) + Double(t.tv_nsec) * 1e-9
}
