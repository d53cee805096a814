package colormap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A member is a name and a value of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// readObject reads the members of an object. It keeps their order and duplicates.
func readObject(text []byte) (members []member, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return nil, unexpectedEnd(err)
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		next := member{name: fmt.Sprint(name)}
		if err := decoder.Decode(&next.value); err != nil {
			return nil, unexpectedEnd(err)
		}
		if members = append(members, next); len(members) > MaxEntries {
			return nil, fmt.Errorf("more than %d members", MaxEntries)
		}
	}
	return members, expectEnd(decoder)
}

// readArray reads the elements of an array.
func readArray(text []byte) (elements []json.RawMessage, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return nil, unexpectedEnd(err)
	}
	for decoder.More() {
		var element json.RawMessage
		if err := decoder.Decode(&element); err != nil {
			return nil, unexpectedEnd(err)
		}
		if elements = append(elements, element); len(elements) > MaxEntries {
			return nil, fmt.Errorf("more than %d elements", MaxEntries)
		}
	}
	return elements, expectEnd(decoder)
}

var errTrailing = errors.New("unexpected data after the end")

// expectEnd reads the closing bracket and rejects anything after it.
func expectEnd(decoder *json.Decoder) error {
	if _, err := decoder.Token(); err != nil {
		return unexpectedEnd(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// unexpectedEnd replaces io.EOF, which the decoder returns for truncated text.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// first returns the first character of a value, which tells its type. It returns 0 for empty text.
func first(text []byte) byte {
	if text = bytes.TrimLeft(text, " \t\r\n"); len(text) > 0 {
		return text[0]
	}
	return 0
}

// readNumber reads a finite number in JSON syntax.
func readNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("%.32q is not a finite number", text)
	}
	return v, nil
}

func readText(value json.RawMessage) (text string, err error) {
	if first(value) != '"' {
		return "", fmt.Errorf("%.32q is not a string", value)
	}
	return text, json.Unmarshal(value, &text)
}

// readColor reads a color as a string or as an array of channels.
func readColor(value json.RawMessage) (Color, error) {
	switch first(value) {
	case '"':
		text, err := readText(value)
		if err != nil {
			return Color{}, err
		}
		return readColorText(text)
	case '[':
		return readChannels(value)
	}
	return Color{}, fmt.Errorf("%.32q is not a color", value)
}

func readChannels(value json.RawMessage) (Color, error) {
	numbers, err := readArray(value)
	if err != nil {
		return Color{}, err
	}
	if len(numbers) != 3 && len(numbers) != 4 {
		return Color{}, fmt.Errorf("a color of %d channels", len(numbers))
	}
	var channels []uint8
	for _, number := range numbers {
		v, err := readNumber(string(number))
		if err != nil {
			return Color{}, err
		}
		if !(v >= 0 && v <= 255) || v != float64(uint8(v)) {
			return Color{}, fmt.Errorf("channel %v is not a whole number from 0 to 255", v)
		}
		channels = append(channels, uint8(v))
	}
	return colorOf(channels), nil
}
