#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// In Swift each of these needs either a call that costs as much as reading a property, or a check
// that ends the program with its own message.

/// The identity of the calling thread, unique among living threads.
static inline __attribute__((always_inline)) uintptr_t cairn_thread(void) {
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
  return (uintptr_t)__builtin_thread_pointer();
#else
  return (uintptr_t)pthread_self();
#endif
}

/// Whether the caller runs on the program's first thread.
static inline int cairn_is_main_thread(void) {
#if defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#else
  return pthread_main_np() != 0;
#endif
}

// Functions of Swift's runtime.

typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} cairn_executor;

__attribute__((swiftcall)) cairn_executor swift_task_getCurrentExecutor(void);
__attribute__((swiftcall)) const void *swift_task_getCurrent(void);
__attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(const void *task);

/// The executor that the caller is isolated to; both words are 0 if there is none.
static inline cairn_executor cairn_current_executor(void) { return swift_task_getCurrentExecutor(); }

/// The number of the caller's task, which is unique in the process; 0 outside of tasks.
static inline uint64_t cairn_task_number(void) {
  const void *task = swift_task_getCurrent();
  return task != NULL ? swift_task_getJobTaskId(task) : 0;
}
