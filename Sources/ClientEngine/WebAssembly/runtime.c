// What Embedded Swift needs from a C library, in WebAssembly: memory and a few functions.

typedef __SIZE_TYPE__ size_t;

// Memory is taken in blocks of 2^n bytes. A free block is in the list of its size. A block has its n before it.
enum { smallest = 5, largest = 31, header = 16 };

struct block {
    struct block *next;
};

extern unsigned char __heap_base;
static struct block *lists[largest];
static size_t top;

static unsigned exponent_for(size_t bytes) {
    unsigned exponent = smallest;
    while (exponent < largest && ((size_t)1 << exponent) < bytes) exponent++;
    return exponent;
}

// Takes new memory, which grows by pages of 64 KiB.
static void *grow(size_t bytes) {
    if (top == 0) top = ((size_t)&__heap_base + 15) & ~(size_t)15;
    size_t end = top + bytes;
    size_t present = (size_t)__builtin_wasm_memory_size(0) << 16;
    if (end < top) return 0;
    if (end > present && __builtin_wasm_memory_grow(0, (end - present + 0xFFFF) >> 16) == (size_t)-1) return 0;
    void *start = (void *)top;
    top = end;
    return start;
}

int posix_memalign(void **result, size_t alignment, size_t bytes) {
    unsigned exponent = exponent_for(bytes + header);
    if (alignment > header || bytes + header < bytes || exponent >= largest) return 12;
    unsigned char *start;
    if (lists[exponent]) {
        start = (unsigned char *)lists[exponent];
        lists[exponent] = lists[exponent]->next;
    } else {
        start = grow((size_t)1 << exponent);
        if (!start) return 12;
    }
    *(unsigned *)start = exponent;
    *result = start + header;
    return 0;
}

void free(void *pointer) {
    if (!pointer) return;
    unsigned char *start = (unsigned char *)pointer - header;
    unsigned exponent = *(unsigned *)start;
    struct block *block = (struct block *)start;
    block->next = lists[exponent];
    lists[exponent] = block;
}

void *memcpy(void *restrict target, const void *restrict source, size_t count) {
    return __builtin_memcpy(target, source, count);
}

void *memmove(void *target, const void *source, size_t count) {
    return __builtin_memmove(target, source, count);
}

void *memset(void *target, int byte, size_t count) {
    return __builtin_memset(target, byte, count);
}

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    for (size_t index = 0; index < count; index++) {
        if (a[index] != b[index]) return a[index] - b[index];
    }
    return 0;
}

// To the nearest integer, and away from zero between two.
double round(double number) {
    double whole = __builtin_trunc(number);
    double rest = __builtin_fabs(number - whole);
    return rest >= 0.5 ? whole + __builtin_copysign(1, number) : whole;
}

// The engine has no random numbers; the seed of its hash tables may be constant.
void arc4random_buf(void *bytes, size_t count) {
    __builtin_memset(bytes, 0, count);
}
