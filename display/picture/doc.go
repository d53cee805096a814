// Package picture holds the pixels of pictures and encodes them as PNG, JPEG and WebP. Packages
// display, layer and http call it. It must never know what the pixels were made of.
package picture
