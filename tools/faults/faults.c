/* A preload library that injects faults between Cairn and the disk: it makes the n-th write to a store fail, or records
 * every write, from which a test constructs the possible results of a crash. The tests build it if they find a C compiler.
 *
 *   CAIRN_FAULT_PATH     only files whose path contains this text; for recording, the exact path of the file
 *   CAIRN_FAULT_AT       the number of the call that fails, from 1
 *   CAIRN_FAULT_ERROR    the error number; 0: half is written, without an error
 *   CAIRN_FAULT_LASTING  1: every call after it fails too
 *   CAIRN_FAULT_COUNT    a file for the number of calls, written at exit
 *   CAIRN_FAULT_RECORD   a file for every call: u32 kind (1 write, 2 sync, 3 truncate, 4 rename of the file),
 *                        u64 offset, u64 size, bytes
 *   CAIRN_FAULT_LACKS    features that the file system lacks: any of flock, locks, inotify
 *   CAIRN_PAGE_SIZE      the size of a memory page that the program sees
 *
 * Steps are all calls on files whose path contains CAIRN_STEP_PATH, lock files too: opening, locking, mapping, reading,
 * writing, removing, renaming and asking for their state. One of them can stop or end the process, or fail:
 *
 *   CAIRN_STEP_AT        the number of the step, from 1
 *   CAIRN_STEP_ACTION    stop, kill, or the error number with which the call fails
 *   CAIRN_STEP_COUNT     a file for the number of steps, written at exit
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;

static int matters(int fd) {
  const char *wanted = getenv("CAIRN_FAULT_PATH");
  char link[64], path[4096];
  if (!wanted) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (getenv("CAIRN_FAULT_RECORD")) return strcmp(path, wanted) == 0;
  return strstr(path, wanted) && !strstr(path, "-lock");
}

static long steps;

/* Counts a step on a path. Returns whether the call must fail, with errno set. */
static int step_on(const char *path) {
  const char *wanted = getenv("CAIRN_STEP_PATH"), *at = getenv("CAIRN_STEP_AT");
  const char *action = getenv("CAIRN_STEP_ACTION");
  if (!wanted || !path || !strstr(path, wanted)) return 0;
  long step = __atomic_add_fetch(&steps, 1, __ATOMIC_SEQ_CST);
  if (!at || !action || step != atol(at)) return 0;
  if (strcmp(action, "stop") == 0) {
    raise(SIGSTOP);
    return 0;
  }
  if (strcmp(action, "kill") == 0) raise(SIGKILL);
  errno = atoi(action);
  return 1;
}

static int step(int fd) {
  char link[64], path[4096];
  if (!getenv("CAIRN_STEP_PATH")) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return step_on(path);
}

/* Whether this call must fail: 0 no, 1 with errno set, 2 after writing half. */
static int fails(void) {
  const char *at = getenv("CAIRN_FAULT_AT"), *error = getenv("CAIRN_FAULT_ERROR");
  const char *lasting = getenv("CAIRN_FAULT_LASTING");
  pthread_mutex_lock(&lock);
  long call = ++calls;
  pthread_mutex_unlock(&lock);
  if (!at) return 0;
  long first = atol(at);
  if (call != first && !(lasting && *lasting == '1' && call > first)) return 0;
  int code = error ? atoi(error) : EIO;
  if (code == 0) return 2;
  errno = code;
  return 1;
}

static void record(uint32_t kind, uint64_t offset, const struct iovec *parts, int count) {
  static int file = -1;
  const char *path = getenv("CAIRN_FAULT_RECORD");
  if (!path) return;
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  uint64_t size = 0;
  for (int i = 0; i < count; i++) size += parts[i].iov_len;
  pthread_mutex_lock(&lock);
  if (file < 0) file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  real(file, &kind, 4);
  real(file, &offset, 8);
  real(file, &size, 8);
  for (int i = 0; i < count; i++) real(file, parts[i].iov_base, parts[i].iov_len);
  pthread_mutex_unlock(&lock);
}

/* Records a write. A write to a synchronous file is recorded with a sync after it. */
static void written(int fd, uint64_t offset, const struct iovec *parts, int count) {
  record(1, offset, parts, count);
  if (fcntl(fd, F_GETFL) & O_DSYNC) record(2, 0, NULL, 0);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  if (step(fd)) return -1;
  if (!matters(fd)) return real(fd, bytes, size, offset);
  int fault = fails();
  if (fault == 1) return -1;
  if (fault == 2) return real(fd, bytes, size / 2, offset);
  struct iovec part = {(void *)bytes, size};
  written(fd, offset, &part, 1);
  return real(fd, bytes, size, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t offset) {
  return pwrite(fd, bytes, size, offset);
}

ssize_t write(int fd, const void *bytes, size_t size) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  if (!matters(fd)) return real(fd, bytes, size);
  int fault = fails();
  if (fault == 1) return -1;
  if (fault == 2) return real(fd, bytes, size / 2);
  struct iovec part = {(void *)bytes, size};
  written(fd, lseek(fd, 0, SEEK_CUR), &part, 1);
  return real(fd, bytes, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t (*real)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
  if (!matters(fd)) return real(fd, parts, count);
  int fault = fails();
  if (fault == 1) return -1;
  if (fault == 2) return real(fd, parts, count > 1 ? count / 2 : 1);
  written(fd, lseek(fd, 0, SEEK_CUR), parts, count);
  return real(fd, parts, count);
}

static int sync_file(int fd, const char *name) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  if (step(fd)) return -1;
  if (!matters(fd)) return real(fd);
  if (fails() == 1) return -1;
  record(2, 0, NULL, 0);
  return real(fd);
}

int fsync(int fd) { return sync_file(fd, "fsync"); }
int fdatasync(int fd) { return sync_file(fd, "fdatasync"); }

int ftruncate(int fd, off_t size) {
  int (*real)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
  if (step(fd)) return -1;
  if (!matters(fd)) return real(fd, size);
  if (fails() == 1) return -1;
  record(3, size, NULL, 0);
  return real(fd, size);
}

int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  const char *wanted = getenv("CAIRN_FAULT_PATH");
  char path[4096];
  if (step_on(from)) return -1;
  if (!wanted || !realpath(from, path) || !strstr(path, wanted)) return real(from, to);
  if (fails() == 1) return -1;
  if (strcmp(path, wanted) == 0) record(4, 0, NULL, 0);
  return real(from, to);
}

static int lacks(const char *what) {
  const char *list = getenv("CAIRN_FAULT_LACKS");
  return list && strstr(list, what);
}

int flock(int fd, int operation) {
  int (*real)(int, int) = dlsym(RTLD_NEXT, "flock");
  if (step(fd)) return -1;
  if (!lacks("flock")) return real(fd, operation);
  errno = ENOLCK;
  return -1;
}

int inotify_add_watch(int fd, const char *path, uint32_t mask) {
  int (*real)(int, const char *, uint32_t) = dlsym(RTLD_NEXT, "inotify_add_watch");
  if (!lacks("inotify")) return real(fd, path, mask);
  errno = ENOSPC;
  return -1;
}

int fcntl(int fd, int command, ...) {
  int (*real)(int, int, ...) = dlsym(RTLD_NEXT, "fcntl");
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  int is_lock = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
  int is_file_lock = command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
  if ((is_lock || is_file_lock) && step(fd)) return -1;
  if (!is_lock || !lacks("locks")) return real(fd, command, argument);
  errno = ENOLCK;
  return -1;
}

int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return fcntl(fd, command, argument);
}

static int open_step(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
  if (step_on(path)) return -1;
  return real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return open_step("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return open_step("open64", path, flags, mode);
}

int unlink(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
  return step_on(path) ? -1 : real(path);
}

int stat(const char *path, struct stat *info) {
  int (*real)(const char *, struct stat *) = dlsym(RTLD_NEXT, "stat");
  return step_on(path) ? -1 : real(path, info);
}

int fstat(int fd, struct stat *info) {
  int (*real)(int, struct stat *) = dlsym(RTLD_NEXT, "fstat");
  return step(fd) ? -1 : real(fd, info);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset) {
  ssize_t (*real)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
  return step(fd) ? -1 : real(fd, bytes, size, offset);
}

ssize_t pread64(int fd, void *bytes, size_t size, off_t offset) {
  return pread(fd, bytes, size, offset);
}

void *mmap(void *start, size_t size, int protection, int flags, int fd, off_t offset) {
  void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
  if (fd >= 0 && step(fd)) return MAP_FAILED;
  return real(start, size, protection, flags, fd, offset);
}

void *mmap64(void *start, size_t size, int protection, int flags, int fd, off_t offset) {
  return mmap(start, size, protection, flags, fd, offset);
}

int close(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "close");
  /* A failing close closes the file too. */
  step(fd);
  return real(fd);
}

long sysconf(int name) {
  long (*real)(int) = dlsym(RTLD_NEXT, "sysconf");
  const char *size = getenv("CAIRN_PAGE_SIZE");
  return size && (name == _SC_PAGESIZE || name == _SC_PAGE_SIZE) ? atol(size) : real(name);
}

static void tell_number(const char *name, long number) {
  const char *path = getenv(name);
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld", number);
  fclose(file);
}

__attribute__((destructor)) static void tell(void) {
  tell_number("CAIRN_FAULT_COUNT", calls);
  tell_number("CAIRN_STEP_COUNT", steps);
}
