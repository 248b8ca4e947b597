document.querySelector('oui-approval').texts = {
  heading: (action) => `${action}?`,
  from: (surface) => `Ein Agent möchte das auf „${surface}“ tun.`,
  noValues: 'Ohne weitere Angaben.',
  timeLeft: (time) => `Ohne Antwort geschieht nichts. Noch ${time}`,
  soon: 'Noch weniger als eine Minute.',
  allow: 'Erlauben',
  deny: 'Ablehnen',
};

document.querySelector('oui-action').handler = () => {
  document.querySelector('output').value = '0';
};
