/** The inspector: with `?inspect` in the address, or by the button in the header. */
const button = document.getElementById('inspect');
let inspector = null;

button.addEventListener('click', () => show(!inspector?.open));
if (new URLSearchParams(location.search).has('inspect')) show(true);

function show(open) {
  if (!inspector) {
    inspector = document.createElement('oui-inspector');
    document.body.append(inspector);
    new MutationObserver(follow).observe(inspector, { attributeFilter: ['open'] });
  }
  inspector.open = open;
}

/** It has a button and a key of its own to close it. */
function follow() {
  button.setAttribute('aria-pressed', String(inspector.open));
}
