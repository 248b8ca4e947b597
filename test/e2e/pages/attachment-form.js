// What the form would send, as a server would read it.
document.querySelector('#form').addEventListener('submit', (event) => {
  event.preventDefault();
  const sent = [...new FormData(event.target)].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : { file: value.name, type: value.type, bytes: value.size, text: await text(value) },
  ]);
  event.respondWith?.(Promise.all(sent));
});

async function text(file) {
  return file.type === 'text/plain' ? file.text() : undefined;
}
