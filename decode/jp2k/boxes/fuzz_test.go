package boxes

import (
	"runtime"
	"slices"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
)

// FuzzBoxes reads arbitrary bytes as a container, and checks the memory it takes.
func FuzzBoxes(f *testing.F) {
	f.Add(boxestest.FakeCodestream())
	f.Add(boxestest.File(rgb(), boxestest.LastBox("jp2c", boxestest.FakeCodestream())))
	f.Add(boxestest.File(boxestest.Header(
		boxestest.ImageHeader(5, 3, 1, 0), boxestest.Box("bpcc", []byte{7}),
		boxestest.ProfiledColor(2, 1, boxestest.Profile("RGB ", 4, "x")), boxestest.ProfiledColor(3, 0, boxestest.Profile("GRAY", 2, "y")), boxestest.EnumeratedColor(14, 1, 2, 3, 4, 5, 6, 7),
		boxestest.Palette([]byte{1, 2, 3}, []byte{4, 5, 6}), boxestest.Mapping([3]int{0, 1, 0}, [3]int{0, 1, 2}),
		boxestest.ChannelDefinitions([3]int{0, 0, 2}, [3]int{1, 1, 0}), boxestest.Box("res ", boxestest.Resolution("resd", [3]int{1, 2, 3}, [3]int{4, 5, 6})),
	), boxestest.LongBox("jp2c", boxestest.FakeCodestream()), boxestest.GML("<a/>"), boxestest.UUID(string(WorldFile), make([]byte, 70)), boxestest.XML("<b/>")))
	f.Fuzz(func(t *testing.T, file []byte) {
		limits := Limits{Boxes: 64, HeaderBytes: 64 << 10, DataBytes: 64 << 10, TotalBytes: 256 << 10}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := Read(&boxestest.Bytes{Content: file}, limits)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
			t.Fatalf("%d MiB were allocated", grown>>20)
		}
		if err != nil {
			return
		}
		if e := c.Codestream; e.Offset < 0 || e.Length < 4 || e.Offset+e.Length > int64(len(file)) || !isCodestream(file[e.Offset:]) {
			t.Fatalf("the codestream is at %v", e)
		}
		c.WorldFile()
		c.Text("gml.root-instance")
		for _, count := range []int{0, 1, 4} {
			checkChannels(t, c, make([]BitDepth, count))
		}
	})
}

// checkChannels checks that channels exist, and that no channel and no color occurs twice.
func checkChannels(t *testing.T, c *Container, components []BitDepth) {
	channels, _ := c.Channels(components)
	var numbers, colors []int
	for _, channel := range channels {
		if channel.Component >= len(components) || channel.Column != Direct && channel.Column >= len(c.Palette.Columns) {
			t.Fatalf("a channel of %+v", channel)
		}
		numbers = append(numbers, channel.Number)
		if channel.Meaning == Color && slices.Contains(colors, channel.Color) {
			t.Fatalf("two channels are color %d", channel.Color)
		}
		if channel.Meaning == Color {
			colors = append(colors, channel.Color)
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if i != n {
			t.Fatalf("the channels are %v", numbers)
		}
	}
}
