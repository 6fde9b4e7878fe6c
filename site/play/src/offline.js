// Keeps the playground for use without a network. build.mjs fills in the version and the files.

const CACHE = 'hieratic-play-VERSION';
const FILES = ['FILES'];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const others = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith('hieratic-play-') && name !== CACHE).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(others());
});

addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  const name = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname;
  const kept = async () => (await caches.open(CACHE)).match(new URL(name, url), { ignoreSearch: true });
  event.respondWith(kept().then((response) => response ?? fetch(event.request)));
});
