// Records a page's errors and requests. A request to another machine is an error.

const ours = /^(http:\/\/127\.0\.0\.1:\d+\/|data:|blob:|about:)/;

export class Listener {
  complaints = [];
  requests = [];

  // Statuses are allowed if the test expects them.
  constructor(allowedStatuses) {
    this.allowedStatuses = allowedStatuses;
  }

  listen(page) {
    page.on('console', (message) => {
      const text = message.text();
      if (['error', 'warning'].includes(message.type()) && !this.isExpected(text)) this.complaints.push(`console: ${text}`);
    });
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.stack ?? error}`));
    page.on('request', (request) => {
      this.requests.push(request.url().replace(/^(data|blob):.*/, '$1:'));
      if (!ours.test(request.url())) this.complaints.push(`asked another machine: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400 && !this.allowedStatuses.includes(response.status())) {
        this.complaints.push(`${response.status()} for ${response.url()}`);
      }
    });
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      if (reason !== 'net::ERR_ABORTED') this.complaints.push(`${reason} for ${request.url()}`); // the page itself canceled aborted requests
    });
  }

  // The browser logs statuses, and warns about slow rendering without a graphics card.
  isExpected(text) {
    if (/GPU stall due to ReadPixels|software WebGL|swiftshader/i.test(text)) return true;
    const status = text.match(/^Failed to load resource: the server responded with a status of (\d+)/)?.[1];
    return status !== undefined && this.allowedStatuses.includes(Number(status));
  }
}
