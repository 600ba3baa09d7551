// Parts of a page that go on: each is asked for again until it says that it has ended. Without this file one reloads.
"use strict";

(() => {
  const every = 2000;
  const slowest = 30000;

  async function refresh(element, wait) {
    let next = wait;
    try {
      const answer = await fetch(element.dataset.live, { headers: { "X-Requested-With": "fetch" }, redirect: "error" });
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      const part = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".progress-part");
      if (part !== null) {
        element.replaceChildren(document.adoptNode(part));
        if ("ended" in part.dataset) {
          return;
        }
      }
      next = every;
    } catch {
      // The server restarts, or the session ended: ask more and more rarely.
      next = Math.min(wait * 2, slowest);
    }
    window.setTimeout(() => refresh(element, next), next);
  }

  for (const element of document.querySelectorAll("[data-live]")) {
    window.setTimeout(() => refresh(element, every), every);
  }

  for (const form of document.querySelectorAll("form[data-slow]")) {
    form.addEventListener("submit", () => {
      const button = form.querySelector("button:not([name])") ?? form.querySelector("button");
      button.textContent = form.dataset.slow;
      // Not disabled before the form is sent: what is disabled is not sent along.
      window.setTimeout(() => { button.disabled = true; }, 0);
    });
  }
})();
