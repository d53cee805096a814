// What strangers may ask of a layer.

// allows is whether pictures of an extension may be asked for.
export function allows({ allow }, extension) {
  return allow?.formats?.includes(extension) ?? true;
}

// extensionOf is the first of some extensions that the layer allows, or the first one.
export function extensionOf(layer, ...extensions) {
  return extensions.find((extension) => allows(layer, extension)) ?? extensions[0];
}
