// Pasting formatted text: the markup goes along, and the server takes the words out of it. Without this file the
// browser pastes plain words.
"use strict";

(() => {
  const area = document.querySelector(".check textarea[name=text]");
  const markup = document.querySelector(".check input[name=html]");
  const file = document.querySelector(".check input[name=file]");
  if (area === null || markup === null) {
    return;
  }
  // What stood there after a paste: the markup counts only while nobody has changed it since.
  let pasted = null;

  area.addEventListener("paste", (event) => {
    const html = event.clipboardData?.getData("text/html") ?? "";
    const replacesAll = area.selectionStart === 0 && area.selectionEnd === area.value.length;
    pasted = null;
    markup.value = "";
    if (html !== "" && replacesAll) {
      setTimeout(() => {
        pasted = area.value;
        markup.value = html;
      });
    }
  });

  area.form.addEventListener("submit", () => {
    if (area.value !== pasted || file.files.length > 0) {
      markup.value = "";
    }
  });
})();
