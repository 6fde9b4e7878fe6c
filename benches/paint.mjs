// Prints how long a browser takes until it paints something of each page, in milliseconds: node paint.mjs URL PAGE...
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TIMES = 5;
const [url, ...pages] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "paint"));
const browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0",
  `--user-data-dir=${profile}`, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
const port = await new Promise((done) => {
  let said = "";
  browser.stderr.on("data", (text) => {
    said += text;
    const found = said.match(/127\.0\.0\.1:(\d+)/);
    if (found) done(found[1]);
  });
});
const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
const socket = new WebSocket(targets.find((one) => one.type === "page").webSocketDebuggerUrl);
await new Promise((done) => { socket.onopen = done; });
let last = 0;
const waiting = new Map();
let loaded = () => {};
socket.onmessage = (event) => {
  const answer = JSON.parse(event.data);
  if (answer.id) waiting.get(answer.id)(answer.result);
  else if (answer.method === "Page.loadEventFired") loaded();
};
const send = (method, params = {}) => new Promise((done) => {
  last += 1;
  waiting.set(last, done);
  socket.send(JSON.stringify({ id: last, method, params }));
});
await send("Page.enable");
for (const page of pages) {
  const times = [];
  for (let time = 0; time < TIMES; time += 1) {
    const done = new Promise((resolve) => { loaded = resolve; });
    await send("Page.navigate", { url: url + page });
    await done;
    const expression = "new Promise((done) => setTimeout(() => done(performance.getEntriesByType('paint')[0]?.startTime ?? -1), 200))";
    const answer = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    times.push(answer.result.value);
  }
  console.log(Math.round(times.sort((one, other) => one - other)[Math.floor(TIMES / 2)]));
}
browser.kill();
socket.close();
rmSync(profile, { recursive: true, force: true });
