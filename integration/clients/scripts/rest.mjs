// Functions that wait until a page is idle.

const restFrames = 30; // half a second or more, so that new tiles have faded in
const patienceMilliseconds = 120_000;

const traffics = new WeakMap(); // request counts by followed page

// follow starts counting the requests of a page.
export function follow(page) {
  const traffic = { begun: 0, underWay: new Set() };
  traffics.set(page, traffic);
  page.on('request', (request) => {
    traffic.begun++;
    traffic.underWay.add(request);
  });
  for (const event of ['requestfinished', 'requestfailed']) page.on(event, (request) => traffic.underWay.delete(request));
  return traffic;
}

// mapAtRest waits until the viewer's map has loaded all visible tiles.
export function mapAtRest(page) {
  return atRest(page, () => {
    const isLoading = document.querySelector('#loading')?.checkVisibility();
    return document.querySelector('#map')?.getAttribute('aria-busy') !== 'false' || isLoading;
  });
}

// atRest waits until a page has no open requests and is not busy for a number of frames. It counts
// frames instead of time, because a busy machine may pause long between an answer and the next
// request.
export async function atRest(page, isBusy = () => false) {
  const traffic = traffics.get(page) ?? follow(page);
  const until = performance.now() + patienceMilliseconds;
  for (let isQuiet = false; !isQuiet;) {
    if (performance.now() > until) throw new Error(`${page.url()} is not at rest after ${patienceMilliseconds} ms`);
    const { begun } = traffic;
    const wasBusy = await page.evaluate(wasBusyFor, [restFrames, String(isBusy)]);
    isQuiet = !wasBusy && traffic.begun === begun && traffic.underWay.size === 0;
  }
}

// wasBusyFor checks a page in each of several frames, until it is busy.
async function wasBusyFor([frames, isBusy]) {
  const look = new Function(`return (${isBusy})()`);
  for (let frame = 0; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    if (look()) return true;
  }
  return false;
}
