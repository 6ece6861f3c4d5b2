/* A ring buffer of bytes, for one reader and one writer. */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

#define RING_SMALLEST 64
#define RING_LARGEST (1 << 20)
#define RING_DEFAULT 4096
#define RING_NAME_MAX 31

struct ring {
    unsigned char *bytes;
    size_t size;
    size_t head;
    size_t tail;
    /* Set once and never cleared: readers drain what is left. */
    bool closed;
    char name[RING_NAME_MAX + 1];
};

static const char *const messages[] = {
    [RING_OK] = "no error",
    [RING_FULL] = "the ring is full",
    [RING_EMPTY] = "the ring is empty",
    [RING_CLOSED] = "the ring is closed",
    [RING_NO_MEMORY] = "out of memory",
};

struct ring *ring_new(const char *name, size_t size)
{
    struct ring *ring;

    if (size < RING_SMALLEST || size > RING_LARGEST) {
        errno = EINVAL;
        return NULL;
    }
    ring = calloc(1, sizeof(*ring));
    if (ring == NULL)
        return NULL;
    ring->bytes = malloc(size);
    if (ring->bytes == NULL) {
        free(ring);
        return NULL;
    }
    ring->size = size;
    /* One byte stays free, so that full and empty differ. */
    ring->head = 0;
    ring->tail = 0;
    strncpy(ring->name, name, RING_NAME_MAX);
    return ring;
}

void ring_free(struct ring *ring)
{
    if (ring == NULL)
        return;
    free(ring->bytes);
    free(ring);
}

size_t ring_used(const struct ring *ring)
{
    return (ring->head + ring->size - ring->tail) % ring->size;
}

size_t ring_left(const struct ring *ring)
{
    return ring->size - 1 - ring_used(ring);
}

int ring_write(struct ring *ring, const unsigned char *data, size_t length)
{
    size_t until_end;

    if (ring->closed)
        return RING_CLOSED;
    if (length > ring_left(ring))
        return RING_FULL;
    until_end = ring->size - ring->head;
    if (length <= until_end) {
        memcpy(ring->bytes + ring->head, data, length);
    } else {
        memcpy(ring->bytes + ring->head, data, until_end);
        memcpy(ring->bytes, data + until_end, length - until_end);
    }
    ring->head = (ring->head + length) % ring->size;
    return RING_OK;
}

int ring_read(struct ring *ring, unsigned char *data, size_t length)
{
    size_t until_end;

    /* What was written before the end can still be read. */
    if (ring_used(ring) < length)
        return ring->closed ? RING_CLOSED : RING_EMPTY;
    until_end = ring->size - ring->tail;
    if (length <= until_end) {
        memcpy(data, ring->bytes + ring->tail, length);
    } else {
        memcpy(data, ring->bytes + ring->tail, until_end);
        memcpy(data + until_end, ring->bytes, length - until_end);
    }
    ring->tail = (ring->tail + length) % ring->size;
    return RING_OK;
}

void ring_close(struct ring *ring)
{
    ring->closed = true;
}

const char *ring_message(int code)
{
    if (code < RING_OK || code > RING_NO_MEMORY)
        return "unknown";
    return messages[code];
}

void ring_dump(const struct ring *ring, void (*print)(const char *format, ...), unsigned int most, int flags)
{
    print("%s: %zu of %zu bytes (flags %x)\n", ring->name, ring_used(ring), ring->size - 1, flags);
    for (size_t n = 0; n < ring_used(ring) && n < most; n++)
        print("%02x ", ring->bytes[(ring->tail + n) % ring->size]);
}
