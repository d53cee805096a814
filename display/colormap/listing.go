package colormap

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

var (
	errForm         = errors.New("a color map must be an object or an array")
	errTwoPositions = errors.New("an entry has two positions")
)

// readListing reads all forms that ParseJSON documents.
func readListing(text []byte) (*listing, error) {
	if first(text) == '{' {
		members, err := readObject(text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(members, member.describes) {
			return readDescription(members)
		}
		return readMembers(members)
	}
	return readEntries(text)
}

// describes reports whether m is a member of {"type": kind, "entries": …}.
func (m member) describes() bool { return m.name == "type" || m.name == "entries" }

// readDescription reads {"type": kind, "entries": …}. Entries must not be another description, so
// that descriptions cannot be nested.
func readDescription(members []member) (*listing, error) {
	var kind string
	var entries json.RawMessage
	for _, m := range members {
		switch m.name {
		case "type":
			var err error
			if kind, err = readText(m.value); err != nil {
				return nil, err
			}
		case "entries":
			entries = m.value
		default:
			return nil, fmt.Errorf("unexpected %.32q beside type and entries", m.name)
		}
	}
	l, err := readEntries(entries)
	if err != nil {
		return nil, fmt.Errorf("entries: %w", err)
	}
	l.kind = kind
	return l, nil
}

// readEntries reads an object of values and colors, or an array of entries.
func readEntries(text []byte) (*listing, error) {
	switch first(text) {
	case '{':
		members, err := readObject(text)
		if err != nil {
			return nil, err
		}
		return readMembers(members)
	case '[':
		elements, err := readArray(text)
		if err != nil {
			return nil, err
		}
		return readElements(elements)
	}
	return nil, errForm
}

func readMembers(members []member) (*listing, error) {
	l := &listing{keyed: true}
	for i, m := range members {
		e, err := readMember(m)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		l.entries = append(l.entries, e)
	}
	return l, nil
}

// readMember reads "value": color, or "value": {"color": color, "label": text}.
func readMember(m member) (e Entry, err error) {
	if first(m.value) == '{' {
		var at positionKeys
		if e, at, err = readEntryMembers(m.value); err == nil && at != (positionKeys{}) {
			err = errTwoPositions
		}
	} else {
		e.Color, err = readColor(m.value)
	}
	if err != nil {
		return Entry{}, err
	}
	e.Low, err = readNumber(m.name)
	return e, err
}

func readElements(elements []json.RawMessage) (*listing, error) {
	l := new(listing)
	for i, element := range elements {
		e, isRange, err := readElement(element)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		if isRange {
			l.ranges++
		}
		l.entries = append(l.entries, e)
	}
	return l, nil
}

// readElement reads an entry that is an object or an array.
func readElement(element json.RawMessage) (e Entry, isRange bool, err error) {
	switch first(element) {
	case '{':
		return readEntryObject(element)
	case '[':
		return readEntryArray(element)
	}
	return Entry{}, false, fmt.Errorf("%.32q is not an entry", element)
}

// readEntryArray reads [value, color] or [[low, high], color], with an optional label.
func readEntryArray(element json.RawMessage) (e Entry, isRange bool, err error) {
	parts, err := readArray(element)
	if err != nil {
		return Entry{}, false, err
	}
	if len(parts) != 2 && len(parts) != 3 {
		return Entry{}, false, fmt.Errorf("an entry of %d elements; use a value or an interval, a color and an optional label", len(parts))
	}
	if isRange = first(parts[0]) == '['; isRange {
		e.Low, e.High, err = readRange(parts[0])
	} else {
		e.Low, err = readNumber(string(parts[0]))
	}
	if err != nil {
		return Entry{}, false, err
	}
	if e.Color, err = readColor(parts[1]); err != nil {
		return Entry{}, false, err
	}
	if len(parts) == 3 {
		e.Label, err = readText(parts[2])
	}
	return e, isRange, err
}

func readRange(value json.RawMessage) (low, high float64, err error) {
	numbers, err := readArray(value)
	if err != nil {
		return 0, 0, err
	}
	if len(numbers) != 2 {
		return 0, 0, fmt.Errorf("an interval of %d numbers", len(numbers))
	}
	if low, err = readNumber(string(numbers[0])); err != nil {
		return 0, 0, err
	}
	high, err = readNumber(string(numbers[1]))
	return low, high, err
}
