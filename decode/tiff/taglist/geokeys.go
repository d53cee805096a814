package taglist

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
)

// Key is a key of a GeoKeyDirectory.
type Key struct {
	Number  uint16 `json:"key"`
	Name    string `json:"name,omitempty"` // empty if it is unknown
	Value   string `json:"value"`
	Problem string `json:"problem,omitempty"` // why the value cannot be read
}

const (
	numbersPerKey = 4
	maxKeys       = 1024    // far above the hundred or so keys that the format defines
	maxKeyValues  = 2 << 16 // keys address values by 16 bits and count them by 16 bits
)

// listKeys lists the keys of a directory's GeoTIFF tags. The tag has a header of four numbers, and
// four for each key: its number, the tag with its values, how many they are, and where they begin.
func listKeys(d *ifd.Directory) []Key {
	const header = numbersPerKey
	numbers := d.Entry(tag.GeoKeys).Uints()
	if len(numbers) < header {
		return nil
	}
	names := geoKeys()
	count := min(numbers[3], uint64(len(numbers)-header)/numbersPerKey, maxKeys)
	keys := make([]Key, count)
	for i := range keys {
		entry := numbers[header+numbersPerKey*i:][:numbersPerKey]
		k := Key{Number: uint16(entry[0]), Name: names.name(ifd.Tag(entry[0]))}
		var err error
		if k.Value, err = keyValue(d, entry); err != nil {
			k.Problem = err.Error()
		}
		keys[i] = k
	}
	return keys
}

// keyValue returns the value of a key, which stands in its entry or in one of the GeoTIFF tags.
func keyValue(d *ifd.Directory, entry []uint64) (string, error) {
	t, count, first := ifd.Tag(entry[1]), entry[2], entry[3]
	if t == 0 {
		return strconv.FormatUint(first, 10), nil
	}
	e := d.Entry(t)
	if e == nil || e.Problem != nil {
		return "", fmt.Errorf("its value is in tag %d, which is missing", t)
	}
	all := uint64(len(e.Value)) / e.Type.Size()
	if first > all || count > all-first {
		return "", fmt.Errorf("its %d values begin at %d of the %d of tag %d", count, first, all, t)
	}
	size := e.Type.Size()
	part := ifd.Entry{Tag: t, Type: e.Type, Count: count, Order: e.Order, Value: e.Value[first*size : (first+count)*size]}
	if t == tag.GeoASCII {
		part.Value = []byte(strings.TrimRight(string(part.Value), "|\x00"))
		part.Count = uint64(len(part.Value))
	}
	return valueText(&part), nil
}
