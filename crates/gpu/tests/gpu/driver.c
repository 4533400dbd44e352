/* A made-up driver, so that the code for GPUs is tested on machines without one. Its device is the machine's own
   memory, everything is done at once, and its only kernel is `add`: out[i] = in0[i] + in1[i] for 32-bit words.

   FAKE_DEVICES    number of devices, 1 if unset
   FAKE_REFUSE     "cubin" or "all": images that it does not load
   FAKE_POOLS      0: no pools of memory
   FAKE_BUSY       events never say that they are over; waiting for them works
   FAKE_FAIL       D:K: launches on device D fail from the K-th on, from 0
   FAKE_CLOCK      launches take time on a made-up clock, on device 1 so many times as much as on others: one ends when
                   no other device is behind
   FAKE_PINNED     bytes of pinned memory that there are
   FAKE_SLOW       milliseconds that a copy between a device and the machine, or a launch, takes
   FAKE_PROGRAM    the kernel is that of a program of two inputs: out[i] = in0[i] + in1[i] for 64-bit words
   OLD             when defined, an older driver, without cuMemGetInfo_v2
   ENTRY           when defined, another name of the kernel than "add" */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef ENTRY
#define ENTRY "add"
#endif

enum { OK, INVALID, OUT_OF_MEMORY, NO_DEVICE = 100, NO_BINARY = 209, PTX_VERSION = 222, NOT_FOUND = 500, NOT_READY = 600, LAUNCH_FAILED = 719 };

static int launches;

static const size_t MEMORY = (size_t)1 << 34;
static __thread void *current;

static int devices(void) {
    const char *count = getenv("FAKE_DEVICES");
    return count ? atoi(count) : 1;
}

int cuInit(unsigned flags) { return devices() ? OK : NO_DEVICE; }
int cuDriverGetVersion(int *version) { *version = 13000; return OK; }
int cuGetErrorName(int code, const char **text) { *text = "CUDA_ERROR_MADE_UP"; return OK; }
int cuGetErrorString(int code, const char **text) { *text = "made up"; return OK; }

int cuDeviceGetCount(int *count) { *count = devices(); return OK; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return OK; }
int cuDeviceGetName(char *name, int size, int device) { strncpy(name, "made-up GPU", size); return OK; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = MEMORY; return OK; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
    case 13: *value = 1000000; break;    /* clock in kHz */
    case 16: *value = 8; break;          /* multiprocessors */
    case 39: *value = 2048; break;       /* threads of one */
    case 75: *value = 9; break;          /* compute capability */
    case 76: *value = 0; break;
    case 82: *value = 65536; break;      /* registers of a multiprocessor */
    case 97: *value = 227 << 10; break;  /* shared memory of a block */
    case 115: *value = !getenv("FAKE_POOLS") || atoi(getenv("FAKE_POOLS")); break;
    default: *value = 0;
    }
    return OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)(intptr_t)(device + 1); return OK; }
int cuDevicePrimaryCtxRelease_v2(int device) { return OK; }
int cuCtxCreate_v4(void **context, void *parameters, unsigned flags, int device) {
    *context = current = (void *)(intptr_t)(1000 + device + 1); /* beside the primary one */
    return OK;
}
int cuCtxDestroy_v2(void *context) { return OK; }
int cuCtxGetCurrent(void **context) { *context = current; return OK; }
int cuCtxSetCurrent(void *context) { current = context; return OK; }
int cuCtxSynchronize(void) { return OK; }

/* Everything that is allocated and not freed: memory of devices, pinned memory, streams, events and modules. */
enum { DEVICE, PINNED, STREAM, EVENT, MODULE, KINDS };
static struct allocation { struct allocation *next; char *start; size_t bytes; int kind, device; } *all;
static long live[KINDS], wrong;
static size_t pinned;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* For tests: how many are allocated of a kind, or after the last kind how often something else was freed. */
long made_up_live(int kind) { return kind < KINDS ? live[kind] : wrong; }

static void *allocate(int kind, size_t bytes) {
    struct allocation *new = malloc(sizeof *new);
    void *start = NULL;
    if (posix_memalign(&start, 256, bytes + 1)) return free(new), NULL;
    pthread_mutex_lock(&lock);
    *new = (struct allocation){all, start, bytes, kind, ((int)(intptr_t)current - 1) % 1000};
    all = new;
    live[kind]++;
    if (kind == PINNED) pinned += bytes;
    pthread_mutex_unlock(&lock);
    return start;
}
static int release(int kind, void *start) {
    pthread_mutex_lock(&lock);
    struct allocation **at = &all, *found;
    while ((found = *at) && (found->start != start || found->kind != kind)) at = &found->next;
    if (found) {
        *at = found->next;
        live[kind]--;
        if (kind == PINNED) pinned -= found->bytes;
    } else {
        wrong++;
    }
    pthread_mutex_unlock(&lock);
    if (!found) return INVALID;
    free(found->start);
    free(found);
    return OK;
}

int cuStreamCreate(void **stream, unsigned flags) { *stream = allocate(STREAM, 0); return OK; }
int cuStreamDestroy_v2(void *stream) { return release(STREAM, stream); }
int cuStreamQuery(void *stream) { return OK; }
int cuStreamSynchronize(void *stream) { return OK; }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { return OK; }
int cuEventCreate(void **event, unsigned flags) { *event = allocate(EVENT, 0); return OK; }
int cuEventDestroy_v2(void *event) { return release(EVENT, event); }
int cuEventQuery(void *event) { return getenv("FAKE_BUSY") ? NOT_READY : OK; }
int cuEventRecord(void *event, void *stream) { return OK; }
int cuEventSynchronize(void *event) { return OK; }
int cuEventElapsedTime(float *ms, void *start, void *end) { *ms = 0.5f; return OK; }

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    if (!current) return INVALID;
    if (bytes > MEMORY) return OUT_OF_MEMORY;
    *address = (uint64_t)(uintptr_t)allocate(DEVICE, bytes);
    return *address ? OK : OUT_OF_MEMORY;
}
int cuMemFree_v2(uint64_t address) { return release(DEVICE, (void *)(uintptr_t)address); }
int cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) { return cuMemAlloc_v2(address, bytes); }
int cuMemFreeAsync(uint64_t address, void *stream) { return cuMemFree_v2(address); }
int cuDeviceGetDefaultMemPool(void **pool, int device) { *pool = NULL; return OK; }
int cuMemPoolSetAttribute(void *pool, int attribute, void *value) { return OK; }
int cuMemPoolGetAttribute(void *pool, int attribute, void *value) { *(uint64_t *)value = 0; return OK; }
int cuMemPoolTrimTo(void *pool, size_t bytes) { return OK; }
int cuPointerGetAttributes(unsigned count, int *attributes, void **values, uint64_t address) {
    int type = 0, device = -2;
    pthread_mutex_lock(&lock);
    for (struct allocation *a = all; a; a = a->next) {
        if (a->kind > PINNED || address - (uint64_t)(uintptr_t)a->start >= a->bytes) continue;
        type = a->kind == PINNED ? 1 : 2;
        device = a->device;
    }
    pthread_mutex_unlock(&lock);
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] != 2 && attributes[i] != 9) return INVALID; /* kind of memory, and device */
        *(int *)values[i] = attributes[i] == 2 ? type : device;
    }
    return OK;
}
int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    const char *limit = getenv("FAKE_PINNED");
    if (!current) return INVALID;
    if (bytes > MEMORY || (limit && pinned + bytes > (size_t)atoll(limit))) return OUT_OF_MEMORY;
    *address = allocate(PINNED, bytes);
    return *address ? OK : OUT_OF_MEMORY;
}
int cuMemFreeHost(void *address) { return release(PINNED, address); }
#ifndef OLD
int cuMemGetInfo_v2(size_t *free, size_t *total) { *free = MEMORY / 2; *total = MEMORY; return OK; }
#endif

/* Copies in, copies out and launches that are going on, on each device, and the most devices that had one at once. */
enum { COPY_IN, COPY_OUT, LAUNCH, CALLS, MOST_DEVICES = 16 };
static int going[CALLS][MOST_DEVICES], at_once[CALLS];
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;

/* For tests: the most devices that were in a call of a kind at once. */
int made_up_at_once(int call) { return at_once[call]; }

/* Takes the time of a slow call. */
static void be_slow(int call) {
    const char *slow = getenv("FAKE_SLOW");
    int device = ((int)(intptr_t)current - 1) % 1000, count = 0;
    if (!slow || device < 0 || device >= MOST_DEVICES) return;
    pthread_mutex_lock(&calls_lock);
    going[call][device]++;
    for (int i = 0; i < MOST_DEVICES; i++) count += going[call][i] > 0;
    if (count > at_once[call]) at_once[call] = count;
    pthread_mutex_unlock(&calls_lock);
    usleep(1000 * atoi(slow));
    pthread_mutex_lock(&calls_lock);
    going[call][device]--;
    pthread_mutex_unlock(&calls_lock);
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
    be_slow(COPY_IN);
    memcpy((void *)(uintptr_t)to, from, bytes);
    return OK;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
    be_slow(COPY_OUT);
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return OK;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return OK;
}
int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, void *stream) {
    memset((void *)(uintptr_t)to, byte, bytes);
    return OK;
}

int cuModuleLoadData(void **module, const char *image) {
    const char *refuse = getenv("FAKE_REFUSE");
    int cubin = !memcmp(image, "\177ELF", 4);
    if (refuse && (cubin || !strcmp(refuse, "all"))) return cubin ? NO_BINARY : PTX_VERSION;
    *module = allocate(MODULE, 0);
    return OK;
}
int cuModuleUnload(void *module) { return release(MODULE, module); }
int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = module;
    return strcmp(name, ENTRY) ? NOT_FOUND : OK;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
    *value = attribute == 0 ? 1024 : attribute == 4 ? 16 : 0; /* threads of a block; registers */
    return OK;
}
int cuFuncSetAttribute(void *function, int attribute, int value) { return attribute == 8 ? OK : INVALID; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *f, int threads, size_t shared) {
    *blocks = 2048 / threads;
    return OK;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *f, int threads, size_t shared, unsigned x) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared);
}
enum { WAIT_MS = 500 };
static pthread_mutex_t clock_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t clock_changed = PTHREAD_COND_INITIALIZER;
static long times[MOST_DEVICES];
static int is_working[MOST_DEVICES];

/* The device that is the furthest behind, of those that work; -1 if none is. */
static int behind(int device) {
    int found = -1;
    for (int i = 0; i < MOST_DEVICES; i++)
        if (is_working[i] && times[i] < times[device] && (found < 0 || times[i] < times[found])) found = i;
    return found;
}

/* Adds to the clock of a device, and waits until no other one is behind. One that starts nothing for long has ended. */
static void take_time(int device, long time) {
    static int is_running;
    pthread_mutex_lock(&clock_lock);
    /* All of them begin at once. */
    for (int i = 0; !is_running && i < devices(); i++) is_working[i] = 1;
    is_running = is_working[device] = 1;
    times[device] += time;
    pthread_cond_broadcast(&clock_changed);
    for (int other; (other = behind(device)) >= 0;) {
        struct timespec until;
        long before = times[other];
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        int late = pthread_cond_timedwait(&clock_changed, &clock_lock, &until);
        if (late && times[other] == before) {
            is_working[other] = 0;
            pthread_cond_broadcast(&clock_changed);
        }
    }
    pthread_mutex_unlock(&clock_lock);
}

int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **extra) {
    be_slow(LAUNCH);
    if (getenv("FAKE_PROGRAM")) {
        /* Two inputs, a state and the control words; a result, the next state, marks, and N. */
        const uint64_t *x = *(uint64_t **)parameters[0], *y = *(uint64_t **)parameters[1];
        uint64_t *sum = *(uint64_t **)parameters[4], count = *(uint64_t *)parameters[7];
        for (uint64_t i = 0; i < count; i++) sum[i] = x[i] + y[i];
        return OK;
    }
    uint64_t n = *(uint64_t *)parameters[3], threads = (uint64_t)gx * bx;
    const uint32_t *a = *(uint32_t **)parameters[0], *b = *(uint32_t **)parameters[1];
    uint32_t *out = *(uint32_t **)parameters[2];
    if (gy * gz * by * bz != 1 || !current) return INVALID;
    const char *fail = getenv("FAKE_FAIL");
    if (fail && (intptr_t)current == atoi(fail) + 1) {
        if (__sync_fetch_and_add(&launches, 1) >= atoi(strchr(fail, ':') + 1)) return LAUNCH_FAILED;
    } else if (fail) {
        usleep(30000); /* so that the failing device gets its share */
    }
    const char *clock = getenv("FAKE_CLOCK");
    if (clock) take_time((intptr_t)current - 1, (intptr_t)current == 2 ? atoi(clock) : 1);
    for (uint64_t i = 0; i < n && i < threads; i++) out[i] = a[i] + b[i];
    return OK;
}
