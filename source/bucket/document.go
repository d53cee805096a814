package bucket

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// PageSize is how many objects and folders a service is asked to list at once.
const PageSize = 1000

// Many is a part of a document that occurs up to PageSize times.
type Many[T any] []T

// UnmarshalXML adds an element.
func (m *Many[T]) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	if len(*m) >= PageSize {
		return fmt.Errorf("more than %d elements <%s>", PageSize, start.Name.Local)
	}
	var one T
	if err := d.DecodeElement(&one, &start); err != nil {
		return err
	}
	*m = append(*m, one)
	return nil
}

// Refused is what a document says of a request that a service refused. It lacks what the document lacks.
type Refused struct{ Code, Region string }

// maxTokens bounds how much of the document of a refusal is looked at.
const maxTokens = 200

// ReadRefused reads the document of a refusal, or its beginning. An element that is cut says nothing.
func ReadRefused(body []byte) (said Refused) {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	text := ""
	for range maxTokens {
		token, err := decoder.Token()
		if err != nil {
			return said
		}
		switch part := token.(type) {
		case xml.StartElement:
			text = ""
		case xml.CharData:
			text = string(bytes.TrimSpace(part))
		case xml.EndElement:
			said.set(part.Name.Local, text)
		}
	}
	return said
}

func (r *Refused) set(name, text string) {
	switch name {
	case "Code":
		r.Code = text
	case "Region":
		r.Region = text
	}
}

// Unmarshal reads a document that is whole, into a struct that names its root.
func Unmarshal(body []byte, document any) error {
	err := xml.Unmarshal(body, document)
	if err == io.EOF {
		return errors.New("the document is empty")
	}
	return err
}
