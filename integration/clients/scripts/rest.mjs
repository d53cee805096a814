// What it takes for a page to be at rest.

const restMilliseconds = 800; // without loading, in which new tiles have faded in

// mapAtRest waits until the map of the viewer has loaded all that it shows.
export async function mapAtRest(page) {
  await page.evaluate(() => { window.restlessAt = performance.now(); });
  await page.waitForFunction((rest) => {
    const map = document.querySelector('#map');
    const loading = document.querySelector('#loading');
    const busy = map?.getAttribute('aria-busy') !== 'false' || loading?.checkVisibility();
    if (busy) window.restlessAt = performance.now();
    return performance.now() - window.restlessAt > rest;
  }, restMilliseconds, { polling: 50 });
}
