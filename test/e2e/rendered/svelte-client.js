import { hydrate } from 'svelte';
import { createSurfaceRuntime } from 'oui-elements/core';
import Page from './Page.svelte';

const target = /** @type {Element} */ (document.querySelector('#page'));
const runtime = createSurfaceRuntime({ url: `${location.origin.replace('http', 'ws')}/oui/v1` });
hydrate(Page, { target, props: { runtime } });
