// The search box on every page: Ctrl or ⌘ with K opens it. Without this file its link leads to a page with the same.
"use strict";

(() => {
  const dialog = document.getElementById("find");
  const link = document.querySelector("[data-find]");
  if (dialog === null || link === null || typeof dialog.showModal !== "function") {
    return;
  }
  const input = dialog.querySelector("input");
  const results = dialog.querySelector(".found");
  const PAUSE_MS = 150;
  let timer = 0;
  let newest = 0;
  let shownFor = null;

  async function ask() {
    const mine = ++newest;
    const asked = input.value;
    const words = new URLSearchParams({ q: asked, part: "1" });
    try {
      const answer = await fetch(`${link.getAttribute("href")}?${words}`, { redirect: "error" });
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine === newest) {
        // The line that speaks is kept: it speaks if its words change.
        const status = page.querySelector("[role=status]");
        dialog.querySelector(".find-status").textContent = status?.textContent ?? "";
        status?.remove();
        shownFor = asked;
        results.replaceChildren(...document.adoptNode(page.body).childNodes);
      }
    } catch {
      // The session ended, or the server restarts: the browser's own way says so.
      window.location.assign(link.href);
    }
  }

  function open() {
    if (!dialog.open) {
      dialog.showModal();
      input.select();
      ask();
    }
  }

  const found = () => [...results.querySelectorAll("a[data-found]")];

  // The arrows go through the results, and from the first one back to the words.
  function step(event) {
    const all = found();
    const at = all.indexOf(document.activeElement);
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    if (next < 0) {
      input.focus();
    } else {
      all[Math.min(next, all.length - 1)]?.focus();
    }
  }

  link.addEventListener("click", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open();
    }
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
    }
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.isComposing) {
      return;
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      step(event);
    } else if (event.key === "Enter" && event.target === input && shownFor === input.value && found().length > 0) {
      // Results of other words are not meant: without those of these words the page with the results opens.
      event.preventDefault();
      found()[0].click();
    }
    // The keys of the page below stay silent.
    event.stopPropagation();
  });
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  });
})();
