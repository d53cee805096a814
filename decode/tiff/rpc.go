package tiff

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RPC is the rational polynomial camera model of a satellite image. It maps longitude, latitude and
// height to line and sample.
type RPC struct {
	From string // "tag", or the name of the side file

	LineOffset, SampleOffset, LatitudeOffset, LongitudeOffset, HeightOffset float64
	LineScale, SampleScale, LatitudeScale, LongitudeScale, HeightScale      float64

	LineNumerator, LineDenominator, SampleNumerator, SampleDenominator [20]float64
}

// rpcField is a number of an RPC and its names in the formats: its index in the tag, its name in
// NAME_RPC.TXT, and its name in NAME.RPB.
type rpcField struct {
	target *float64
	index  int
	text   string
	rpb    string
}

func (r *RPC) fields() []rpcField {
	fields := []rpcField{
		{&r.LineOffset, 2, "LINE_OFF", "lineOffset"}, {&r.SampleOffset, 3, "SAMP_OFF", "sampOffset"},
		{&r.LatitudeOffset, 4, "LAT_OFF", "latOffset"}, {&r.LongitudeOffset, 5, "LONG_OFF", "longOffset"},
		{&r.HeightOffset, 6, "HEIGHT_OFF", "heightOffset"},
		{&r.LineScale, 7, "LINE_SCALE", "lineScale"}, {&r.SampleScale, 8, "SAMP_SCALE", "sampScale"},
		{&r.LatitudeScale, 9, "LAT_SCALE", "latScale"}, {&r.LongitudeScale, 10, "LONG_SCALE", "longScale"},
		{&r.HeightScale, 11, "HEIGHT_SCALE", "heightScale"},
	}
	for _, c := range []struct {
		values *[20]float64
		place  int
		text   string
		rpb    string
	}{
		{&r.LineNumerator, 12, "LINE_NUM_COEFF", "lineNumCoef"}, {&r.LineDenominator, 32, "LINE_DEN_COEFF", "lineDenCoef"},
		{&r.SampleNumerator, 52, "SAMP_NUM_COEFF", "sampNumCoef"}, {&r.SampleDenominator, 72, "SAMP_DEN_COEFF", "sampDenCoef"},
	} {
		for i := range c.values {
			number := strconv.Itoa(i + 1)
			fields = append(fields, rpcField{&c.values[i], c.place + i, c.text + "_" + number, c.rpb + "_" + number})
		}
	}
	return fields
}

// fill sets every field to the number that value returns. It fails unless each is finite.
func (r *RPC) fill(value func(rpcField) (float64, bool)) error {
	for _, f := range r.fields() {
		v, ok := value(f)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("RPC of %s: %s is no number or missing: %w", r.From, f.text, ErrCorrupt)
		}
		*f.target = v
	}
	return nil
}

// RPC reads the RPC of the image, or returns nil if it has none. It looks in the side files first,
// as GDAL does. The file must still be open.
func (m *Image) RPC(ctx context.Context) (*RPC, error) {
	if domain := m.pamRPC(); domain != nil {
		r := &RPC{From: "GDAL side file"}
		return r, r.fillFromTexts(domain, func(f rpcField) string { return f.text })
	}
	if r, err := m.sideFileRPC(ctx); r != nil || err != nil {
		return r, err
	}
	if tag := m.levels[0].location.rpc; len(tag) > 0 {
		r := &RPC{From: "tag"}
		return r, r.fill(func(f rpcField) (float64, bool) {
			if f.index >= len(tag) {
				return 0, false
			}
			return tag[f.index], true
		})
	}
	return nil, nil
}

// pamRPC returns the RPC domain of the GDAL side file, one number per name. GDAL stores the numbers
// of a polynomial as one item.
func (m *Image) pamRPC() map[string]string {
	if m.group.beside == nil || m.group.beside.Metadata["RPC"] == nil {
		return nil
	}
	numbers := make(map[string]string)
	for name, text := range m.group.beside.Metadata["RPC"] {
		addNumbers(numbers, name, strings.Fields(text))
	}
	return numbers
}

// sideFileRPC reads NAME_RPC.TXT or NAME.RPB.
func (m *Image) sideFileRPC(ctx context.Context) (*RPC, error) {
	const maxBytes = 64 << 10
	if m.file.config.Beside == nil || m.number > 0 {
		return nil, nil
	}
	stem := m.file.beside.Stem()
	for _, ending := range []string{"_RPC.TXT", "_rpc.txt", ".RPB", ".rpb"} {
		text, _, err := m.file.beside.Look(ctx, stem+ending, maxBytes)
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		r := &RPC{From: stem + ending}
		if strings.EqualFold(ending, ".rpb") {
			return r, r.fillFromTexts(parseRPB(string(text)), func(f rpcField) string { return f.rpb })
		}
		return r, r.fillFromTexts(parseRPCText(string(text)), func(f rpcField) string { return f.text })
	}
	return nil, nil
}

func (r *RPC) fillFromTexts(texts map[string]string, name func(rpcField) string) error {
	return r.fill(func(f rpcField) (float64, bool) {
		v, err := strconv.ParseFloat(texts[name(f)], 64)
		return v, err == nil
	})
}

// addNumbers stores a single number under a name, and several under names with a suffix that counts
// from 1.
func addNumbers(texts map[string]string, name string, numbers []string) {
	if len(numbers) == 1 {
		texts[name] = numbers[0]
		return
	}
	for i, number := range numbers {
		texts[name+"_"+strconv.Itoa(i+1)] = number
	}
}

// parseRPCText parses lines of a name, a colon, a number and an optional unit.
func parseRPCText(text string) map[string]string {
	texts := make(map[string]string)
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, ":")
		if fields := strings.Fields(rest); len(fields) > 0 {
			texts[strings.TrimSpace(name)] = fields[0]
		}
	}
	return texts
}

// parseRPB parses statements of a name, an equals sign, and a number or a list of numbers.
func parseRPB(text string) map[string]string {
	texts := make(map[string]string)
	for statement := range strings.SplitSeq(text, ";") {
		name, rest, _ := strings.Cut(statement, "=")
		if words := strings.Fields(name); len(words) > 0 { // the last word; a group name may precede it
			name = words[len(words)-1]
		}
		if at := strings.LastIndexByte(rest, '='); at >= 0 { // a group begins with a statement without a semicolon
			before := strings.Fields(rest[:at])
			if len(before) == 0 {
				continue
			}
			name, rest = before[len(before)-1], rest[at+1:]
		}
		addNumbers(texts, name, strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n(),\"", r) }))
	}
	return texts
}
