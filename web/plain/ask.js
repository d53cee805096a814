// Questions to the server, and its answers.

// ask is the JSON at an address, or an error that a person can read.
export async function ask(address) {
  let response;
  try {
    response = await fetch(address, { headers: { Accept: "application/json" } });
  } catch {
    throw new Error("The server does not answer.");
  }
  await failUnlessOK(response);
  return response.json().catch(() => {
    throw new Error(`What the server sends for ${address} is not JSON.`);
  });
}

// failUnlessOK turns what the server says against a request into an error.
export async function failUnlessOK(response) {
  if (!response.ok) {
    const body = await response.json().catch(() => undefined);
    throw new Error(body?.error?.message ?? `the server answers with status ${response.status}`);
  }
}
