package taglist

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tileserver/decode/tiff/ifd"
)

const (
	maxShownNumbers = 16
	maxShownText    = 240 // bytes of a text
)

// valueText returns the values of an entry as text, without control characters. Of many values, it
// returns the first ones and how many more there are.
func valueText(e *ifd.Entry) string {
	if isText(e) {
		return quote(e.Value, e.Count)
	}
	shown := min(len(e.Value)/int(e.Type.Size()), maxShownNumbers)
	texts := make([]string, shown, shown+1)
	for i := range texts {
		texts[i] = numberText(e, i)
	}
	if rest := e.Count - uint64(shown); rest > 0 {
		texts = append(texts, fmt.Sprintf("… (%d more)", rest))
	}
	return strings.Join(texts, ", ")
}

// quote returns the beginning of a text of so many bytes in quotes, with escapes for what is not
// printable. It drops the zero at the end.
func quote(text []byte, bytes uint64) string {
	if uint64(len(text)) == bytes && bytes <= maxShownText {
		return strconv.Quote(strings.TrimSuffix(string(text), "\x00"))
	}
	shown := withoutCutRune(text[:min(len(text), maxShownText)])
	return fmt.Sprintf("%s… (%d more bytes)", strconv.Quote(string(shown)), bytes-uint64(len(shown)))
}

// isText reports whether the values are characters, or bytes that look like a version or like XML.
func isText(e *ifd.Entry) bool {
	const versionBytes = 4
	minBytes := versionBytes
	switch e.Type {
	case ifd.ASCII:
		return true
	case ifd.Byte:
		minBytes = maxShownNumbers + 1 // fewer may be numbers
	case ifd.Undefined:
	default:
		return false
	}
	text := withoutCutRune(e.Value)
	return len(text) >= minBytes && utf8.Valid(text) && !bytes.ContainsFunc(text, isControl)
}

// isControl reports whether a character is neither printable nor usual in XML, which may have a mark
// of its byte order.
func isControl(r rune) bool {
	const byteOrderMark = '\ufeff'
	return !unicode.IsPrint(r) && !strings.ContainsRune("\t\r\n", r) && r != byteOrderMark
}

// withoutCutRune drops the last bytes if they are the beginning of a character.
func withoutCutRune(text []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if last := text[len(text)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}

// numberText returns the i-th value of an entry.
func numberText(e *ifd.Entry, i int) string {
	at := e.Value[i*int(e.Type.Size()):]
	switch e.Type {
	case ifd.Rational:
		return fmt.Sprintf("%d/%d", e.Order.Uint32(at), e.Order.Uint32(at[4:]))
	case ifd.SRational:
		return fmt.Sprintf("%d/%d", int32(e.Order.Uint32(at)), int32(e.Order.Uint32(at[4:])))
	case ifd.SLong8:
		return strconv.FormatInt(int64(e.Order.Uint64(at)), 10)
	case ifd.SByte, ifd.SShort, ifd.SLong:
		return strconv.FormatInt(int64(e.Type.Float(e.Value, i, e.Order)), 10)
	case ifd.Float:
		return floatText(e.Type.Float(e.Value, i, e.Order), 32)
	case ifd.Double:
		return floatText(e.Type.Float(e.Value, i, e.Order), 64)
	}
	return strconv.FormatUint(e.Type.Uint(e.Value, i, e.Order), 10)
}

// floatText returns a number with all of its digits, as coordinates are written. Very large and small
// numbers have an exponent.
func floatText(v float64, bits int) string {
	const minPlain, maxPlain = 1e-5, 1e15
	if size := math.Abs(v); size == 0 || size >= minPlain && size < maxPlain {
		return strconv.FormatFloat(v, 'f', -1, bits)
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

func byteOrderName(order binary.ByteOrder) string {
	if order == binary.BigEndian {
		return "big endian"
	}
	return "little endian"
}
