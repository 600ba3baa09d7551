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

  // On a phone the menu is one line that is moved sideways.
  const here = document.querySelector(".top nav [aria-current]");
  here?.parentElement.scrollTo({ left: here.offsetLeft - here.parentElement.clientWidth / 2 });

  const link = (row) => row?.querySelector("a.title");
  const words = document.getElementById("row-words");
  const said = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);

  // The tab key stops at one row, the one that j and k have reached; the focus goes along, so that it is read out.
  function rove() {
    rows.forEach((row, number) => link(row)?.setAttribute("tabindex", number === Math.max(current, 0) ? "0" : "-1"));
  }

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
    rove();
    link(row)?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    tell();
  }

  function tell() {
    if (words === null || current < 0) {
      return;
    }
    const ticked = boxes().filter((one) => one.checked).length;
    const place = said(words.dataset.words, { row: current + 1, rows: rows.length });
    words.textContent = ticked ? `${place}, ${said(words.dataset.ticked, { count: ticked })}` : place;
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

  function meaningOf(element) {
    return element.dataset.keyWords || element.title || element.textContent.trim();
  }

  function showHelp() {
    const list = help.querySelector("dl");
    list.replaceChildren();
    for (const element of document.querySelectorAll("[data-key], [data-key-note]")) {
      const key = document.createElement("dt");
      const meaning = document.createElement("dd");
      key.textContent = element.dataset.key || element.dataset.keyNote;
      meaning.textContent = meaningOf(element);
      if (isShown(element) || element.dataset.keyNote || element.closest(".is-idle")) {
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

  // With Caps Lock a letter comes as a capital; with Shift it is meant as one.
  function keyOf(event) {
    const isLetter = /^[a-z]$/i.test(event.key);
    return isLetter && event.shiftKey ? null : isLetter ? event.key.toLowerCase() : event.key;
  }

  // The bar for many cases is away while none is ticked; its keys mean the row that the person looks at.
  function ofIdleBar(key) {
    const button = bulk?.classList.contains("is-idle") ? bulk.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
    return button !== null && current >= 0 && movesOf(box(rows[current])).includes(button.value) ? button : undefined;
  }

  function pressed(event) {
    const key = keyOf(event);
    if (key === null || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help?.open) {
      return;
    }
    // A key that is held down goes on through the list, and decides one case.
    if (event.repeat && key !== "j" && key !== "k") {
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
    const element = byKey(key) ?? ofIdleBar(key);
    const isOwn = key in own && (key === "?" ? help !== null : rows.length > 0);
    if (element) {
      event.preventDefault();
      press(element);
    } else if (isOwn) {
      event.preventDefault();
      own[key]();
    }
  }

  const all = document.getElementById("tick-all");
  const boxes = () => [...document.querySelectorAll("#bulk input[name=case]")];
  const count = document.getElementById("ticked-count");
  const bulk = document.querySelector("#bulk .bulk");
  const movesOf = (one) => (one?.dataset.moves ?? "").split(" ");

  // All of the list: offered once all of the page are ticked, and given up with the first that is not.
  function offerAll(areAll) {
    const label = document.getElementById("all-of-list");
    if (label !== null) {
      label.hidden = !areAll;
      label.querySelector("input").checked &&= areAll;
    }
  }

  // Only what every ticked case allows.
  function offer(ticked) {
    offerAll(ticked.length > 0 && ticked.length === boxes().length);
    bulk.classList.toggle("is-idle", ticked.length === 0);
    for (const button of bulk.querySelectorAll("button[data-key]")) {
      const isMeant = ticked.every((one) => movesOf(one).includes(button.value));
      (button.closest("[data-of]") ?? button).hidden = !isMeant;
    }
  }

  function told() {
    const chosen = boxes().filter((one) => one.checked);
    const ticked = chosen.length;
    if (bulk !== null) {
      offer(chosen);
    }
    tell();
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

  // Filters of a few values act at once; afterwards the keyboard is where it was.
  const FILTER = "zhiwen-filter";
  for (const form of document.querySelectorAll("form[data-at-once]")) {
    form.addEventListener("change", (event) => {
      if (event.target.matches("select, [type=radio], [type=checkbox][name]")) {
        sessionStorage.setItem(FILTER, event.target.name);
        form.requestSubmit();
      }
    });
    const name = sessionStorage.getItem(FILTER);
    sessionStorage.removeItem(FILTER);
    if (name !== null) {
      const same = [...form.elements].filter((one) => one.name === name);
      (same.find((one) => one.checked) ?? same[0])?.focus({ preventScroll: true });
    }
  }

  // The address of a filtered list names what was asked, and no empty field.
  document.addEventListener("formdata", (event) => {
    if (event.target.matches("form.filters[method=get]")) {
      for (const [name, value] of [...event.formData]) {
        if (value === "") {
          event.formData.delete(name);
        }
      }
    }
  });

  rove();

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
