// Side by side: a passage and its partner stay in view together. Without this file the numbers are plain links.
"use strict";

(() => {
  // Looked up when they are needed: a part of the page may be exchanged.
  const panes = () => document.querySelectorAll(".pane");
  if (panes().length !== 2) {
    return;
  }
  const count = () => panes()[0].querySelectorAll(".passage").length;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  let current = 0;

  const passage = (side, number) => document.getElementById(side + number);

  function bringIntoView(element, smoothly) {
    const pane = element.closest(".pane");
    const top = element.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    const behavior = smoothly && !calm.matches ? "smooth" : "auto";
    pane.scrollTo({ top: pane.scrollTop + top - pane.clientHeight / 5, behavior });
  }

  function select(number, { staying = null, smoothly = true } = {}) {
    const pair = [passage("c", number), passage("s", number)];
    if (pair.includes(null)) {
      return;
    }
    for (const marked of document.querySelectorAll(".is-current")) {
      marked.classList.remove("is-current");
    }
    for (const element of pair) {
      element.classList.add("is-current");
      if (element !== staying) {
        bringIntoView(element, smoothly);
      }
    }
    for (const link of document.querySelectorAll(`[data-passage="${number}"]`)) {
      link.classList.add("is-current");
    }
    current = number;
    history.replaceState(null, "", `#c${number}`);
  }

  function step(by) {
    select(Math.min(Math.max(current + by, 1), count()));
    // Whoever jumps wants to see where to.
    panes()[0].closest(".panes").scrollIntoView({ block: "nearest" });
  }

  function selectFrom(event) {
    const element = event.target.closest(".passage");
    // Whoever marks text to copy it does not want it to move away.
    if (element === null || !window.getSelection().isCollapsed) {
      return;
    }
    event.preventDefault();
    select(Number(element.id.slice(1)), { staying: element });
  }

  function selectLinked(event) {
    const link = event.target.closest("[data-passage]");
    const button = event.target.closest(".step");
    if (link !== null) {
      event.preventDefault();
      select(Number(link.dataset.passage));
    } else if (button !== null) {
      step(Number(button.dataset.step));
    }
  }

  const keys = {
    n: () => step(1),
    p: () => step(-1),
    m: () => document.getElementById("only-matching").click(),
  };

  function press(event) {
    const writes = event.target.closest("input:not([type=checkbox]), textarea, select");
    const key = event.key.toLowerCase();
    if (writes === null && !event.ctrlKey && !event.metaKey && !event.altKey && Object.hasOwn(keys, key)) {
      keys[key]();
    }
  }

  // Where the copy begins with something else, both texts begin at the first passage: that is what one came for.
  function begin() {
    const pair = [passage("c", 1), passage("s", 1)];
    if (pair.includes(null) || pair[0].offsetTop < pair[0].closest(".pane").clientHeight) {
      return;
    }
    for (const element of pair) {
      bringIntoView(element, false);
    }
  }

  function prepare() {
    for (const hidden of document.querySelectorAll(".steps")) {
      hidden.hidden = count() === 0;
    }
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest(".pane") !== null) {
      selectFrom(event);
    } else if (event.target.closest(".passages, .minimap") !== null) {
      selectLinked(event);
    }
  });
  document.addEventListener("zhiwen:exchanged", prepare);
  document.addEventListener("keydown", press);
  prepare();

  const asked = /^#[cs](\d+)$/.exec(location.hash);
  if (asked !== null) {
    select(Number(asked[1]), { smoothly: false });
  } else {
    begin();
  }
})();
