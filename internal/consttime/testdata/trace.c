// trace is a plugin of QEMU's user mode (plugin interface version 1, of QEMU 7.2, or
// with -DINTERFACE=2 version 2, of QEMU 9.0: what is used is the same). It observes the functions of an emulated Go program that a list names, and
// writes, for each region between two marker functions, a hash over the addresses of
// all instructions of those functions that ran, and of all memory that they touched,
// in order.
//
// Arguments: list=FILE, out=FILE. The list has a line "KIND LO HI" for each range of
// addresses, in hexadecimal, HI being the one past the end, in ascending order:
//
//   k  a kernel: observed; the functions entered and the bytes never executed are told
//   g  a function in Go: observed
//   c  a library function: observed where called from one that is observed
//   t  not observed, but memory that it touches between regions counts as known
//   b  the marker that begins a region
//   e  the marker that ends it
//   f  the marker that has memory count as never touched
//   m  what a function's prologue calls to grow the stack or to yield
//   d  static data: not code
//
// The output has a line "region INSTRUCTIONS HASH ENTERED,…" for each region, with the
// numbers of the kernels entered, and at the end a line "missed NUMBER LO-HI,…" for
// each kernel, with what never ran, as offsets. A kernel's number is its place among
// the ranges of kind k.
//
// Memory that the region is the first to touch was allocated in it, and has another
// address each time, since the program collects no garbage. It is numbered, in units
// of 8 bytes, by order of first touch, and the number stands for the address. All
// other memory counts with its address. An access to memory that an earlier region
// did not touch at the same place of the program is thus seen as a difference too.
//
// Only the program's first thread is observed.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used of the interface, so that no header is needed.
typedef uint64_t plugin_id;
typedef uint32_t mem_info;
struct tb;
struct qinsn;
enum { NO_REGS = 0, MEM_RW = 3 };
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct tb *));
size_t qemu_plugin_tb_n_insns(const struct tb *);
uint64_t qemu_plugin_tb_vaddr(const struct tb *);
struct qinsn *qemu_plugin_tb_get_insn(const struct tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qinsn *);
size_t qemu_plugin_insn_size(const struct qinsn *);
void qemu_plugin_register_vcpu_tb_exec_cb(struct tb *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qinsn *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_mem_cb(struct qinsn *, void (*)(unsigned, mem_info, uint64_t, void *), int, int, void *);
unsigned qemu_plugin_mem_size_shift(mem_info);
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);

#define EXPORT __attribute__((visibility("default")))
#ifndef INTERFACE
#define INTERFACE 1
#endif
EXPORT int qemu_plugin_version = INTERFACE;

static void fail(const char *why) {
    fprintf(stderr, "trace plugin: %s\n", why);
    exit(2);
}

static void *zeroed(size_t n) {
    void *p = calloc(n ? n : 1, 1);
    if (!p) fail("out of memory");
    return p;
}

// --- the ranges

struct range {
    uint64_t lo, hi;
    char kind;
    int number;       // of a kernel
    uint64_t entered; // the last region that entered the kernel
    uint8_t *ran;     // for each byte of a kernel, whether it was executed
};

static struct range *ranges;
static size_t count, kernels;

static void read_list(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) fail("cannot read the list");
    size_t room = 0;
    struct range r = {0};
    while (fscanf(f, " %c %" SCNx64 " %" SCNx64, &r.kind, &r.lo, &r.hi) == 3) {
        if (count == room && !(ranges = realloc(ranges, (room = 2 * room + 64) * sizeof r))) fail("out of memory");
        if (count > 0 && r.lo < ranges[count - 1].hi) fail("the list is not in ascending order");
        if (r.kind == 'k') {
            r.number = kernels++;
            r.ran = zeroed(r.hi - r.lo);
        }
        ranges[count++] = r;
    }
    fclose(f);
}

static struct range *find(uint64_t address) {
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (ranges[mid].hi <= address) lo = mid + 1;
        else hi = mid;
    }
    return lo < count && ranges[lo].lo <= address ? &ranges[lo] : NULL;
}

// --- the memory that was touched

// A unit is 8 bytes of memory: the region that touched it first, and its number there.
struct unit {
    uint64_t address; // divided by 8, plus 1; 0 is a free place
    uint64_t region, number;
};

static struct unit *units;
static size_t units_room, units_used;

static struct unit *place(uint64_t key) {
    size_t mask = units_room - 1, i = (key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & mask;
    while (units[i].address && units[i].address != key) i = (i + 1) & mask;
    return &units[i];
}

static void grow(void) {
    struct unit *old = units;
    size_t n = units_room;
    units_room = n ? 2 * n : 1 << 16;
    units = zeroed(units_room * sizeof *units);
    for (size_t i = 0; i < n; i++)
        if (old[i].address) *place(old[i].address) = old[i];
    free(old);
}

// --- the state of the first thread

// What the call in a prologue takes back: the function will run again from its start.
struct trace {
    uint64_t instructions, hash;
};

static struct trace now, at_entry;
static struct range *entry, *again; // the last function entered; the one to run again
static uint64_t region;             // counted from 1
static uint64_t fresh;              // units first touched in it
static int active, outside = 1;
static FILE *out;

static void mix(uint64_t x) {
    uint64_t h = (now.hash ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    now.hash = h ^ h >> 29;
}

// An instruction as the callbacks get it.
struct instruction {
    uint64_t pc;
    size_t size;
    struct range *range;
    int ran;
};

static void executed(unsigned vcpu, void *data) {
    struct instruction *i = data;
    if (vcpu != 0) return;
    if (again ? i->pc != again->lo : i->range->kind == 'c' && outside) return;
    outside = 0;
    if (!active) return;
    if (i->pc == i->range->lo) {
        at_entry = now;
        entry = i->range;
        again = NULL;
        if (i->range->kind == 'k') i->range->entered = region;
    }
    now.instructions++;
    mix(i->pc);
    if (!i->ran && i->range->kind == 'k') {
        memset(i->range->ran + (i->pc - i->range->lo), 1, i->size);
        i->ran = 1;
    }
}

// touch returns what stands for the address in the hash.
static uint64_t touch(uint64_t address, uint64_t size) {
    struct range *r = find(address);
    if (r && r->kind == 'd') return address;
    if (2 * (units_used + 64) >= units_room) grow();
    struct unit *u = NULL;
    for (uint64_t last = (address + size - 1) / 8, i = last + 1; i-- > address / 8;) {
        u = place(i + 1);
        if (u->address) continue;
        *u = (struct unit){i + 1, region, fresh++};
        units_used++;
    }
    if (active && u->region == region) return u->number * 8 + address % 8;
    return address;
}

static void touched(unsigned vcpu, mem_info info, uint64_t address, void *data) {
    struct instruction *i = data;
    if (vcpu != 0) return;
    uint64_t size = UINT64_C(1) << qemu_plugin_mem_size_shift(info);
    if (i->range->kind == 't') {
        if (!active) touch(address, size);
        return;
    }
    // Some versions of QEMU go on reporting accesses for a while after an instruction.
    if (outside) return;
    uint64_t token = touch(address, size);
    if (active) mix(token + (UINT64_C(1) << 63));
}

static void left(unsigned vcpu, void *data) {
    if (vcpu == 0) outside = 1;
}

static void forgotten(unsigned vcpu, void *data) {
    if (vcpu != 0) return;
    memset(units, 0, units_room * sizeof *units);
    units_used = 0;
}

static void yielded(unsigned vcpu, void *data) {
    if (vcpu != 0) return;
    if (active && !outside) {
        now = at_entry;
        again = entry;
    }
    outside = 1;
}

static void begun(unsigned vcpu, void *data) {
    if (vcpu != 0) return;
    region++;
    active = 1;
    outside = 1;
    now = at_entry = (struct trace){0};
    entry = again = NULL;
    fresh = 0;
}

static void ended(unsigned vcpu, void *data) {
    if (vcpu != 0) return;
    if (!active) fail("a region ends that did not begin");
    active = 0;
    outside = 1;
    fprintf(out, "region %" PRIu64 " %016" PRIx64 " ", now.instructions, now.hash);
    const char *separator = "";
    for (size_t i = 0; i < count; i++)
        if (ranges[i].kind == 'k' && ranges[i].entered == region) {
            fprintf(out, "%s%d", separator, ranges[i].number);
            separator = ",";
        }
    fprintf(out, "\n");
}

static void translated(plugin_id id, struct tb *block) {
    size_t n = qemu_plugin_tb_n_insns(block), observed = 0;
    for (size_t j = 0; j < n; j++) {
        struct qinsn *insn = qemu_plugin_tb_get_insn(block, j);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        struct range *r = find(pc);
        if (!r) continue;
        switch (r->kind) {
        case 'b':
        case 'e':
            if (pc == r->lo)
                qemu_plugin_register_vcpu_insn_exec_cb(insn, r->kind == 'b' ? begun : ended, NO_REGS, NULL);
            observed++;
            continue;
        case 'f':
            if (pc == r->lo) qemu_plugin_register_vcpu_insn_exec_cb(insn, forgotten, NO_REGS, NULL);
            observed++;
            continue;
        case 'm':
            qemu_plugin_register_vcpu_insn_exec_cb(insn, yielded, NO_REGS, NULL);
            observed++;
            continue;
        case 'd':
            continue;
        }
        struct instruction *i = zeroed(sizeof *i);
        *i = (struct instruction){pc, qemu_plugin_insn_size(insn), r, 0};
        if (r->kind != 't') {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, NO_REGS, i);
            observed++;
        }
        qemu_plugin_register_vcpu_mem_cb(insn, touched, NO_REGS, MEM_RW, i);
    }
    if (!observed) qemu_plugin_register_vcpu_tb_exec_cb(block, left, NO_REGS, NULL);
}

static void finished(plugin_id id, void *data) {
    for (size_t i = 0; i < count; i++) {
        struct range *r = &ranges[i];
        if (r->kind != 'k') continue;
        fprintf(out, "missed %d ", r->number);
        const char *separator = "";
        for (uint64_t j = 0, size = r->hi - r->lo; j < size; j++) {
            if (r->ran[j]) continue;
            uint64_t from = j;
            while (j < size && !r->ran[j]) j++;
            fprintf(out, "%s%" PRIx64 "-%" PRIx64, separator, from, j);
            separator = ",";
        }
        fprintf(out, "\n");
    }
    if (fclose(out)) fail("cannot write the output");
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "list=", 5)) read_list(argv[i] + 5);
        if (!strncmp(argv[i], "out=", 4)) out = fopen(argv[i] + 4, "w");
    }
    if (!count || !out) fail("needs list=FILE and out=FILE");
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
