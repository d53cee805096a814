// Package iiif answers requests of the IIIF Image API 3: information documents, and pictures of
// regions. Package imageapi below it has the syntax: it parses requests and writes the document.
// Package http calls Routes. Package iiif must never know how pixels are read, nor another protocol.
package iiif

import (
	"fmt"
	"net/http"
	"net/url"

	"tileserver/access"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/http/accept"
	"tileserver/http/answer"
	"tileserver/http/iiif/imageapi"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// service has the handlers.
type service struct{ *serve.Server }

// Routes returns the routes of the IIIF Image API 3.
func Routes(server *serve.Server) map[string]answer.Handler {
	s := &service{server}
	return map[string]answer.Handler{
		"/iiif/{layer}":           answer.WithErrors(s.base, sendError),
		"/iiif/{layer}/info.json": answer.WithErrors(s.information, sendError),
		"/iiif/{layer}/{region}/{size}/{rotation}/{name}": answer.WithErrors(s.image, sendError),
	}
}

// sendError sends an error as the standard demands: as text, and with status 400 for a size
// that is too large.
func sendError(e *answer.Exchange, r *http.Request, err error) {
	f := answer.FailureOf(err)
	status := f.Status
	if status == http.StatusRequestEntityTooLarge {
		status = http.StatusBadRequest
	}
	e.Header().Del("Link")
	e.SendFailure(r, err, status, "text/plain; charset=utf-8", []byte(f.Text()+"\n"))
}

// Address returns the address of a layer's information document below the root address of the
// server.
func Address(base, layerID string) string { return idOf(base, layerID) + "/info.json" }

// idOf returns the base address of a layer, which is also its IIIF id.
func idOf(base, layerID string) string { return base + "/iiif/" + url.PathEscape(layerID) }

// base redirects the base address to the information document.
func (s *service) base(e *answer.Exchange, r *http.Request) error {
	id := request.PathValue(r, "layer")
	if _, err := s.Catalog.Find(r.Context(), id); err != nil {
		return err
	}
	e.Header().Set("Location", Address(s.BaseURL(r), id))
	e.Header().Set("Cache-Control", "no-cache")
	e.Begin(http.StatusSeeOther)
	return nil
}

// imageOf returns the image with the limits of requests, which are the same for all formats.
// Shared caches store pictures with their headers, so a canonical link must not repeat the host of
// one client. It is sent only if the operator configured the origin.
func (s *service) imageOf(l *layer.Layer, rules *access.Rules) imageapi.Image {
	d := l.Describe()
	maxPixels := s.Catalog.MaxPixels()
	side := min(maxPixels, picture.PNG.MaxSide(), picture.JPEG.MaxSide(), picture.WebP.MaxSide())
	width, height, area := rules.Size.Within(side, maxPixels)
	return imageapi.Image{
		Width: d.Width, Height: d.Height, Limits: imageapi.Limits{MaxWidth: width, MaxHeight: height, MaxArea: area},
		CanonicalLinks: s.Origin != "", Formats: rules.Formats,
	}
}

func (s *service) information(e *answer.Exchange, r *http.Request) error {
	id := request.PathValue(r, "layer")
	e.Layer = id
	l, err := s.Catalog.Find(r.Context(), id)
	if err != nil {
		return err
	}
	format, err := s.PixelFormat(request.ParametersOf(r), l)
	if err != nil {
		return err
	}
	mime := answer.MIMEJSON // also if neither type is accepted
	if i, ok := accept.Parse(r.Header.Values("Accept")).Choose([]string{mimeLinkedData}, []string{answer.MIMEJSON}); ok && i == 0 {
		mime = fmt.Sprintf("%s;profile=%q", mimeLinkedData, imageapi.Context)
	}
	e.VariesBy("Accept")
	image := s.imageOf(l, &l.Access().Strangers)
	e.Header().Set("Link", profileLink(image))
	e.SendDocument(r, mime, image.Information(idOf(s.BaseURL(r), id), serve.TileSide(l), format.Extension()))
	return nil
}

const mimeLinkedData = "application/ld+json"

func profileLink(of imageapi.Image) string { return "<" + of.Profile() + `>;rel="profile"` }

func (s *service) image(e *answer.Exchange, r *http.Request) error {
	id := request.PathValue(r, "layer")
	e.Layer = id
	l, err := s.Layer(r.Context(), id)
	if err != nil {
		return err
	}
	p := request.ParametersOf(r)
	image := s.imageOf(l.Layer, l.Access().For(p.Asker))
	asked, err := image.Parse(request.PathValue(r, "region"), request.PathValue(r, "size"), request.PathValue(r, "rotation"), request.PathValue(r, "name"))
	if err != nil {
		return answer.Invalid("%v", err)
	}
	format, err := request.FormatOf(asked.Format)
	if err != nil {
		return err
	}
	p.Allow("return_mask", "wait")
	e.Header().Set("Link", profileLink(image))
	if image.CanonicalLinks {
		canonical := idOf(s.BaseURL(r), id) + "/" + image.Canonical(asked)
		if query := p.StyleQuery(); len(query) > 0 {
			canonical += "?" + query.Encode()
		}
		e.Header().Set("Link", "<"+canonical+`>;rel="canonical", `+profileLink(image))
	}
	return s.SendPicture(e, r, p, l, layer.Request{Area: areaOf(image, asked), Format: format, Finish: finishOf(asked)})
}

// areaOf returns the area of a request. If the request matches pixels of a halved level it is a
// rectangle of that level, so that neighboring tiles line up.
func areaOf(image imageapi.Image, request imageapi.Request) areas.Area {
	if tile, ok := image.Tile(request); ok {
		return areas.Level(tile)
	}
	of := request.Region
	return areas.Box{
		Bounds: geo.Bounds{MinX: float64(of.X), MinY: float64(of.Y), MaxX: float64(of.X + of.Width), MaxY: float64(of.Y + of.Height)},
		Width:  request.Size.Width, Height: request.Size.Height,
	}
}

func finishOf(request imageapi.Request) layer.Finish {
	finish := layer.Finish{Mirrored: request.Rotation.Mirrored, Quarters: request.Rotation.Quarters}
	switch request.Quality {
	case imageapi.Gray:
		finish.Tone = picture.Grays
	case imageapi.Bitonal:
		finish.Tone = picture.BlackAndWhite
	}
	return finish
}
