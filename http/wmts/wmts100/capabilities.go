package wmts100

import (
	"io"
	"iter"
	"strings"

	"tileserver/http/plain"
)

// Document is a capabilities document.
type Document struct {
	Base string // the address of the server, without a slash at the end
	Self string // the address of this document

	Service        Service
	UpdateSequence string
	Sections       Sections
	Layers         iter.Seq[*Layer] // may be iterated several times

	// HidesValues leaves out GetFeatureInfo.
	HidesValues bool

	// MaxBytes bounds the size of the document; 0 is unlimited. If the layers do not fit, they are
	// described briefly, and the document ends with the last layer that fits, at least one.
	MaxBytes int

	// Remark returns a sentence for the abstract on what the document omits, given the number of
	// its layers and the id of the last one. It is called only if layers are omitted. It may be
	// nil, and has maxAbstractRunes at most.
	Remark func(layers int, last string) string
}

// Service describes the service in the operator's words. Every field but Title may be empty.
type Service struct {
	Title, Abstract         string
	Keywords                []string
	Provider, Site          string
	Contact, Email          string
	Fees, AccessConstraints string
}

// The bounds of texts that come from operators and files.
const (
	maxTitleRunes    = 200
	maxAbstractRunes = 2000
)

// Write writes the document. If it is not news to its reader, it is written without sections.
func (d *Document) Write(to io.Writer) error {
	contents := d.contents()
	w := newWriter(to)
	d.write(w, contents)
	return w.flush()
}

func (d *Document) write(w *writer, contents contents) {
	w.open("Capabilities",
		"xmlns", namespaceWMTS, "xmlns:ows", namespaceOWS, "xmlns:xlink", namespaceXLink, "xmlns:xsi", namespaceXSI,
		"xsi:schemaLocation", namespaceWMTS+" http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd",
		"version", Version, "updateSequence", d.UpdateSequence)
	if d.Sections.ServiceIdentification {
		d.writeIdentification(w, contents.remark)
	}
	if d.Sections.ServiceProvider {
		d.writeProvider(w)
	}
	if d.Sections.OperationsMetadata {
		d.writeOperations(w)
	}
	if d.Sections.Contents {
		w.raw(contents.text)
	}
	if d.Sections.Themes {
		w.empty("Themes")
	}
	if d.Sections.Rest {
		w.empty("ServiceMetadataURL", "xlink:href", d.Self)
	}
	w.close("Capabilities")
}

func (d *Document) writeIdentification(w *writer, remark string) {
	w.open("ows:ServiceIdentification")
	w.element("ows:Title", plain.Text(d.Service.Title, maxTitleRunes))
	w.optional("ows:Abstract", strings.TrimSpace(plain.Text(d.Service.Abstract, maxAbstractRunes)+" "+remark))
	d.writeKeywords(w)
	w.element("ows:ServiceType", "OGC WMTS")
	w.element("ows:ServiceTypeVersion", Version)
	w.optional("ows:Fees", plain.Text(d.Service.Fees, maxAbstractRunes))
	w.optional("ows:AccessConstraints", plain.Text(d.Service.AccessConstraints, maxAbstractRunes))
	w.close("ows:ServiceIdentification")
}

// writeKeywords omits empty keywords, and the whole element if none is left.
func (d *Document) writeKeywords(w *writer) {
	var keywords []string
	for _, keyword := range d.Service.Keywords {
		if keyword = plain.Text(keyword, maxTitleRunes); keyword != "" {
			keywords = append(keywords, keyword)
		}
	}
	if len(keywords) == 0 {
		return
	}
	w.open("ows:Keywords")
	for _, keyword := range keywords {
		w.element("ows:Keyword", keyword)
	}
	w.close("ows:Keywords")
}

// writeProvider falls back on the title of the service, because the standard requires a name.
func (d *Document) writeProvider(w *writer) {
	name := d.Service.Provider
	if name == "" {
		name = d.Service.Title
	}
	w.open("ows:ServiceProvider")
	w.element("ows:ProviderName", plain.Text(name, maxTitleRunes))
	if d.Service.Site != "" {
		w.empty("ows:ProviderSite", "xlink:href", plain.Text(d.Service.Site, maxAbstractRunes))
	}
	w.open("ows:ServiceContact")
	w.optional("ows:IndividualName", plain.Text(d.Service.Contact, maxTitleRunes))
	if d.Service.Email != "" {
		w.open("ows:ContactInfo")
		w.line("ows:Address", "ows:ElectronicMailAddress", plain.Text(d.Service.Email, maxTitleRunes))
		w.close("ows:ContactInfo")
	}
	w.close("ows:ServiceContact")
	w.close("ows:ServiceProvider")
}

// writeOperations lists queries before resource templates. OpenLayers uses the first, and with
// templates it ignores the format that its user selected.
func (d *Document) writeOperations(w *writer) {
	w.open("ows:OperationsMetadata")
	d.writeOperation(w, GetCapabilities, d.Base+MetadataPath,
		parameter{"AcceptVersions", []string{Version}},
		parameter{"AcceptFormats", []string{MIMEXML, MIMETextXML}},
		parameter{"Sections", sectionNames})
	d.writeOperation(w, GetTile, d.Base+ResourcePath+"/")
	if !d.HidesValues {
		d.writeOperation(w, GetFeatureInfo, d.Base+ResourcePath+"/")
	}
	w.close("ows:OperationsMetadata")
}

// parameter is a parameter of an operation with its allowed values.
type parameter struct {
	name   string
	values []string
}

func (d *Document) writeOperation(w *writer, operation Operation, resource string, parameters ...parameter) {
	w.open("ows:Operation", "name", string(operation))
	w.open("ows:DCP")
	w.open("ows:HTTP")
	for _, way := range [][2]string{{"KVP", d.Base + QueryPath + "?"}, {"RESTful", resource}} {
		w.open("ows:Get", "xlink:href", way[1])
		writeValues(w, "ows:Constraint", "GetEncoding", way[0])
		w.close("ows:Get")
	}
	w.close("ows:HTTP")
	w.close("ows:DCP")
	for _, p := range parameters {
		writeValues(w, "ows:Parameter", p.name, p.values...)
	}
	w.close("ows:Operation")
}

// writeValues writes a list of allowed values.
func writeValues(w *writer, element, name string, values ...string) {
	w.open(element, "name", name)
	w.open("ows:AllowedValues")
	for _, value := range values {
		w.element("ows:Value", value)
	}
	w.close("ows:AllowedValues")
	w.close(element)
}
