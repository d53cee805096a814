package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"tileserver/source"
	"tileserver/source/permit"
)

// exchange sends a request once: to where its server redirected before, if that is known and answers, or else to its
// server. The caller closes the body.
func (c *Client) exchange(ctx context.Context, r Request) (*http.Response, error) {
	if !r.IsTrusted {
		if _, err := c.config.Permit.Check(r.URL.String()); err != nil {
			return nil, err
		}
	}
	key := detourKeyOf(r)
	if hops := c.detours.get(key); hops != nil {
		answer, err := c.sendAlong(ctx, r, hops)
		switch {
		case err == nil && (answer.StatusCode < 300 || answer.StatusCode == http.StatusNotModified):
			return answer, nil
		case err != nil && (ctx.Err() != nil || errors.As(err, new(*source.HeldError))):
			return nil, err
		case err == nil: // it may lie elsewhere now, or what signed its address has expired
			discard(answer)
		}
		c.detours.forget(key)
	}
	answer, found, err := c.follow(ctx, r)
	if err == nil && len(found.hops) > 0 && answer.StatusCode < 300 {
		c.detours.put(key, found)
	}
	return answer, err
}

// sendAlong sends a request to where redirects lead that are known. Each must still be permitted.
func (c *Client) sendAlong(ctx context.Context, r Request, hops []*url.URL) (*http.Response, error) {
	redirects := permit.Redirects{Policy: c.config.Permit, IsTrusted: r.IsTrusted}
	for _, to := range hops {
		if err := redirects.Follow(r.URL, to); err != nil {
			return nil, err
		}
		r = r.redirected(to, redirects.IsTrusted)
	}
	return c.send(ctx, r)
}

// follow sends a request and follows redirects, which it returns.
func (c *Client) follow(ctx context.Context, r Request) (answer *http.Response, found detour, err error) {
	redirects := permit.Redirects{Policy: c.config.Permit, IsTrusted: r.IsTrusted}
	found.until = time.Now().Add(permanentTime)
	for {
		answer, err := c.send(ctx, r)
		if err != nil {
			return nil, found, err
		}
		to := redirection(answer, r.URL)
		if to == nil {
			return answer, found, nil
		}
		discard(answer)
		if err := redirects.Follow(r.URL, to); err != nil {
			return nil, found, fmt.Errorf("%s: %w", plain(r.URL), err)
		}
		r = r.redirected(to, redirects.IsTrusted)
		found.hops = append(found.hops, to)
		if until := time.Now().Add(lifetime(answer)); until.Before(found.until) {
			found.until = until
		}
	}
}

// discard closes an answer that is not needed, so that the connection can be used again.
func discard(answer *http.Response) {
	drain(answer.Body)
	answer.Body.Close()
}

// redirection returns where an answer redirects to, or nil. Buckets answer 301 without a place.
func redirection(answer *http.Response, from *url.URL) *url.URL {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	to, err := from.Parse(answer.Header.Get("Location"))
	if err != nil || answer.Header.Get("Location") == "" {
		return nil
	}
	return to
}

// redirected returns the request to where a server redirects. Another server does not learn who asks.
func (r Request) redirected(to *url.URL, isTrusted bool) Request {
	if !permit.IsSameServer(r.URL, to) {
		r.Header, r.Signer = permit.Portable(r.Header), nil
	}
	r.URL, r.IsTrusted = to, isTrusted
	return r
}

// send sends a request to one server.
func (c *Client) send(ctx context.Context, r Request) (*http.Response, error) {
	o := c.originOf(r.URL)
	if err := o.check(); err != nil {
		return nil, err
	}
	if r.MoreFollow && o.turns.hasFree() {
		ctx = withSpare(ctx)
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL.String(), nil)
	if err != nil {
		return nil, &finalError{fmt.Errorf("%s: %w", plain(r.URL), withoutAddress(err))}
	}
	if r.Header != nil {
		asked.Header = r.Header.Clone()
	}
	asked.Header.Set("Accept-Encoding", "identity")
	if c.config.UserAgent != "" {
		asked.Header.Set("User-Agent", c.config.UserAgent)
	}
	if r.Signer != nil {
		if err := r.Signer.Sign(ctx, asked); err != nil {
			return nil, &finalError{fmt.Errorf("%s: credentials: %w", plain(r.URL), err)}
		}
	}
	o.counts.requests.Add(1)
	answer, err := c.connections(r.IsTrusted).RoundTrip(asked)
	if err == nil {
		o.note(answer)
	}
	return answer, err
}
