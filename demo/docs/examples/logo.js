document.querySelector('oui-action').handler = ({ logo }) => {
  document.querySelector('img').src = URL.createObjectURL(logo);
  return { name: logo.name, size: logo.size };
};
