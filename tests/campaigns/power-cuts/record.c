/* Records what a program does to the files of one folder: loaded with LD_PRELOAD, it appends each write, change of size, deletion and
   sync to the file that FLAGSERVICE_TRACE names. `trace.mjs` reads it. The folder is FLAGSERVICE_TRACED. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The operations, with what `position` is. */
enum {
    OPEN = 1,       /* the path as data */
    WRITE = 2,      /* offset in the file; the bytes as data */
    TRUNCATE = 3,   /* the new size */
    SYNC_BEGIN = 4, /* number of the sync */
    SYNC_END = 5,   /* number of the sync */
    UNLINK = 6,     /* the path as data */
    RENAME = 7      /* the old path as data */
};

struct record {
    uint32_t operation;
    uint32_t file;
    uint64_t position;
    uint64_t length;
};

#define FILES 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static char folder[4096];
static size_t folder_length;
static uint32_t files[FILES]; /* descriptor -> number of the opened file, 0 for those outside the folder */
static uint32_t opened;
static uint64_t syncs;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("FLAGSERVICE_TRACE"), *traced = getenv("FLAGSERVICE_TRACED");
    if (!path || !traced || !realpath(traced, folder)) return;
    folder_length = strlen(folder);
    trace = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* A record that is not whole would make every later one unreadable. */
static void append(uint32_t operation, uint32_t file, uint64_t position, const void *data, size_t length) {
    struct record record = {operation, file, position, length};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)data, length}};
    if (REAL(writev)(trace, parts, length ? 2 : 1) != (ssize_t)(sizeof record + length)) abort();
}

/* The path below the folder; NULL if it is elsewhere, and "" for the folder itself. */
static const char *below(const char *path, char resolved[4096]) {
    if (trace < 0) return NULL;
    if (!realpath(path, resolved)) return NULL;
    if (strncmp(resolved, folder, folder_length) != 0) return NULL;
    const char *rest = resolved + folder_length;
    if (*rest == '/') return rest + 1;
    return *rest == 0 ? rest : NULL;
}

static uint32_t number_of(int file) { return trace >= 0 && file >= 0 && file < FILES ? files[file] : 0; }

static int note_open(int file, const char *path) {
    char resolved[4096];
    if (file < 0 || file >= FILES || trace < 0) return file;
    pthread_mutex_lock(&lock);
    const char *name = below(path, resolved);
    files[file] = name ? ++opened : 0;
    if (name) append(OPEN, files[file], 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return file;
}

#define OPENS(name)                                                     \
    int name(const char *path, int flags, ...) {                        \
        va_list rest;                                                   \
        va_start(rest, flags);                                          \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                   \
        return note_open(REAL(name)(path, flags, mode), path);          \
    }
OPENS(open)
OPENS(open64)

int close(int file) {
    if (number_of(file)) {
        pthread_mutex_lock(&lock);
        files[file] = 0;
        pthread_mutex_unlock(&lock);
    }
    return REAL(close)(file);
}

/* The lock is held over the call and its record, so that records are in the order in which the file changed. */
#define WRITES(name)                                                                   \
    ssize_t name(int file, const void *data, size_t length, off_t offset) {            \
        uint32_t number = number_of(file);                                             \
        if (!number) return REAL(name)(file, data, length, offset);                    \
        pthread_mutex_lock(&lock);                                                     \
        ssize_t written = REAL(name)(file, data, length, offset);                      \
        if (written > 0) append(WRITE, number, (uint64_t)offset, data, (size_t)written); \
        pthread_mutex_unlock(&lock);                                                   \
        return written;                                                                \
    }
WRITES(pwrite)
WRITES(pwrite64)

ssize_t write(int file, const void *data, size_t length) {
    uint32_t number = number_of(file);
    if (!number) return REAL(write)(file, data, length);
    pthread_mutex_lock(&lock);
    off_t offset = lseek(file, 0, SEEK_CUR);
    ssize_t written = REAL(write)(file, data, length);
    if (written > 0) append(WRITE, number, (uint64_t)offset, data, (size_t)written);
    pthread_mutex_unlock(&lock);
    return written;
}

#define TRUNCATES(name)                                                          \
    int name(int file, off_t size) {                                             \
        uint32_t number = number_of(file);                                       \
        if (!number) return REAL(name)(file, size);                              \
        pthread_mutex_lock(&lock);                                               \
        int result = REAL(name)(file, size);                                     \
        if (result == 0) append(TRUNCATE, number, (uint64_t)size, NULL, 0);      \
        pthread_mutex_unlock(&lock);                                             \
        return result;                                                           \
    }
TRUNCATES(ftruncate)
TRUNCATES(ftruncate64)

int unlink(const char *path) {
    char resolved[4096];
    const char *name = below(path, resolved);
    if (!name) return REAL(unlink)(path);
    pthread_mutex_lock(&lock);
    int result = REAL(unlink)(path);
    if (result == 0) append(UNLINK, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return result;
}

int rename(const char *from, const char *to) {
    char resolved[4096];
    const char *name = below(from, resolved);
    if (!name) return REAL(rename)(from, to);
    pthread_mutex_lock(&lock);
    int result = REAL(rename)(from, to);
    if (result == 0) append(RENAME, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return result;
}

/* A sync covers what was written before it began, and holds from its end on. */
#define SYNCS(name)                                        \
    int name(int file) {                                   \
        uint32_t number = number_of(file);                 \
        if (!number) return REAL(name)(file);              \
        pthread_mutex_lock(&lock);                         \
        uint64_t sync = ++syncs;                           \
        append(SYNC_BEGIN, number, sync, NULL, 0);         \
        pthread_mutex_unlock(&lock);                       \
        int result = REAL(name)(file);                     \
        pthread_mutex_lock(&lock);                         \
        if (result == 0) append(SYNC_END, number, sync, NULL, 0); \
        pthread_mutex_unlock(&lock);                       \
        return result;                                     \
    }
SYNCS(fsync)
SYNCS(fdatasync)
