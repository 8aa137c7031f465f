// A process that answers one question after another, each from the same memory.
//
// A fork per question is a fresh state for each, and most of what a small question costs: the fork, the faults on every
// page that the child touches, the exit, and all caches cold. Here one child stays. When it is ready for a question, the
// keeper (below, on a stack of its own) copies all of its writable memory; after the answer it puts the copy back and
// jumps to where the question came in. So each question meets the very bytes that a forked child would meet.
//
// Nothing is left to chance where memory could have changed unseen:
// * Every private writable mapping of the process counts, as the kernel lists them: data of the program and of all
//   libraries, heap, stack, thread-local data. Only the copy and the keeper's stack do not; the copy is read-only.
// * A page has been written since the fork if and only if it is this process's alone, which /proc/self/pagemap tells.
//   That can change by a page fault only; while the process counts no new ones, what is known is the whole truth.
// * A process that has other mappings or files open than at the start, or has written very many pages, is not used again.
// * One that ends in any other way than by returning from Vampire's `main` is gone, and with it all it could pass on.

#include "rewind.hpp"

#if defined(__linux__) && defined(__GLIBC__)

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// glibc's, since 2.35: not 0 if the kernel keeps the number of the core in the thread's own data.
extern "C" [[gnu::weak]] const unsigned int __rseq_size;

namespace refolio {
namespace {

constexpr size_t MAX_REGIONS = 256;
// Putting back more than this costs as much as a fork.
constexpr size_t MAX_WRITTEN = 1536;
constexpr size_t KEEPER_STACK = 512 * 1024;
constexpr size_t MAX_MAPS = 128 * 1024;

// Set aside before the first question, so that most need no more from the kernel. What is not used costs nothing.
constexpr size_t SPARE_HEAP = 32 * 1024 * 1024;
constexpr size_t SPARE_STACK = 512 * 1024;

struct Region {
  char* start;
  size_t pages;
  // The number of its first page among all.
  size_t first;
};

struct Written {
  char* page;
  // Null for a page of zeros.
  const char* copy;
};

struct Store {
  ucontext_t prover;
  ucontext_t keeper;
  Desk* desk;
  int asked;
  int answered;
  bool taken;
  // Whether every page is compared after each question, which tests do.
  bool checks;
  // Of the whole block with its guard pages.
  char* block;
  size_t block_length;
  size_t page;
  int pagemap;
  int statm;
  // As they were when the copy was taken.
  void* heap_end;
  unsigned long mapped;
  int next_file;
  long faults;
  size_t region_count;
  Region regions[MAX_REGIONS];
  size_t written_count;
  Written written[MAX_WRITTEN];
  // By page: where its copy is, null for zeros; and whether it is among those written.
  size_t page_count;
  const char** copies;
  bool* is_written;
  // The copies and how many fit.
  char* copied;
  size_t room;
};

Store* store = nullptr;

// Pages mapped, as /proc/self/statm begins; 0 if it cannot be told.
unsigned long mapped()
{
  char text[64];
  const ssize_t n = pread(store->statm, text, sizeof text - 1, 0);
  if (n <= 0)
    return 0;
  text[n] = 0;
  return strtoul(text, nullptr, 10);
}

int next_file()
{
  const int file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (file >= 0)
    close(file);
  return file;
}

long faults()
{
  rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt + usage.ru_majflt : -1;
}

// Calls with start, end and whether a file is behind it, for each private writable mapping but the store's own.
template <typename F> bool each_region(F&& act)
{
  char text[MAX_MAPS];
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  size_t length = 0;
  ssize_t n;
  while ((n = read(file, text + length, sizeof text - 1 - length)) > 0)
    length += n;
  close(file);
  if (n < 0 || length == sizeof text - 1)
    return false;
  text[length] = 0;
  for (char* line = text; *line;) {
    char* const end_of_line = strchr(line, '\n');
    if (!end_of_line)
      return false;
    // "start-end rwxp offset device inode …"
    char* at = line;
    char* const start = reinterpret_cast<char*>(strtoul(at, &at, 16));
    char* const end = reinterpret_cast<char*>(strtoul(at + 1, &at, 16));
    const char* const mode = at + 1;
    const bool is_ours = store && start < store->block + store->block_length && end > store->block;
    if (mode[1] == 'w' && mode[3] == 'p' && !is_ours) {
      at += 6;
      strtoul(at, &at, 16);
      at = strchr(at + 1, ' ');
      if (mode[0] != 'r' || !at || !act(start, end, strtoul(at, nullptr, 10) != 0))
        return false;
    }
    line = end_of_line + 1;
  }
  return true;
}

constexpr uint64_t PRESENT = 1ull << 63;
constexpr uint64_t SWAPPED = 1ull << 62;
constexpr uint64_t EXCLUSIVE = 1ull << 56;

// Calls with the number of each page in the region and what the kernel says of it.
template <typename F> bool each_page(const Region& region, F&& act)
{
  uint64_t entries[512];
  for (size_t done = 0; done < region.pages;) {
    const size_t left = region.pages - done;
    const size_t count = left < 512 ? left : 512;
    const off_t offset = (reinterpret_cast<uintptr_t>(region.start) / store->page + done) * sizeof *entries;
    if (pread(store->pagemap, entries, count * sizeof *entries, offset) != ssize_t(count * sizeof *entries))
      return false;
    for (size_t i = 0; i < count; i++)
      if (!act(done + i, entries[i]))
        return false;
    done += count;
  }
  return true;
}

bool note_if_written(const Region& region, size_t i, uint64_t entry)
{
  const size_t number = region.first + i;
  if (!(entry & (EXCLUSIVE | SWAPPED)) || store->is_written[number])
    return true;
  if (store->written_count == MAX_WRITTEN)
    return false;
  store->is_written[number] = true;
  store->written[store->written_count++] = {region.start + i * store->page, store->copies[number]};
  return true;
}

// Finds the pages written since the last look. False if they are too many, or if it cannot be told.
bool look()
{
  const long now = faults();
  if (now < 0)
    return false;
  if (now == store->faults)
    return true;
  store->faults = now;
  for (size_t r = 0; r < store->region_count; r++) {
    const Region& region = store->regions[r];
    if (!each_page(region, [&](size_t i, uint64_t entry) { return note_if_written(region, i, entry); }))
      return false;
  }
  return true;
}

// Copies all memory. Runs on the keeper's stack and writes nothing outside the store.
bool take()
{
  const bool listed = each_region([](char* start, char* end, bool is_file) {
    if (store->region_count == MAX_REGIONS)
      return false;
    const Region region = {start, (end - start) / store->page, store->page_count};
    if (region.pages > store->room - store->page_count)
      return false;
    store->regions[store->region_count++] = region;
    store->page_count += region.pages;
    return each_page(region, [&](size_t i, uint64_t entry) {
      // A page of a file that was not read yet is not one of zeros.
      if ((entry & (PRESENT | SWAPPED)) || is_file) {
        memcpy(store->copied, start + i * store->page, store->page);
        store->copies[region.first + i] = store->copied;
        store->copied += store->page;
      }
      return note_if_written(region, i, entry);
    });
  });
  if (!listed)
    return false;
  char* const first = store->block + store->block_length - store->page - store->room * store->page;
  if (mprotect(first, store->room * store->page, PROT_READ) != 0)
    return false;
  store->heap_end = sbrk(0);
  store->mapped = mapped();
  store->next_file = next_file();
  store->taken = true;
  return store->mapped != 0 && store->next_file >= 0;
}

void restore()
{
  for (size_t i = 0; i < store->written_count; i++) {
    const Written& written = store->written[i];
    if (written.copy)
      memcpy(written.page, written.copy, store->page);
    else
      memset(written.page, 0, store->page);
  }
}

// Whether every page is what it was, whoever wrote it.
bool is_restored()
{
  for (size_t r = 0; r < store->region_count; r++) {
    const Region& region = store->regions[r];
    const bool same = each_page(region, [&](size_t i, uint64_t entry) {
      const char* const page = region.start + i * store->page;
      if (const char* copy = store->copies[region.first + i])
        return memcmp(page, copy, store->page) == 0;
      return !(entry & (PRESENT | SWAPPED)) || (page[0] == 0 && memcmp(page, page + 1, store->page - 1) == 0);
    });
    if (!same)
      return false;
  }
  return true;
}

bool can_go_on()
{
  if (mapped() != store->mapped) {
    // A heap that grew is cut back; the kernel gives zeros when it grows again.
    syscall(SYS_brk, store->heap_end);
    if (mapped() != store->mapped)
      return false;
  }
  return next_file() == store->next_file && look();
}

void tell(uint32_t state)
{
  store->desk->state = state;
  if (write(store->answered, "", 1) != 1)
    _exit(0);
}

// Where everything but the proving is done; entered anew for each question, with nothing on the stack.
void keep()
{
  if (!store->taken) {
    if (!take()) {
      tell(REFUSES);
      _exit(0);
    }
  } else {
    if (!can_go_on()) {
      tell(LEAVES);
      _exit(0);
    }
    tell(STAYS);
    restore();
    if (store->checks && !is_restored())
      abort();
  }
  uint64_t count;
  if (read(store->asked, &count, sizeof count) != sizeof count)
    _exit(0);
  store->desk->output_length = 0;
  setcontext(&store->prover);
  _exit(0);
}

[[gnu::noinline]] void touch_stack()
{
  volatile char deep[SPARE_STACK];
  deep[0] = 0;
}

// Whatever asks the kernel for memory during a question would only be undone after it.
void set_aside()
{
  // A huge page would count as written with its first byte.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  mallopt(M_MMAP_THRESHOLD, SPARE_HEAP / 2);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, SPARE_HEAP);
  // More than is free, so that the heap grows. Volatile, or the compiler would see that nobody uses it.
  void* volatile some = malloc(SPARE_HEAP / 4);
  free(some);
  mallopt(M_TOP_PAD, 1024 * 1024);
  touch_stack();
}

// A block with guard pages before, between and after: the header, the keeper's stack, the copies.
bool prepare(Desk* desk, int asked, int answered)
{
  set_aside();
  const size_t page = sysconf(_SC_PAGESIZE);
  size_t pages = 64;
  if (!each_region([&](char* start, char* end, bool) { return pages += (end - start) / page, true; }))
    return false;
  const auto rounded = [page](size_t n) { return (n + page - 1) / page * page; };
  const size_t header = rounded(sizeof(Store) + pages * (sizeof(char*) + sizeof(bool)));
  const size_t length = header + KEEPER_STACK + pages * page + 4 * page;
  void* const got = mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED)
    return false;
  char* const block = static_cast<char*>(got);
  char* const stack = block + header + 2 * page;
  char* const copies = stack + KEEPER_STACK + page;
  if (mprotect(block + page, header, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(stack, KEEPER_STACK, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(copies, pages * page, PROT_READ | PROT_WRITE) != 0)
    return false;
  Store* const made = reinterpret_cast<Store*>(block + page);
  made->desk = desk;
  made->asked = asked;
  made->answered = answered;
  made->checks = getenv("REFOLIO_CHECK_REWINDING") != nullptr;
  made->block = block;
  made->block_length = length;
  made->page = page;
  made->pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  made->statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  made->copies = reinterpret_cast<const char**>(made + 1);
  made->is_written = reinterpret_cast<bool*>(made->copies + pages);
  made->copied = copies;
  made->room = pages;
  if (made->pagemap < 0 || made->statm < 0 || getcontext(&made->keeper) != 0)
    return false;
  made->keeper.uc_stack.ss_sp = stack;
  made->keeper.uc_stack.ss_size = KEEPER_STACK;
  made->keeper.uc_link = nullptr;
  makecontext(&made->keeper, keep, 0);
  store = made;
  return true;
}

} // namespace

bool can_rewind()
{
  // What the kernel writes by itself must not be put back. (GLIBC_TUNABLES=glibc.pthread.rseq=0 keeps it from that.)
  if (&__rseq_size && __rseq_size != 0)
    return false;
  // Of a page that this process has just written, the system says so.
  const size_t page = sysconf(_SC_PAGESIZE);
  volatile char here = 1;
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  uint64_t entry = 0;
  const off_t offset = reinterpret_cast<uintptr_t>(&here) / page * sizeof entry;
  const bool told = pread(file, &entry, sizeof entry, offset) == sizeof entry;
  close(file);
  return told && (entry & PRESENT) && (entry & EXCLUSIVE) && access("/proc/self/statm", R_OK) == 0;
}

void rewind_to_here(Desk* desk, int asked, int answered)
{
  if (!prepare(desk, asked, answered)) {
    desk->state = REFUSES;
    if (write(answered, "", 1) != 1)
      _exit(1);
    _exit(0);
  }
  swapcontext(&store->prover, &store->keeper);
}

void answer_and_rewind(int code)
{
  store->desk->code = code;
  setcontext(&store->keeper);
  _exit(code);
}

} // namespace refolio

#else

#include <cstdlib>

namespace refolio {

bool can_rewind()
{
  return false;
}

void rewind_to_here(Desk*, int, int)
{
  abort();
}

void answer_and_rewind(int)
{
  abort();
}

} // namespace refolio

#endif
