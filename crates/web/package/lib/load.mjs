// Loads the module in a browser: in a page, whose workers share it, or in a worker.

/** The compiled module at an address. */
export async function load(source) {
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: HTTP ${response.status}`);
  // Servers that do not know the type of WebAssembly cannot stream it.
  if (response.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
