package http

import (
	"fmt"
	"net/http"
	"net/url"

	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/http/accept"
	"tileserver/http/answer"
	"tileserver/http/iiif"
	"tileserver/http/request"
	"tileserver/layer"
)

// iiifRoutes returns the routes of the IIIF Image API 3.
func (s *server) iiifRoutes() map[string]answer.Handler {
	return map[string]answer.Handler{
		"/iiif/{layer}":           answer.WithErrors(s.iiifBase, sendIIIFError),
		"/iiif/{layer}/info.json": answer.WithErrors(s.iiifInformation, sendIIIFError),
		"/iiif/{layer}/{region}/{size}/{rotation}/{name}": answer.WithErrors(s.iiifImage, sendIIIFError),
	}
}

// sendIIIFError sends an error as the standard demands: as text, and with status 400 for a size
// that is too large.
func sendIIIFError(e *answer.Exchange, r *http.Request, err error) {
	f := answer.FailureOf(err)
	status := f.Status
	if status == http.StatusRequestEntityTooLarge {
		status = http.StatusBadRequest
	}
	e.Header().Del("Link")
	e.SendFailure(r, err, status, "text/plain; charset=utf-8", []byte(f.Text()+"\n"))
}

// iiifID returns the base address of a layer, which is also its IIIF id.
func (s *server) iiifID(r *http.Request, layerID string) string {
	return s.baseURL(r) + "/iiif/" + url.PathEscape(layerID)
}

// iiifBase redirects the base address to the information document.
func (s *server) iiifBase(e *answer.Exchange, r *http.Request) error {
	id := request.PathValue(r, "layer")
	if _, err := s.Catalog.Layer(id); err != nil {
		return err
	}
	e.Header().Set("Location", s.iiifID(r, id)+"/info.json")
	e.Header().Set("Cache-Control", "no-cache")
	e.Begin(http.StatusSeeOther, 0)
	return nil
}

// iiifImageOf returns the image with the limits of requests, which are the same for all formats.
// Shared caches store pictures with their headers, so a canonical link must not repeat the host of
// one client. It is sent only if the operator configured the origin.
func (s *server) iiifImageOf(d *layer.Description) iiif.Image {
	maxPixels := s.Catalog.MaxPixels()
	side := min(maxPixels, picture.PNG.MaxSide(), picture.JPEG.MaxSide(), picture.WebP.MaxSide())
	return iiif.Image{
		Width: d.Width, Height: d.Height, Limits: iiif.Limits{MaxWidth: side, MaxHeight: side, MaxArea: maxPixels}, CanonicalLinks: s.Origin != "",
	}
}

func (s *server) iiifInformation(e *answer.Exchange, r *http.Request) error {
	id := request.PathValue(r, "layer")
	d, err := s.describe(e, id)
	if err != nil {
		return err
	}
	format, err := s.pixelFormat(request.ParametersOf(r), id)
	if err != nil {
		return err
	}
	mime := answer.MIMEJSON // also if neither type is accepted
	if i, ok := accept.Parse(r.Header.Values("Accept")).Choose([]string{mimeLinkedData}, []string{answer.MIMEJSON}); ok && i == 0 {
		mime = fmt.Sprintf("%s;profile=%q", mimeLinkedData, iiif.Context)
	}
	e.VariesBy("Accept")
	e.Header().Set("Link", profileLink)
	e.SendDocument(r, mime, s.iiifImageOf(&d).Information(s.iiifID(r, id), tileSide(d.Info), format.Extension()))
	return nil
}

const mimeLinkedData = "application/ld+json"

const profileLink = "<" + iiif.Profile + `>;rel="profile"`

func (s *server) iiifImage(e *answer.Exchange, r *http.Request) error {
	id := request.PathValue(r, "layer")
	d, err := s.describe(e, id)
	if err != nil {
		return err
	}
	image := s.iiifImageOf(&d)
	asked, err := image.Parse(request.PathValue(r, "region"), request.PathValue(r, "size"), request.PathValue(r, "rotation"), request.PathValue(r, "name"))
	if err != nil {
		return answer.Invalid("%v", err)
	}
	format, err := request.FormatOf(asked.Format)
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("return_mask", "wait")
	e.Header().Set("Link", profileLink)
	if image.CanonicalLinks {
		canonical := s.iiifID(r, id) + "/" + image.Canonical(asked)
		if query := p.StyleQuery(); len(query) > 0 {
			canonical += "?" + query.Encode()
		}
		e.Header().Set("Link", "<"+canonical+`>;rel="canonical", `+profileLink)
	}
	return s.picture(e, r, p, layer.Request{Layer: id, Area: iiifArea(image, asked), Format: format, Finish: iiifFinish(asked)})
}

// iiifArea returns the area of a request. If the request matches pixels of a halved level it is a
// rectangle of that level, so that neighboring tiles line up.
func iiifArea(image iiif.Image, request iiif.Request) layer.Area {
	if tile, ok := image.Tile(request); ok {
		return layer.LevelArea(tile)
	}
	of := request.Region
	return layer.BoxArea{
		Bounds: geo.Bounds{MinX: float64(of.X), MinY: float64(of.Y), MaxX: float64(of.X + of.Width), MaxY: float64(of.Y + of.Height)},
		Width:  request.Size.Width, Height: request.Size.Height,
	}
}

func iiifFinish(request iiif.Request) layer.Finish {
	finish := layer.Finish{Mirrored: request.Rotation.Mirrored, Quarters: request.Rotation.Quarters}
	switch request.Quality {
	case iiif.Gray:
		finish.Tone = picture.Grays
	case iiif.Bitonal:
		finish.Tone = picture.BlackAndWhite
	}
	return finish
}
