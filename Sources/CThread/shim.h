#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// docs/toolchain.md describes what this header assumes, and the fallbacks.

/// The identity of the calling thread, unique among living threads.
static inline uintptr_t cairn_thread(void) { return (uintptr_t)pthread_self(); }

/// A word that differs between living threads. Takes one load, whereas `pthread_self` is a call that
/// takes half as long as reading a property.
static inline __attribute__((always_inline)) uintptr_t cairn_thread_pointer(void) {
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

// Functions of Swift's runtime, which has no public ones for this. The references are weak, so that a
// program starts with a runtime that lacks them.

#if defined(__APPLE__)
#define CAIRN_RUNTIME __attribute__((swiftcall, weak_import))
#else
#define CAIRN_RUNTIME __attribute__((swiftcall, weak))
#endif

typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} cairn_executor;

CAIRN_RUNTIME cairn_executor swift_task_getCurrentExecutor(void);
CAIRN_RUNTIME const void *swift_task_getCurrent(void);
CAIRN_RUNTIME uint64_t swift_task_getJobTaskId(const void *task);

/// Whether the runtime has the functions.
static inline int cairn_runtime_has_tasks(void) {
  return swift_task_getCurrentExecutor != NULL && swift_task_getCurrent != NULL &&
         swift_task_getJobTaskId != NULL;
}

/// The executor that the caller is isolated to; both words are 0 outside of actors.
static inline cairn_executor cairn_current_executor(void) { return swift_task_getCurrentExecutor(); }

/// The number of the caller's task, which is unique in the process; 0 outside of tasks.
static inline uint64_t cairn_task_number(void) {
  const void *task = swift_task_getCurrent();
  return task != NULL ? swift_task_getJobTaskId(task) : 0;
}

#if defined(__linux__) && defined(__LP64__)

// The C library declares these only with an option that a header cannot rely on.

typedef struct {
  uint32_t type, flags;
  uint64_t offset, address, physical_address, file_size, memory_size, alignment;
} cairn_segment;

typedef struct {
  uintptr_t address;
  const char *name;
  const cairn_segment *segments;
  uint16_t segment_count;
  unsigned long long added, removed;
  size_t thread_module;
  void *thread_memory;
} cairn_library;

int cairn_each_library(int (*body)(cairn_library *, size_t, void *), void *context)
    __asm__("dl_iterate_phdr");

/// A piece of memory.
typedef struct {
  uintptr_t start;
  size_t size;
} cairn_memory;

enum { cairn_max_libraries = 256 };

/// The thread-local memory of the calling thread, by library.
typedef struct {
  size_t count;
  cairn_memory parts[cairn_max_libraries];
} cairn_thread_memory;

static inline int cairn_add_library(cairn_library *library, size_t size, void *context) {
  cairn_thread_memory *found = (cairn_thread_memory *)context;
  if (library->thread_memory == NULL || found->count == cairn_max_libraries) return 0;
  for (size_t index = 0; index < library->segment_count; index++) {
    const uint32_t thread_local_segment = 7;
    if (library->segments[index].type != thread_local_segment) continue;
    cairn_memory part = {(uintptr_t)library->thread_memory, library->segments[index].memory_size};
    found->parts[found->count++] = part;
  }
  return 0;
}

/// Finds the thread-local memory of the calling thread.
static inline void cairn_find_thread_memory(cairn_thread_memory *found) {
  found->count = 0;
  cairn_each_library(cairn_add_library, found);
}

#endif
