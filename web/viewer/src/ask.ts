// Questions to the server, and its answers.

import type { ErrorDocument } from "./documents";

/** What the server says against a request. Status 0 is a server that does not answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds = 0,
    readonly code = "",
  ) {
    super(message);
  }

  /** isDamage tells whether what was asked for is lost in the file. */
  get isDamage(): boolean {
    return this.code === "damaged";
  }

  /** isFinal tells whether the same request always gets the same answer. */
  get isFinal(): boolean {
    return this.status === 400 || this.isDamage;
  }
}

/** ask is the JSON at an address, or a Refusal that a person can read. */
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

/** whyNot asks for what did not come as a picture, since pictures do not tell why. It is undefined if it comes now. */
export async function whyNot(address: string): Promise<Refusal | undefined> {
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

/** wasAborted tells an error that only says that nobody waits any more. */
export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
