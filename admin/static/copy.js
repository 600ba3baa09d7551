// Copies the text of a field that a form of somebody else asks for. Without this file the text is selected by hand.
"use strict";

(() => {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(field.textContent);
      } catch {
        // An address without TLS has no clipboard: select the words, for Ctrl+C.
        getSelection().selectAllChildren(field);
        return;
      }
      button.textContent = button.dataset.done;
    });
  }
})();
