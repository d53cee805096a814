import { load, painted } from './library.js';

// Shows a rectangle of an image at its own resolution. Arguments: { source, rectangle: [x, y,
// width, height] }.
export default async function show(element, { source, rectangle, smooth = false }) {
  await load('openseadragon/build/openseadragon/openseadragon.min.js');
  const viewer = OpenSeadragon({
    element, tileSources: source, drawer: 'canvas', crossOriginPolicy: 'Anonymous', imageSmoothingEnabled: smooth,
    showNavigationControl: false, immediateRender: true, animationTime: 0, blendTime: 0, visibilityRatio: 0,
    minZoomLevel: 0, maxZoomLevel: Infinity,
  });
  await new Promise((resolve, reject) => {
    viewer.addHandler('open', resolve);
    viewer.addHandler('open-failed', ({ message }) => reject(new Error(message)));
    viewer.addHandler('tile-load-failed', ({ tile, message }) => reject(new Error(`a tile failed: ${tile.getUrl()} ${message}`)));
  });
  const image = viewer.world.getItemAt(0);
  viewer.viewport.fitBounds(image.imageToViewportRectangle(...rectangle), true);
  await new Promise((resolve) => {
    viewer.addHandler('update-viewport', () => image.getFullyLoaded() && resolve());
    viewer.forceRedraw();
  });
  await painted();
  const { x: width, y: height } = image.getContentSize();
  return { width, height, levels: image.source.maxLevel - image.source.minLevel + 1 };
}
