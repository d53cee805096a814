// Requests to the server, and its answers.

import type { ErrorDocument } from "./documents";

/** Refusal is the server's reason to reject a request. Status 0 means that the server does not answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds = 0,
    readonly code = "",
  ) {
    super(message);
  }

  /** isDamage reports whether the requested data is lost in the file. */
  get isDamage(): boolean {
    return this.code === "damaged";
  }

  /** isAway reports whether the server does not answer, itself or through a proxy. */
  get isAway(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }

  /** isPassing reports whether the same request is likely to succeed later. */
  get isPassing(): boolean {
    return this.isAway || this.status === 503 || this.status === 429;
  }

  /** isFinal reports whether the same request always gets the same answer. */
  get isFinal(): boolean {
    return this.status === 400 || this.status === 403 || this.isDamage;
  }
}

/** ask returns the JSON at an address, or throws a Refusal with a readable message. */
export async function ask<T>(address: string, signal?: AbortSignal): Promise<T> {
  const response = await reach(address, { headers: { Accept: "application/json" }, ...(signal && { signal }) });
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (signal?.aborted) {
      throw error;
    }
    throw new Refusal(response.status, `What the server sends for ${address} is not JSON.`);
  }
}

/** fetchRefusal requests a failed picture again to read its error, which image elements do not expose. It returns undefined if the request succeeds now. */
export async function fetchRefusal(address: string): Promise<Refusal | undefined> {
  try {
    const response = await reach(address, { cache: "no-store" });
    await response.body?.cancel();
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? error : new Refusal(0, String(error));
  }
}

async function reach(address: string, options: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (options.signal?.aborted) {
      throw error;
    }
    throw new Refusal(0, "The server does not answer.");
  }
  if (!response.ok) {
    const document = (await response.json().catch(() => undefined)) as ErrorDocument | undefined;
    const message = document?.error?.message ?? `The server answers with status ${response.status}.`;
    throw new Refusal(response.status, message, Number(response.headers.get("Retry-After") ?? 0) || 0, document?.error?.code);
  }
  return response;
}

/** wasAborted reports whether an error only means that the request was canceled. */
export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
