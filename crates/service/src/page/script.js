// Makes the pages quicker; every page is complete without it. No text of the page becomes markup here.
"use strict";
(() => {
  const make = (tag, text) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    return element;
  };

  const button = (text, act) => {
    const made = make("button", text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };

  // When files change, a bar offers to show the page anew, if it is another then; nothing moves while somebody reads. Only pages that
  // are seen listen: a browser has few connections. What is made of all nodes may be ten seconds old.
  const main = document.querySelector("main");
  const environment = document.body.dataset.environment;
  const before = main.innerHTML;
  let stream, last, shown;
  const isOther = async () => {
    try {
      const answer = await fetch(location.href);
      const now = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
      return answer.ok && now && now.innerHTML !== before;
    } catch { return false; }
  };
  const tell = () => {
    if (shown) return;
    shown = make("div", "Files have changed. ");
    shown.className = "notice";
    shown.setAttribute("role", "status");
    shown.append(button("Show", () => location.reload()), " ", button("Not now", () => { shown.remove(); shown = null; }));
    document.body.append(shown);
  };
  const changed = async () => {
    for (const wait of [0, 3000, 12000]) {
      await new Promise((done) => setTimeout(done, wait));
      if (shown || document.hidden) return;
      if (await isOther()) return tell();
    }
  };
  const listen = () => {
    if (stream) stream.close();
    stream = null;
    if (document.hidden || shown) return;
    const since = last ? "&since=" + last : "";
    stream = new EventSource("/v1/events?environment=" + encodeURIComponent(environment) + since);
    stream.addEventListener("state", (event) => { last = event.lastEventId; });
    stream.addEventListener("changed", (event) => { last = event.lastEventId; changed(); });
  };
  const isServed = location.protocol.startsWith("http");
  if (environment && window.EventSource && isServed) {
    document.addEventListener("visibilitychange", listen);
    addEventListener("pagehide", () => { if (stream) stream.close(); });
    // Whoever only passes by listens to nothing.
    setTimeout(listen, 3000);
  }
  // A page that waits for a check looks again by itself.
  if (isServed && main.querySelector("[data-pending]")) setTimeout(() => location.reload(), 3000);

  // Copying: the text of a value without the places beside it.
  const textOf = (value) => {
    const codes = value.querySelectorAll(".y > code");
    if (codes.length === 0) return value.textContent;
    return [...codes].map((code) => code.textContent.replace(/\n$/, "")).join("\n") + "\n";
  };
  for (const value of document.querySelectorAll("[data-copy]")) {
    const tools = make("div");
    tools.className = "tools small";
    if (navigator.clipboard) {
      const copy = button("Copy", async () => {
        await navigator.clipboard.writeText(textOf(value));
        copy.textContent = "Copied";
        setTimeout(() => { copy.textContent = "Copy"; }, 1500);
      });
      tools.append(copy);
    }
    const folds = value.querySelectorAll("details");
    if (folds.length > 1) {
      const all = (open) => () => { for (const fold of folds) fold.open = open; };
      tools.append(button("Unfold all", all(true)), button("Fold all", all(false)));
    }
    if (tools.childElementCount > 0) value.after(tools);
  }

  // The node that was seen last is a start for other pages.
  const query = new URLSearchParams(location.search);
  const remembered = () => { try { return sessionStorage.getItem("node") || ""; } catch { return ""; } };
  if (query.get("node")) { try { sessionStorage.setItem("node", query.get("node")); } catch { /* not allowed */ } }
  if (location.pathname === "/compare") {
    const left = document.querySelector("main input[name=left]");
    if (left && !left.value) left.value = remembered();
  }

  // Keyboard shortcuts.
  const help = make("dialog");
  help.setAttribute("aria-label", "Keyboard shortcuts");
  help.append(make("h2", "Keyboard shortcuts"));
  const list = make("ul");
  for (const [key, what] of [["/", "search"], ["j", "next link of the page"], ["k", "the one before"], ["u", "up: the page above"], ["?", "this help"]]) {
    const item = make("li");
    item.append(make("kbd", key), " " + what);
    list.append(item);
  }
  const close = button("Close", () => help.close());
  help.append(list, close);
  document.body.append(help);

  const isShown = (element) => element.getClientRects().length > 0;
  const walk = (step) => {
    const links = [...document.querySelectorAll("main a, main summary")].filter(isShown);
    if (links.length === 0) return;
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
    links[next].focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target.closest("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const up = document.querySelector(".crumbs a:last-of-type");
    if (event.key === "/") document.querySelector(".top input[type=search]").focus();
    else if (event.key === "j") walk(1);
    else if (event.key === "k") walk(-1);
    else if (event.key === "u" && up) up.click();
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });
})();
