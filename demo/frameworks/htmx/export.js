/** The one action that no form does: a job that asks the server for note after note. */
document.addEventListener('oui-action', (event) => {
  if (event.actionId === 'export_notes') event.respondWith(write(event));
});

async function write(event) {
  const lines = [];
  for (;;) {
    const response = await fetch(`export?line=${lines.length}`, { signal: event.signal });
    const { line, count } = await response.json();
    if (line === undefined) return { count, text: lines.join('\n') };
    lines.push(line);
    event.progress({ done: lines.length, of: count });
  }
}
