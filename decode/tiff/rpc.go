package tiff

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RPC is the rational polynomial that gives the line and sample of a point on earth:
// how satellite images say where they lie, heights included.
type RPC struct {
	From string // "tag", or the name of the side file

	LineOffset, SampleOffset, LatitudeOffset, LongitudeOffset, HeightOffset float64
	LineScale, SampleScale, LatitudeScale, LongitudeScale, HeightScale      float64

	LineNumerator, LineDenominator, SampleNumerator, SampleDenominator [20]float64
}

// field is where a number of an RPC belongs and what the formats call it: in the tag
// its place, in NAME_RPC.TXT a word, and in NAME.RPB another.
type rpcField struct {
	target *float64
	place  int
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

// fill sets every field to what value has for it; there must be a finite number for
// each.
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

// RPC reads the rational polynomial of the image, or is nil where it has none. It
// looks beside the file first, as GDAL does, and needs the file to be open still.
func (m *Image) RPC(ctx context.Context) (*RPC, error) {
	if domain := m.notedRPC(); domain != nil {
		r := &RPC{From: "notes beside the file"}
		return r, r.fillFromTexts(domain, func(f rpcField) string { return f.text })
	}
	if r, err := m.besideRPC(ctx); r != nil || err != nil {
		return r, err
	}
	if tag := m.levels[0].location.rpc; len(tag) > 0 {
		r := &RPC{From: "tag"}
		return r, r.fill(func(f rpcField) (float64, bool) {
			if f.place >= len(tag) {
				return 0, false
			}
			return tag[f.place], true
		})
	}
	return nil, nil
}

// notedRPC is the metadata of that domain in the side file with notes, one number a
// name. GDAL joins those of a polynomial.
func (m *Image) notedRPC() map[string]string {
	if m.family.beside == nil || m.family.beside.Metadata["RPC"] == nil {
		return nil
	}
	numbers := make(map[string]string)
	for name, text := range m.family.beside.Metadata["RPC"] {
		addNumbers(numbers, name, strings.Fields(text))
	}
	return numbers
}

// besideRPC reads NAME_RPC.TXT or NAME.RPB.
func (m *Image) besideRPC(ctx context.Context) (*RPC, error) {
	const mostBytes = 64 << 10
	if m.file.config.Beside == nil || m.number > 0 {
		return nil, nil
	}
	stem := m.file.beside.Stem()
	for _, ending := range []string{"_RPC.TXT", "_rpc.txt", ".RPB", ".rpb"} {
		text, _, err := m.file.beside.Look(ctx, stem+ending, mostBytes)
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

// addNumbers stores one number under a name, and more of them under names that count
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

// parseRPCText reads lines of a name, a colon, a number, and perhaps a unit.
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

// parseRPB reads statements of a name, an equals sign, and a number or a list of them.
func parseRPB(text string) map[string]string {
	texts := make(map[string]string)
	for statement := range strings.SplitSeq(text, ";") {
		name, rest, _ := strings.Cut(statement, "=")
		if words := strings.Fields(name); len(words) > 0 { // the last word, behind that of a group
			name = words[len(words)-1]
		}
		if at := strings.LastIndexByte(rest, '='); at >= 0 { // a group begins with a statement that has no end
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
