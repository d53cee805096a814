// Opens a GeoTIFF by its address, reads only the parts that it needs, and prints what it has read.
import { fromUrl } from 'geotiff';

const [, , address, window] = process.argv;
const requests = [];
const { fetch } = globalThis;
globalThis.fetch = async (input, options) => {
  const answer = await fetch(input, options);
  requests.push(answer.status);
  return answer;
};
const image = await (await fromUrl(address, { blockSize: 4096, cacheSize: 10 })).getImage();
const bands = await image.readRasters({ window: window.split(',').map(Number) });
console.log(JSON.stringify({
  size: [image.getWidth(), image.getHeight()],
  bounds: image.getBoundingBox(),
  bands: Array.from(bands, (band) => Array.from(band)),
  requests,
}));
