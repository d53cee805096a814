// What strangers may ask of a layer.

// extensionOf is the first of some extensions that the layer allows, or the first one.
export function extensionOf({ allow }, ...extensions) {
  return extensions.find((name) => allow?.formats?.includes(name) ?? true) ?? extensions[0];
}
