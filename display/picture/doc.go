// Package picture has pixels to look at and makes files of them: PNG, JPEG and WebP. It
// must never know what the pixels were made of.
package picture
