/** A short message that goes away by itself, with a way back where there is one. */
const box = document.getElementById('toast');
const text = document.getElementById('toast-text');
const undo = document.getElementById('toast-undo');
let timer;
let undoIt;

export function toast(message, onUndo) {
  clearTimeout(timer);
  undoIt = onUndo;
  text.textContent = message;
  undo.hidden = onUndo === undefined;
  box.hidden = false;
  timer = setTimeout(hide, onUndo ? 8000 : 4000);
}

function hide() {
  if (box.contains(document.activeElement)) document.getElementById('main').focus();
  box.hidden = true;
}

undo.addEventListener('click', () => {
  undoIt?.();
  hide();
});
// Somebody who is on the way to the button keeps it.
box.addEventListener('focusin', () => clearTimeout(timer));
