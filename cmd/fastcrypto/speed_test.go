package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// parseJSON reads what -json wrote, and checks each line.
func parseJSON(t *testing.T, text []byte) []jsonRow {
	t.Helper()
	keys := []string{"op", "size", "impl", "kernel", "ns_op", "mb_s", "allocs_op", "ratio"}
	var rows []jsonRow
	for line := range bytes.Lines(text) {
		var all map[string]any
		if err := json.Unmarshal(line, &all); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if len(all) != len(keys) {
			t.Errorf("%d keys, want %d: %s", len(all), len(keys), line)
		}
		for _, k := range keys {
			if _, ok := all[k]; !ok {
				t.Errorf("no key %q: %s", k, line)
			}
		}
		var r jsonRow
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
		if r.Op == "" || r.NsOp <= 0 {
			t.Errorf("no operation or no time: %s", line)
		}
		switch r.Impl {
		case "fastcrypto":
			if _, ok := impl.ParseTier(r.Kernel); !ok {
				t.Errorf("no kernel: %s", line)
			}
			fallthrough
		case "std", "x/crypto":
			if r.AllocsOp == nil {
				t.Errorf("no allocations: %s", line)
			}
		case "openssl":
		default:
			t.Errorf("unknown implementation: %s", line)
		}
		if r.Impl != "fastcrypto" && r.Kernel != "" {
			t.Errorf("a kernel of another implementation: %s", line)
		}
		if r.MBs != nil {
			if want := throughput(r.Size, r.NsOp); math.Abs(*r.MBs-want) > want/100+0.1 {
				t.Errorf("mb_s is not the size over the time: %s", line)
			}
		}
	}
	// The ratio is to the library to compare with, which stands behind fastcrypto.
	for i, r := range rows {
		if r.Impl == "fastcrypto" && r.Ratio != nil {
			std := rows[i+1]
			if want := r.NsOp / std.NsOp; std.Op != r.Op || std.Size != r.Size || math.Abs(*r.Ratio-want) > want/50+0.001 {
				t.Errorf("ratio %v of %+v to %+v", *r.Ratio, r, std)
			}
			if *std.Ratio != 1 {
				t.Errorf("the ratio of %s to itself is %v", std.Impl, *std.Ratio)
			}
		}
	}
	return rows
}

// checkSVG checks that the text is well-formed XML with an svg element, and that
// it shows the labels.
func checkSVG(t *testing.T, text []byte, labels ...string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	var root string
	var shown strings.Builder
	paths := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if root == "" {
				root = e.Name.Local
			}
			if e.Name.Local == "path" {
				paths++
			}
		case xml.CharData:
			shown.Write(e)
		}
	}
	if root != "svg" || paths == 0 {
		t.Errorf("the root is %q, with %d paths", root, paths)
	}
	for _, l := range labels {
		if !strings.Contains(shown.String(), l) {
			t.Errorf("no label %q", l)
		}
	}
}

func TestSpeedJSON(t *testing.T) {
	status, stdout, stderr := call(t.Context(), "speed", "-time", "1ms", "-openssl", "off", "-json", "-", "-run", "^(aesgcm128/encrypt|ecdsa-p256/verify/0)$")
	if status != exitOK {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	rows := parseJSON(t, []byte(stdout))
	if len(rows) != 2*len(sizes)+2 {
		t.Fatalf("%d rows:\n%s", len(rows), stdout)
	}
	for i, r := range rows[:2*len(sizes)] {
		want := []string{"fastcrypto", "std"}[i%2]
		if r.Op != "aesgcm128/encrypt" || r.Size != sizes[i/2] || r.Impl != want || r.MBs == nil || *r.AllocsOp != 0 {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if r := rows[len(rows)-2]; r.Op != "ecdsa-p256/verify" || r.Size != 0 || r.MBs != nil {
		t.Errorf("the last operation: %+v", r)
	}
	// The table goes to the standard error.
	if !strings.Contains(stderr, "AES-128-GCM") || !strings.Contains(stderr, "ratio    time divided by std's") || !strings.Contains(stderr, "openssl: switched off") {
		t.Errorf("stderr is %q", stderr)
	}
}

func TestSpeedTable(t *testing.T) {
	status, stdout, stderr := call(t.Context(), "speed", "-time", "1ms", "-openssl", "off", "-run", "/1350$")
	if status != exitOK || stderr != "" {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	if !strings.HasPrefix(stdout, model()) {
		t.Errorf("the table does not begin with the processor: %q", stdout)
	}
	gcm, chacha := strings.Index(stdout, "aesgcm128/encrypt"), strings.Index(stdout, "chacha20poly1305/encrypt")
	if gcm < 0 || chacha < gcm {
		t.Errorf("AES-GCM does not come first:\n%s", stdout)
	}
	if strings.Contains(stdout, "\x1b") {
		t.Error("colours in what is no terminal")
	}
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, " aesgcm128/encrypt") {
			if f := strings.Fields(line); len(f) != 12 || f[1] != "1350" || f[2] != "B" || f[3] != impl.GCM.Tier().String() {
				t.Errorf("line %q", line)
			}
		}
	}
}

func TestSpeedSVG(t *testing.T) {
	file := filepath.Join(t.TempDir(), "speed.svg")
	status, _, stderr := call(t.Context(), "speed", "-time", "1ms", "-openssl", "off", "-svg", file, "-run", "^aesgcm128/(en|de)crypt$|^poly|p256/verify$")
	if status != exitOK {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, text, "aesgcm128/encrypt", "aesgcm128/decrypt", "poly1305/updateBytes", "fastcrypto", "std", "x/crypto", "1 MiB", "GB/s", model())
	if bytes.Contains(text, []byte("p256")) {
		t.Error("signatures have no throughput")
	}

	status, _, stderr = call(t.Context(), "speed", "-time", "1ms", "-openssl", "off", "-svg", file, "-run", "p256/verify$")
	if status != exitFailure || !strings.Contains(stderr, errNothingToPlot.Error()) {
		t.Errorf("nothing to plot: exit status %d, %q", status, stderr)
	}
}

// TestSpeedKernel forces each tier of each primitive, and looks at the column and
// at what serves while the operation runs.
func TestSpeedKernel(t *testing.T) {
	for _, p := range impl.Primitives() {
		before := p.Tier()
		for _, tier := range p.Supported() {
			t.Run(p.Name()+"/"+tier.String(), func(t *testing.T) {
				var during []impl.Tier
				o := &operation{name: "probe", size: 1, bulk: true, primitives: []*impl.Primitive{p},
					setup: func(kernel string) ([]contender, error) {
						during = append(during, p.Tier())
						run := func(n int) {
							during = append(during, p.Tier())
							time.Sleep(time.Duration(n) * time.Microsecond)
						}
						return []contender{{"fastcrypto", kernel, run}, {"std", "", run}}, nil
					}}
				var table, lines bytes.Buffer
				s := &speed{flags: speedFlags{time: time.Millisecond, kernel: &tier, openssl: "off"}, ops: []*operation{o},
					table: &table, json: &lines, progress: newProgress(io.Discard, 1), stderr: io.Discard}
				if err := s.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if len(during) < 5 {
					t.Fatalf("%d calls", len(during))
				}
				for _, got := range during {
					if got != tier {
						t.Fatalf("tier %v serves, want %v", got, tier)
					}
				}
				if rows := parseJSON(t, lines.Bytes()); rows[0].Kernel != tier.String() {
					t.Errorf("the kernel column says %q", rows[0].Kernel)
				}
				if after := p.Tier(); after != before {
					t.Errorf("after the run tier %v serves, before it %v", after, before)
				}
			})
		}
	}
}

// TestSpeedKernelFlag does the same through the command.
func TestSpeedKernelFlag(t *testing.T) {
	for _, tier := range impl.GCM.Supported() {
		status, stdout, stderr := call(t.Context(), "speed", "-time", "1ms", "-openssl", "off", "-json", "-", "-kernel", tier.String(), "-run", "crypt/16384$|p256/verify/0")
		if status != exitOK {
			t.Fatalf("exit status %d: %s", status, stderr)
		}
		gcm, others := 0, 0
		for _, r := range parseJSON(t, []byte(stdout)) {
			if r.Impl != "fastcrypto" {
				continue
			}
			if r.Kernel != tier.String() {
				t.Errorf("-kernel %s measures %+v", tier, r)
			}
			if strings.HasPrefix(r.Op, "aesgcm") {
				gcm++
			} else {
				others++
			}
		}
		if gcm == 0 || tier == impl.Generic && others == 0 {
			t.Errorf("-kernel %s: %d rows of AES-GCM, %d others", tier, gcm, others)
		}
	}
}

// TestForce checks which of an operation's primitives gets the tier.
func TestForce(t *testing.T) {
	o := &operation{name: "probe", primitives: []*impl.Primitive{impl.P256Batch, impl.P256}}
	for _, tier := range append(impl.P256Batch.Supported(), impl.P256.Supported()...) {
		batch, single := impl.P256Batch.Tier(), impl.P256.Tier()
		restore, err := o.force(tier)
		if err != nil {
			t.Fatal(err)
		}
		if o.kernel() != tier.String() {
			t.Errorf("forced %v, but %s serves", tier, o.kernel())
		}
		restore()
		if impl.P256Batch.Tier() != batch || impl.P256.Tier() != single {
			t.Errorf("%v was not restored", tier)
		}
	}
	batch := impl.P256Batch.Tier()
	if _, err := o.force(impl.SSSE3); err == nil {
		t.Error("P-256 has no tier ssse3")
	}
	if impl.P256Batch.Tier() != batch {
		t.Error("a failed force was not undone")
	}
}

func TestOperations(t *testing.T) {
	seen := map[string]bool{}
	groups := map[string]bool{}
	last := ""
	for i, o := range operations() {
		if seen[o.path()] {
			t.Errorf("%s is there twice", o.path())
		}
		seen[o.path()] = true
		if o.group != last {
			if groups[o.group] {
				t.Errorf("the rows of group %s do not stand together", o.group)
			}
			groups[o.group], last = true, o.group
		}
		if o.bulk != (o.size > 0 && !strings.HasPrefix(o.name, "ecdsa")) {
			t.Errorf("%s: bulk is %v", o.path(), o.bulk)
		}
		if i == 0 && o.path() != "aesgcm128/encrypt/16" {
			t.Errorf("the first operation is %s", o.path())
		}
	}
	for _, path := range []string{
		"aesgcm128/encrypt/1048576", "aesgcm128/decrypt/1350", "aesgcm192/encrypt/16384", "aesgcm256/decrypt/64",
		"aesgcm128/encryptMultiPart/65536", "aesgcm256/decryptMultiPart/65536", "chacha20poly1305/encrypt/1350",
		"chacha20poly1305/decrypt/16384", "xchacha20poly1305/encrypt/1350", "poly1305/updateBytes/1024",
		"ecdsa-p256/sign/0", "ecdsa-p256/sign/1024", "ecdsa-p256/sign/16384", "ecdsa-p256/verify/16384",
		"ecdsa-p256/verify-prepared/0", "ecdsa-p256/sign-batch/0", "ecdsa-p256/verify-batch/0",
		"ecdsa-p256/sign-concurrent/0", "ecdh-p256/generateSecret/0", "ecdh-p256/generateKey/0", "ecdh-p256/batch/0", "p256/multiply/0", "p256/multiply-batch/0",
	} {
		if !seen[path] {
			t.Errorf("%s is missing", path)
		}
	}
	status, stdout, _ := call(t.Context(), "speed", "-list", "-kernel", "generic", "-run", "^aesctr")
	if status != exitOK || stdout != "aesctr128/encrypt/64\naesctr128/encrypt/1350\naesctr128/encrypt/16384\naesctr256/encrypt/64\naesctr256/encrypt/1350\naesctr256/encrypt/16384\n" {
		t.Errorf("-list: exit status %d, %q", status, stdout)
	}
}

// cancelAfter cancels after a number of lines.
type cancelAfter struct {
	bytes.Buffer
	lines  int
	cancel func()
}

func (c *cancelAfter) Write(p []byte) (int, error) {
	n, err := c.Buffer.Write(p)
	if bytes.Count(c.Bytes(), []byte("\n")) >= c.lines {
		c.cancel()
	}
	return n, err
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	svg := filepath.Join(t.TempDir(), "speed.svg")
	stdout := &cancelAfter{lines: 6, cancel: cancel} // three operations
	var stderr bytes.Buffer
	status := run(ctx, []string{"speed", "-time", "1ms", "-openssl", "off", "-json", "-", "-svg", svg}, stdout, &stderr)
	if status != exitInterrupted {
		t.Errorf("exit status %d, want %d", status, exitInterrupted)
	}
	if rows := parseJSON(t, stdout.Bytes()); len(rows) != 6 {
		t.Errorf("%d rows, want 6", len(rows))
	}
	if n := strings.Count(stderr.String(), " aesgcm128/encrypt "); n != 3 {
		t.Errorf("the table has %d rows, want 3:\n%s", n, stderr.String())
	}
	if !strings.Contains(stderr.String(), "interrupted after 3 of ") {
		t.Errorf("stderr is %q", stderr.String())
	}
	text, err := os.ReadFile(svg)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, text, "aesgcm128/encrypt")

	// Before anything is measured.
	cancel()
	status, out, _ := call(ctx, "speed", "-time", "1ms", "-openssl", "off")
	if status != exitInterrupted || strings.Contains(out, "aesgcm") {
		t.Errorf("exit status %d, %q", status, out)
	}
}

func TestMeasure(t *testing.T) {
	var calls []string
	probe := func(name string, one func()) contender {
		return contender{impl: name, kernel: name, run: func(n int) {
			calls = append(calls, name)
			for range n {
				one()
			}
		}}
	}
	var sink []byte
	a := probe("a", func() { time.Sleep(40 * time.Microsecond) })
	b := probe("b", func() {
		for range 6 {
			sink = make([]byte, 4096)
		}
		time.Sleep(400 * time.Microsecond)
	})
	_ = sink
	samples := measure(t.Context(), []contender{a, b}, 5*time.Millisecond, 2)
	if len(samples) != 2 || samples[0].impl != "a" || samples[1].kernel != "b" {
		t.Fatalf("%+v", samples)
	}
	// Sleeping takes at least its time; each call does two operations.
	if samples[0].ns < 20e3 || samples[1].ns < 200e3 {
		t.Errorf("%v and %v ns, want at least 20 and 200 µs", samples[0].ns, samples[1].ns)
	}
	if samples[1].allocs < 3 || samples[1].allocs > 6 || samples[0].allocs > 1 {
		t.Errorf("%v and %v allocations, want 0 and 3", samples[0].allocs, samples[1].allocs)
	}
	// The rounds alternate, and there are enough of them.
	tail := calls[len(calls)-2*leastRounds:]
	for i, name := range tail {
		if name != []string{"a", "b"}[i%2] {
			t.Errorf("the rounds are %v", tail)
			break
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if samples := measure(ctx, []contender{a, b}, time.Millisecond, 1); samples != nil {
		t.Errorf("%+v after the end", samples)
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, 3)
	o := operations()[0]
	p.show(0, o, nil)
	p.clear()
	if b.Len() > 0 {
		t.Errorf("%q in what is no terminal", b.Bytes())
	}
	p = &progress{w: &b, width: 40, total: 3, began: time.Now()}
	p.show(1, o, []row{{op: o, fast: sample{ns: 10}, std: sample{impl: "std", ns: 20}}})
	line := strings.TrimSuffix(strings.TrimPrefix(b.String(), "\r"), "\x1b[K")
	if !strings.HasPrefix(line, "2/3 aesgcm128/encrypt 16 B") || len([]rune(line)) != 39 {
		t.Errorf("%q", line)
	}
	b.Reset()
	p.clear()
	if b.String() != "\r\x1b[K" {
		t.Errorf("%q", b.Bytes())
	}
}

func TestTicks(t *testing.T) {
	for most, want := range map[float64]string{0.9: "0 0.2 0.4 0.6 0.8", 1: "0 0.2 0.4 0.6 0.8 1", 2.7: "0 0.5 1 1.5 2 2.5", 33: "0 10 20 30", 0.045: "0 0.01 0.02 0.03 0.04"} {
		var labels []string
		for _, tick := range rateTicks(most) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != want {
			t.Errorf("to %v: %s, want %s", most, got, want)
		}
	}
	var rows []row
	for _, size := range sizes {
		rows = append(rows, row{op: &operation{size: size}})
	}
	var labels []string
	for _, tick := range sizeTicks(rows) {
		labels = append(labels, tick.Label)
	}
	if got := strings.Join(labels, "|"); got != "16 B|64 B|256 B|1350 B|8 KiB||1 MiB" {
		t.Error(got)
	}
}

func TestNumbers(t *testing.T) {
	for ns, want := range map[float64]string{1.26: "1.3 ns", 99.94: "99.9 ns", 1234: "1234 ns", 12345: "12.3 µs", 12e6: "12.0 ms"} {
		if got := duration(ns); got != want {
			t.Errorf("duration(%v) = %q, want %q", ns, got, want)
		}
	}
	for size, want := range map[int]string{0: "", 16: "16 B", 1350: "1350 B", 16384: "16 KiB", 1 << 20: "1 MiB"} {
		if got := sizeName(size); got != want {
			t.Errorf("sizeName(%d) = %q, want %q", size, got, want)
		}
	}
	o := &operation{size: 1000, bulk: true}
	if got := rate(o, 1000); got != "1.00 GB/s" {
		t.Error(got)
	}
	if got := rate(o, 2000); got != "500 MB/s" {
		t.Error(got)
	}
	if got := rate(&operation{}, 20000); got != "50000 op/s" {
		t.Error(got)
	}
}
