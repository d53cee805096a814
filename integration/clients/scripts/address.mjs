// Opens the viewer at addresses that cannot be shown. Arguments: { address, misnamed, blank }: the
// server, a hash with an invalid style, and hashes without visible data. Returns the texts of the
// page.

import { mapAtRest } from './rest.mjs';

export default async function look(context, { address, misnamed, blank }) {
  const page = await context.newPage();
  await page.goto(`${address}/#${misnamed}`);
  await mapAtRest(page);
  await page.waitForFunction(() => location.hash.includes('/')); // the hash has a position after the map is drawn
  const told = await page.evaluate(() => ({
    notice: document.querySelector('#notice').hidden ? '' : document.querySelector('#notice-text').textContent,
    canTryAgain: document.querySelector('#notice-again').checkVisibility(),
    isBlank: document.querySelector('#nothing').checkVisibility(),
    hash: location.hash,
  }));
  for (const hash of blank) {
    await page.goto(`${address}/#${hash}`);
    await page.waitForSelector('#nothing:visible');
  }
  await page.click('#nothing-fit');
  await page.waitForSelector('#nothing', { state: 'hidden' });
  await page.close();
  return { value: { told, phone: await lookOnAPhone(context.browser(), address) } };
}

// lookOnAPhone returns what could cover the map on a phone: whether the legend is collapsed, how
// many lines the position takes, and how far legend and buttons are from the layer's right and
// upper edges.
async function lookOnAPhone(browser, address) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    await page.goto(`${address}/#heights`);
    await mapAtRest(page);
    await page.waitForSelector('#legend summary');
    const isFolded = !(await page.isVisible('#legend .ticks'));
    const folded = await page.locator('#legend').boundingBox();
    await page.tap('#legend summary');
    return {
      isFolded, isOpen: await page.isVisible('#legend .ticks'), foldedHeight: folded.height,
      ...await page.evaluate(() => {
        const box = (selector) => document.querySelector(selector).getBoundingClientRect();
        const lineHeight = Number.parseFloat(getComputedStyle(document.querySelector('#readout')).lineHeight);
        return {
          lines: Math.round(box('#position').height / lineHeight),
          buttonsLeft: box('#zoom-fit').left,
          position: document.querySelector('#position').textContent,
        };
      }),
      inkRight: await page.evaluate(inkRight),
    };
  } finally {
    await context.close();
  }
}

// inkRight returns the last column of the map in which the layer has a pixel.
function inkRight() {
  const canvas = document.querySelector('#map canvas');
  const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let last = -1;
  for (let at = 3; at < data.length; at += 4) {
    if (data[at] > 0) last = Math.max(last, ((at - 3) / 4) % width);
  }
  return (last / width) * canvas.getBoundingClientRect().width;
}
