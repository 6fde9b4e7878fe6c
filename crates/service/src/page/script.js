// Makes the pages quicker; every page is complete without it. No text of the page becomes markup here.
"use strict";
(() => {
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  const button = (text, act) => {
    const made = make("button", text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };

  const main = document.querySelector("main");
  const environment = document.body.dataset.environment;
  const isServed = location.protocol.startsWith("http");

  // A part of another page, or of this one as it is now.
  const part = async (address, selector) => {
    try {
      const answer = await fetch(address);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      return answer.ok ? page.querySelector(selector) : null;
    } catch { return null; }
  };

  // When files change, a bar offers to show the page anew, if it is another then; nothing moves while somebody reads. Only pages that
  // are seen listen: a browser has few connections. What is made of all nodes may be ten seconds old.
  let before = main.innerHTML;
  let stream, last, shown;
  const tell = () => {
    if (shown) return;
    shown = make("div", "Files have changed. ", "notice");
    shown.setAttribute("role", "status");
    shown.append(button("Show", () => location.reload()), " ", button("Not now", () => { shown.remove(); shown = null; }));
    document.body.append(shown);
  };
  const changed = async () => {
    for (const wait of [0, 3000, 12000]) {
      await new Promise((done) => setTimeout(done, wait));
      if (shown || document.hidden) return;
      const now = await part(location.href, "main");
      if (now && now.innerHTML !== before) return tell();
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
  if (environment && window.EventSource && isServed) {
    document.addEventListener("visibilitychange", listen);
    addEventListener("pagehide", () => { if (stream) stream.close(); });
    // Whoever only passes by listens to nothing.
    setTimeout(listen, 3000);
  }

  // What a part of the page needs: called for the whole page, and for parts that come later.
  const prepare = (root) => {
    for (const value of root.querySelectorAll("[data-copy]")) addTools(value);
    for (const field of root.querySelectorAll("[data-filter]")) filterRows(field);
    for (const form of root.querySelectorAll("form[data-live]")) answerLive(form);
    for (const beside of root.querySelectorAll("[data-load]")) load(beside);
    fillCounts(root);
  };

  // A page that waits for something grows by itself, unless somebody writes in it.
  let waits = 0;
  const grow = async () => {
    if (!main.querySelector("[data-pending]") || waits > 120) return;
    waits += 1;
    const isBusy = main.contains(document.activeElement) && document.activeElement !== main;
    if (!document.hidden && !isBusy) {
      const now = await part(location.href, "main");
      if (now && now.innerHTML !== before) {
        before = now.innerHTML;
        main.replaceChildren(...now.childNodes);
        prepare(main);
      }
    }
    setTimeout(grow, Math.min(1500 + 250 * waits, 5000));
  };
  if (isServed) setTimeout(grow, 1500);

  // What takes long is loaded beside the page.
  const load = async (section) => {
    if (!isServed) return;
    const found = await part(section.dataset.load, section.dataset.pick);
    if (found) section.append(found);
  };

  // The counts of commits, one after the other.
  const fillCounts = async (root) => {
    if (!isServed) return;
    for (const place of root.querySelectorAll("[data-count]")) {
      for (let tries = 0; tries < 20 && place.isConnected; tries += 1) {
        let counts = {};
        try {
          const answer = await fetch(place.dataset.count);
          if (!answer.ok) return;
          counts = await answer.json();
        } catch { return; }
        if (counts.words) { place.replaceWith(make(counts.is_change ? "strong" : "span", counts.words)); break; }
        await new Promise((done) => setTimeout(done, 1000));
      }
    }
  };

  // Copying: the text of a value without the places beside it.
  const textOf = (value) => {
    const codes = value.querySelectorAll(".y > code");
    if (codes.length === 0) return value.textContent;
    return [...codes].map((code) => code.textContent.replace(/\n$/, "")).join("\n") + "\n";
  };
  const addTools = (value) => {
    const tools = make("div", "", "tools small copy");
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
  };

  // Rows that are on the page are filtered as one types; the button of the form asks the service.
  const filterRows = (field) => {
    const list = document.querySelector(field.dataset.filter);
    if (!list) return;
    const rows = [...list.querySelectorAll("[data-row]")].map((row) => [row, row.textContent.toLowerCase()]);
    const none = document.querySelector("[data-none='" + field.dataset.filter + "']");
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      for (const [row, text] of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) left += 1;
      }
      for (const group of list.querySelectorAll("tbody")) {
        group.hidden = ![...group.querySelectorAll("[data-row]")].some((row) => !row.hidden) && group.querySelector("[data-row]") !== null;
      }
      if (none) none.hidden = left > 0;
    });
  };

  // A list that the service filters, as one types.
  const answerLive = (form) => {
    const selector = form.dataset.live;
    let timer, latest = 0;
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const number = latest += 1;
        const address = form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form));
        const now = await part(address, "main");
        const found = now && now.querySelector(selector);
        const place = document.querySelector(selector);
        if (found && place && number === latest) {
          before = now.innerHTML;
          place.replaceChildren(...found.childNodes);
          history.replaceState(null, "", address);
        }
      }, 150);
    });
  };

  // The node that was seen last is a start for other pages.
  const query = new URLSearchParams(location.search);
  const remembered = () => { try { return sessionStorage.getItem("node") || ""; } catch { return ""; } };
  if (query.get("node")) { try { sessionStorage.setItem("node", query.get("node")); } catch { /* not allowed */ } }
  if (location.pathname === "/compare") {
    const left = document.querySelector("main input[name=left]");
    if (left && !left.value) left.value = remembered();
  }

  // Ten results as one types: a list that the arrows walk through.
  const box = document.querySelector("[data-suggest]");
  const suggest = () => {
    const form = box.form;
    const list = make("ul", "", "suggestions");
    list.id = "suggestions";
    list.hidden = true;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Results");
    form.append(list);
    box.setAttribute("role", "combobox");
    box.setAttribute("aria-controls", "suggestions");
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-expanded", "false");
    let at = -1, timer, latest = 0;
    const items = () => [...list.querySelectorAll("[role=option]")];
    const select = (index) => {
      at = index;
      items().forEach((item, number) => item.setAttribute("aria-selected", String(number === at)));
      const item = items()[at];
      if (item) { box.setAttribute("aria-activedescendant", item.id); item.scrollIntoView({ block: "nearest" }); }
      else box.removeAttribute("aria-activedescendant");
    };
    const show = (isShown) => {
      list.hidden = !isShown;
      box.setAttribute("aria-expanded", String(isShown));
      if (!isShown) select(-1);
    };
    const render = (found) => {
      list.replaceChildren();
      found.forEach((one, number) => {
        const item = make("li");
        item.id = "suggestion-" + number;
        item.setAttribute("role", "option");
        item.append(make("span", one.kind, "kind"), make("code", one.title));
        if (one.detail) item.append(" ", make("code", one.detail.slice(0, 120), "dim"));
        if (one.place) item.append(make("div", one.place, "more"));
        item.addEventListener("mousedown", (event) => { event.preventDefault(); location.href = one.address; });
        item.dataset.address = one.address;
        list.append(item);
      });
      show(found.length > 0);
      select(-1);
    };
    box.addEventListener("input", () => {
      clearTimeout(timer);
      const words = box.value.trim();
      const number = latest += 1;
      if (!words) { show(false); return; }
      timer = setTimeout(async () => {
        const pairs = new URLSearchParams({ q: words });
        if (environment) pairs.set("environment", environment);
        try {
          const answer = await fetch("/suggest?" + pairs);
          if (answer.ok && number === latest) render(await answer.json());
        } catch { /* the form still works */ }
      }, 120);
    });
    box.addEventListener("blur", () => show(false));
    box.addEventListener("keydown", (event) => {
      if (list.hidden) return;
      const count = items().length;
      if (event.key === "ArrowDown") select((at + 1) % count);
      else if (event.key === "ArrowUp") select((at - 1 + count) % count);
      else if (event.key === "Enter" && at >= 0) location.href = items()[at].dataset.address;
      else if (event.key === "Escape") { show(false); event.stopPropagation(); }
      else return;
      event.preventDefault();
    });
  };
  if (box && isServed) suggest();

  prepare(document);

  // Keyboard shortcuts.
  const shortcuts = [
    ["/", "Find"],
    ["j", "Next link"],
    ["k", "Previous link"],
    ["u", "Up: the page above"],
    ["g", "Then n, h, c, d or f: nodes, hierarchy, compare, changes, findings"],
    ["Esc", "Leave a field"],
    ["?", "This help"],
  ];
  const help = make("dialog");
  help.setAttribute("aria-label", "Keyboard shortcuts");
  help.append(make("h2", "Keyboard shortcuts"));
  const list = make("ul");
  for (const [key, what] of shortcuts) {
    const item = make("li");
    item.append(make("kbd", key), " " + what);
    list.append(item);
  }
  const close = button("Close", () => help.close());
  help.append(list, close);
  document.body.append(help);

  const isShown = (element) => element.getClientRects().length > 0 && element.tabIndex >= 0;
  const walk = (step) => {
    const links = [...document.querySelectorAll("main a, main summary")].filter(isShown);
    if (links.length === 0) return;
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
    links[next].focus();
  };
  const pages = { n: "/", h: "/hierarchy", c: "/compare", d: "/changes", f: "/findings" };
  let goes = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target.closest("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const isGoing = Date.now() - goes < 1500;
    goes = 0;
    const target = isGoing && pages[event.key] && document.querySelector(".top nav a[href^='" + pages[event.key] + "']");
    const up = document.querySelector(".crumbs a:last-of-type");
    if (target) target.click();
    else if (event.key === "/") { box.focus(); box.select(); }
    else if (event.key === "g") goes = Date.now();
    else if (event.key === "j") walk(1);
    else if (event.key === "k") walk(-1);
    else if (event.key === "u" && up) up.click();
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });
})();
