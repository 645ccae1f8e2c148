// Package hostile has tests that run every primitive, on every tier, where assembly
// tends to break: with the garbage collector and the scheduler at their busiest, with
// signals arriving all the time, with little stack left, profiled, traced, and built as
// a plugin, a shared library or a position-independent program. What is not a test is
// imported by the programs under testdata that tests build.
package hostile
