//go:build !purego

package lzw

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// TestAssemblyIsAsGo decodes random codes with both twins. Most codes are defined; some end the
// run.
func TestAssemblyIsAsGo(t *testing.T) {
	processor.Require(t, cpu.Has.BMI2, "BMI2")
	random := rand.New(rand.NewPCG(5, 6))
	ended := map[bool]int{}
	for range 2000 {
		var inGo, inAssembly table
		inGo.begin()
		for range 1 + random.IntN(200) {
			known := random.IntN(min(inGo.next+1, clearCode))
			inGo.add(known, 3*inGo.next)
		}
		inAssembly = inGo
		packer := bitPacker{highestFirst: true}
		after := random.IntN(8)
		for range after {
			packer.add(0, 1)
		}
		width := uint(9 + random.IntN(4))
		codes := 4 * (1 + random.IntN(12))
		for i := range codes {
			code := random.IntN(inGo.next + i)
			for code == clearCode || code == endCode {
				code = random.IntN(clearCode)
			}
			if random.IntN(60) == 0 {
				code = random.IntN(1 << width)
			}
			packer.add(code%(1<<width), int(width))
		}
		src := append(packer.out, make([]byte, 2*wordBytes)...)
		want, got := make([]byte, 8*codes+100), make([]byte, 8*codes+100)
		reader := codeReader{src: src, bit: after, highestFirst: true, early: 1}
		from, end := 1+random.IntN(50), inGo.next+codes
		wantEnd := writeShortRunInGo(&inGo, want, from, &reader, width, end)
		gotEnd := writeShortBMI2(&inAssembly, &got[0], from, &src[0], after, width, end)
		if gotEnd != wantEnd || inAssembly != inGo || !bytes.Equal(got, want) {
			t.Fatalf("%d codes of %d bits: got %d bytes and %d strings, want %d and %d",
				codes, width, gotEnd, inAssembly.next, wantEnd, inGo.next)
		}
		ended[inGo.next == end]++
	}
	if ended[true] < 100 || ended[false] < 100 {
		t.Errorf("runs that went to their end, or not: %v", ended)
	}
}
