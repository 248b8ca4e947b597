import { PLANTED_FAULTS } from './planted-faults.mjs';

/**
 * Plants the fault that `OUI_PLANTED_FAULT` names while sources are loaded: a plugin for Vite.
 *
 * @param {string | undefined} name
 * @returns {import('vite').Plugin[]}
 */
export function plantFault(name) {
  if (name === undefined) return [];
  const fault = PLANTED_FAULTS.find((each) => each.name === name);
  if (!fault) throw new Error(`There is no planted fault "${name}".`);
  return [
    {
      name: 'planted-fault',
      enforce: 'pre',
      transform: (code, id) => (id.endsWith(`/${fault.file}`) ? planted(fault, code) : undefined),
    },
  ];
}

/**
 * @param {import('./planted-faults.mjs').PlantedFault} fault
 * @param {string} code
 */
export function planted({ name, file, find, replace }, code) {
  const times = code.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} holds the text of "${name}" ${times} times; it must be there once.`);
  return code.replace(find, () => replace);
}
