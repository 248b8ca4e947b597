const orders = new Map([['A-1', 'Bread'], ['A-2', 'Bread and jam'], ['A-3', 'Tea']]);

document.querySelector('oui-surface').addEventListener('oui-action', (event) => {
  const { text, limit, number } = event.params;
  if (event.actionId === 'find_orders') {
    const found = [...orders].filter(([, what]) => what.includes(text)).reverse();
    event.respondWith(found.slice(0, limit).map(([id, what]) => ({ number: id, what })));
  } else if (orders.delete(number)) {
    show();
    event.respondWith({ cancelled: number });
  } else {
    // What is said here is read by the agent: say what it can do next.
    event.respondWith(Promise.reject(new Error(`There is no open order ${number}; find_orders lists them.`)));
  }
});

function show() {
  const rows = [...orders].map(([number, what]) => {
    const row = document.createElement('li');
    row.textContent = `${number}: ${what}`;
    return row;
  });
  document.querySelector('ul').replaceChildren(...rows);
  document.querySelector('oui-observation').value = orders.size;
}
show();
