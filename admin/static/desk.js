// Keys for what the page offers: every key stands on the button or link that it presses. Without this file they are
// plain buttons and links.
"use strict";

(() => {
  const rows = [...document.querySelectorAll("[data-row]")];
  const help = document.getElementById("keys-help");
  let current = -1;

  // What is folded away has boxes too, and a key must not press what nobody sees.
  function isShown(element) {
    const fold = element.closest("details:not([open])");
    return (fold === null || fold === element) && element.getClientRects().length > 0 && !element.disabled;
  }

  const byKey = (key) =>
    [...document.querySelectorAll("[data-key]")].find((element) => element.dataset.key === key && isShown(element));

  function select(number) {
    if (rows.length === 0) {
      return;
    }
    rows[current]?.classList.remove("is-current");
    rows[current]?.removeAttribute("aria-current");
    current = Math.min(Math.max(number, 0), rows.length - 1);
    const row = rows[current];
    row.classList.add("is-current");
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({ block: "nearest" });
  }

  const box = (row) => row?.querySelector("input[type=checkbox][name=case]");

  function tick() {
    const found = box(rows[current]);
    if (found) {
      found.checked = !found.checked;
      found.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  function open() {
    rows[current]?.querySelector("a.title")?.click();
  }

  // A decision on a list is meant for the row that the person looks at, unless some are ticked.
  function press(element) {
    const form = element.form;
    if (form?.id === "bulk" && !form.querySelector("input[name=case]:checked") && current >= 0) {
      tick();
    }
    if (element.matches("details")) {
      element.open = !element.open;
      element.querySelector("input:not([type=hidden]), select, textarea, button")?.focus();
    } else if (element.matches("input, textarea, select")) {
      element.focus();
    } else {
      element.click();
    }
  }

  function words(element) {
    return element.dataset.keyWords || element.title || element.textContent.trim();
  }

  function showHelp() {
    const list = help.querySelector("dl");
    list.replaceChildren();
    for (const element of document.querySelectorAll("[data-key], [data-key-note]")) {
      const key = document.createElement("dt");
      const meaning = document.createElement("dd");
      key.textContent = element.dataset.key || element.dataset.keyNote;
      meaning.textContent = words(element);
      if (isShown(element) || element.dataset.keyNote) {
        list.append(key, meaning);
      }
    }
    help.showModal();
  }

  const own = {
    j: () => select(current + 1),
    k: () => select(current - 1),
    x: tick,
    o: open,
    Enter: open,
    "?": showHelp,
  };

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help?.open) {
      return;
    }
    // A key that is held down goes on through the list, and decides one case.
    if (event.repeat && event.key !== "j" && event.key !== "k") {
      return;
    }
    const target = event.target;
    if (target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]")) {
      return;
    }
    // On a button or a link Enter is theirs.
    if (event.key === "Enter" && target.closest("a, button, summary, input")) {
      return;
    }
    const element = byKey(event.key);
    const isOwn = event.key in own && (event.key === "?" ? help !== null : rows.length > 0);
    if (element) {
      event.preventDefault();
      press(element);
    } else if (isOwn) {
      event.preventDefault();
      own[event.key]();
    }
  }

  const all = document.getElementById("tick-all");
  const boxes = () => [...document.querySelectorAll("#bulk input[name=case]")];
  const count = document.getElementById("ticked-count");

  function told() {
    const ticked = boxes().filter((one) => one.checked).length;
    if (count !== null) {
      count.textContent = ticked ? String(ticked) : "";
    }
    if (all !== null) {
      all.checked = ticked > 0 && ticked === boxes().length;
      all.indeterminate = ticked > 0 && ticked < boxes().length;
    }
  }

  if (all !== null) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const one of boxes()) {
        one.checked = all.checked;
      }
      told();
    });
    document.getElementById("bulk").addEventListener("change", told);
    told();
  }

  // One press, one decision: a second one would meet the next case.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.hasAttribute("data-once") && form.dataset.sent) {
      event.preventDefault();
    }
    form.dataset.sent = "1";
  });
  // A page that the browser brings back from its memory may send again.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
    }
  });

  document.addEventListener("keydown", pressed);
})();
