// Package overviewbuild builds the overviews that files lack, in the background, if that takes
// longer than a request may. It decides when a build starts and which requests wait for it. A
// request that stops waiting is told when to retry. Package pyramid/overview builds the pixels.
//
// The overviews that the styles of a layer show come first. Those for a nodata value that only a
// request names are another reading of the file for each value that samples have, so a layer has a
// quota of them, and they wait while anything else is going on.
//
// Package layer calls it for pictures that miss overviews. It owns the builds that are running or
// have failed, and the quotas. It must never know styles, requests or HTTP.
//
// Words:
//
//   - A *target* is the overviews that a picture is missing.
//   - A *build* reads a file once and builds the overviews of one target.
//   - A *group* is the layers, one after the other, that serve one dataset under one id. They share
//     builds.
package overviewbuild
