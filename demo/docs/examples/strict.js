const lamp = document.getElementById('lamp');
lamp.addEventListener('click', () => {
  lamp.setAttribute('aria-pressed', String(lamp.ariaPressed !== 'true'));
});
