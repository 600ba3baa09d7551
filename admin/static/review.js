// What counts of two texts: a tick exchanges the figures, the sources and the texts, without a reload. Without this file
// there is a button.
"use strict";

(() => {
  const form = document.getElementById("counting");
  if (form === null) {
    return;
  }
  let newest = 0;

  const parts = (root) => new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));

  // The same element in the new part, so that the keyboard stays where it was.
  function refocus(name, value) {
    const same = [...document.querySelectorAll(`[name="${name}"]:not([type="hidden"])`)].find((one) => one.value === value || one.matches("select"));
    same?.focus({ preventScroll: true });
  }

  function exchange(fresh) {
    const scrolled = [...document.querySelectorAll(".pane")].map((pane) => [pane.id, pane.scrollTop]);
    const open = document.querySelector(".mosaic details")?.open;
    const { name, value } = document.activeElement ?? {};
    const now = parts(fresh);
    for (const [key, part] of parts(document)) {
      if (now.has(key)) {
        // A live region speaks if its content changes, not if it is another element.
        part.replaceChildren(...document.adoptNode(now.get(key)).childNodes);
      }
    }
    for (const [id, top] of scrolled) {
      document.getElementById(id)?.scrollTo({ top, behavior: "auto" });
    }
    const details = document.querySelector(".mosaic details");
    if (details !== null && open) {
      details.open = true;
    }
    if (name) {
      refocus(name, value);
    }
    hide();
    document.dispatchEvent(new Event("zhiwen:exchanged"));
  }

  async function ask(address) {
    const mine = ++newest;
    try {
      const answer = await fetch(address, { headers: { "X-Requested-With": "fetch" }, redirect: "error" });
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine === newest) {
        exchange(page);
        history.replaceState(null, "", address);
      }
    } catch {
      // The session ended, or the server restarts: the browser's own way says so.
      window.location.assign(address);
    }
  }

  function asked() {
    const chosen = [...new FormData(form)].filter(([, value]) => value !== "");
    return `${form.action}?${new URLSearchParams(chosen)}`;
  }

  function hide() {
    for (const button of document.querySelectorAll("[data-replaced]")) {
      button.hidden = true;
    }
  }

  document.addEventListener("change", (event) => {
    if (event.target.form === form) {
      ask(asked());
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-exchange]");
    if (link !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      ask(link.href);
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(asked());
  });
  hide();
})();
