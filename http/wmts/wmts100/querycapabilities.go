package wmts100

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// CapabilitiesRequest is a parsed GetCapabilities request.
type CapabilitiesRequest struct {
	Sections       Sections
	MIME           string // a supported type
	UpdateSequence string // of the document that the client has, or ""
}

// Sections selects the sections of a document.
type Sections struct {
	ServiceIdentification, ServiceProvider, OperationsMetadata, Contents bool

	// Themes group layers. This server has none, so the section is written only on request.
	Themes bool

	// Rest selects what belongs to no section.
	Rest bool
}

// AllSections selects the sections of a complete document.
func AllSections() Sections {
	return Sections{ServiceIdentification: true, ServiceProvider: true, OperationsMetadata: true, Contents: true, Rest: true}
}

// sectionNames are the values of the parameter sections.
var sectionNames = []string{"All", "ServiceIdentification", "ServiceProvider", "OperationsMetadata", "Contents", "Themes"}

// Capabilities parses a GetCapabilities query. Clients negotiate its version by AcceptVersions.
func (q Query) Capabilities() (CapabilitiesRequest, error) {
	from := reader{query: q}
	versions, _ := from.optional("AcceptVersions")
	if known := list(versions); len(known) > 0 && !slices.Contains(known, Version) {
		from.reject(reportOf(VersionNegotiationFailed, "", "the only version is %s", Version))
	}
	r := CapabilitiesRequest{Sections: from.sections()}
	formats, _ := from.optional("AcceptFormats")
	r.MIME = acceptedFormat(formats)
	r.UpdateSequence, _ = from.optional("updateSequence")
	return r, from.err
}

// acceptedFormat returns the first supported type in a list. By the standard, a client that accepts
// none gets the default.
func acceptedFormat(formats string) string {
	for _, format := range list(formats) {
		mime, _, _ := strings.Cut(format, ";")
		if mime = strings.ToLower(strings.TrimSpace(mime)); mime == MIMEXML || mime == MIMETextXML {
			return mime
		}
	}
	return MIMEXML
}

func (r *reader) sections() Sections {
	text, found := r.optional("sections")
	if !found {
		return AllSections()
	}
	names := list(text)
	if len(names) == 0 {
		r.reject(missing("sections"))
	}
	var s Sections
	for _, name := range names {
		if !s.add(strings.ToLower(name)) {
			r.reject(Invalid("sections", "the sections are %s, not %q", strings.Join(sectionNames, ", "), name))
		}
	}
	return s
}

// add selects a section by its name in lower case. It returns false for an unknown name.
func (s *Sections) add(name string) bool {
	switch name {
	case "all":
		themes := s.Themes
		*s = AllSections()
		s.Themes = themes
	case "serviceidentification":
		s.ServiceIdentification = true
	case "serviceprovider":
		s.ServiceProvider = true
	case "operationsmetadata":
		s.OperationsMetadata = true
	case "contents":
		s.Contents = true
	case "themes":
		s.Themes = true
	default:
		return false
	}
	return true
}

// sequenceLayout formats times so that later ones are greater as numbers and as texts: the standard
// does not say how clients compare them.
const sequenceLayout = "20060102150405.000"

// UpdateSequence returns the update sequence of a document that last changed at a time.
func UpdateSequence(changed time.Time) string { return changed.UTC().Format(sequenceLayout) }

// IsCurrent reports whether the client has the document of a sequence. A later sequence is an
// error.
func (r *CapabilitiesRequest) IsCurrent(sequence string) (bool, error) {
	switch {
	case r.UpdateSequence == "":
		return false, nil
	case r.UpdateSequence == sequence:
		return true, nil
	}
	has, err := strconv.ParseFloat(r.UpdateSequence, 64)
	now, _ := strconv.ParseFloat(sequence, 64)
	if err != nil || !(has < now) {
		return false, reportOf(InvalidUpdateSequence, "", "updateSequence %[2]q is not before the current %[1]s", sequence, r.UpdateSequence)
	}
	return false, nil
}
