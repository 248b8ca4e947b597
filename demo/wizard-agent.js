/** The agent's way into the wizard: offered from script while its page is shown, as the todos are from markup. */
import { wizardSurface } from './wizard-surface.js';
import * as wizard from './wizard.js';

const runtimeElement = document.querySelector('oui-runtime');
let wanted = false;
let mounted = null;

/** Offers the surface, or takes it away. @param {boolean} shown */
export function offerWizard(shown) {
  wanted = shown;
  if (!wanted) {
    mounted?.unmount();
    mounted = null;
  } else if (runtimeElement.runtime && !mounted && wizard.current().datasets.length > 0) {
    mounted = runtimeElement.runtime.mount(wizardSurface, () => wizard);
    mounted.observe('available_datasets', { get: datasets, subscribe: wizard.onChange });
    mounted.observe('wizard_state', { get: wizardState, subscribe: wizard.onChange });
  }
}

// What may be done next depends on what was done, by an agent or by hand: the declaration follows.
wizard.onChange(() => {
  offerWizard(wanted);
  mounted?.refresh();
});

function datasets() {
  return wizard.current().datasets.map(({ id, name, rowCount, columns }) => ({ id, name, rowCount, columns }));
}

function wizardState() {
  const { selected, config, filters, rendered } = wizard.current();
  return {
    step: wizard.step(),
    ...(selected && { selectedDatasetId: selected.id }),
    ...(config && { chartConfig: config }),
    filters,
    ...(rendered && { renderedChartUrl: rendered.imageUrl }),
  };
}

await customElements.whenDefined('oui-runtime');
await runtimeElement.updateComplete;
offerWizard(wanted);
