// People to mention in a comment: what is typed after an @ narrows the names below the box; a name that is pressed is
// written. Without this file one types the name.
"use strict";

(() => {
  const box = document.getElementById("comment");
  const names = document.getElementById("people");
  if (box === null || names === null) {
    return;
  }
  const buttons = [...names.querySelectorAll("button")];

  // The @ and what follows it, up to the caret.
  const begun = () => /[@＠]([^@＠\s]*)$/.exec(box.value.slice(0, box.selectionStart));

  function narrow() {
    const found = begun();
    const piece = (found?.[1] ?? "").toLowerCase();
    for (const button of buttons) {
      button.hidden = !button.dataset.name.toLowerCase().includes(piece);
    }
    names.hidden = found === null;
  }

  function write(name) {
    const found = begun();
    const end = box.selectionStart;
    const start = found === null ? end : end - found[0].length;
    box.setRangeText(`@${name} `, start, end, "end");
    box.focus();
    narrow();
  }

  box.addEventListener("input", narrow);
  box.addEventListener("keydown", (event) => {
    const first = buttons.find((button) => !button.hidden);
    if (names.hidden || first === undefined || event.isComposing) {
      return;
    }
    if (event.key === "ArrowDown") {
      event.preventDefault();
      first.focus();
    } else if (event.key === "Escape") {
      names.hidden = true;
    }
  });
  names.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button !== null) {
      write(button.dataset.name);
    }
  });
  names.addEventListener("keydown", (event) => {
    const shown = buttons.filter((button) => !button.hidden);
    const at = shown.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      (at + step < 0 ? box : (shown[at + step] ?? shown.at(-1))).focus();
    }
  });
  names.hidden = true;
})();
