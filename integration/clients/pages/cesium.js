import { load } from './library.js';

// Shows imagery on a flat globe. Arguments: { provider: [kind, options], bounds, rectangle }.
// bounds of the layer and the rectangle to show are [west, south, east, north]. Returns the visible
// rectangle.
export default async function show(element, { provider: [kind, options], bounds, rectangle }) {
  window.CESIUM_BASE_URL = '/node_modules/cesium/Build/Cesium/';
  await load('cesium/Build/Cesium/Widgets/widgets.css', 'cesium/Build/Cesium/Cesium.js');
  const tilingScheme = new Cesium.GeographicTilingScheme();
  const provider = new Cesium[kind]({ tilingScheme, enablePickFeatures: false, rectangle: Cesium.Rectangle.fromDegrees(...bounds), ...options });
  const layer = new Cesium.ImageryLayer(provider, {
    minificationFilter: Cesium.TextureMinificationFilter.NEAREST,
    magnificationFilter: Cesium.TextureMagnificationFilter.NEAREST,
  });
  const widget = new Cesium.CesiumWidget(element, {
    baseLayer: layer, sceneMode: Cesium.SceneMode.SCENE2D, mapProjection: new Cesium.GeographicProjection(),
    skyBox: false, skyAtmosphere: false, creditContainer: document.createElement('div'), msaaSamples: 1,
    shouldAnimate: false, contextOptions: { webgl: { alpha: true, preserveDrawingBuffer: true } },
  });
  const failures = [];
  provider.errorEvent.addEventListener(({ message }) => failures.push(message));
  const { scene, camera } = widget;
  scene.backgroundColor = Cesium.Color.MAGENTA;
  scene.globe.baseColor = Cesium.Color.MAGENTA;
  scene.globe.maximumScreenSpaceError = 1;
  scene.globe.showGroundAtmosphere = false;
  scene.fog.enabled = false;
  camera.setView({ destination: Cesium.Rectangle.fromDegrees(...rectangle) });
  await new Promise((resolve) => {
    let framesAtRest = 0;
    scene.postRender.addEventListener(() => {
      framesAtRest = scene.globe.tilesLoaded && layer.ready ? framesAtRest + 1 : 0;
      if (framesAtRest === 3) resolve();
    });
  });
  if (failures.length > 0) throw new Error(failures.join('\n'));
  widget.useDefaultRenderLoop = false;
  const seen = camera.computeViewRectangle();
  return Object.fromEntries(['west', 'south', 'east', 'north'].map((side) => [side, Cesium.Math.toDegrees(seen[side])]));
}
