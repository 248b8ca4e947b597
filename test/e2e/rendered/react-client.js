import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createSurfaceRuntime } from 'oui-elements/core';
import { Page } from './react-page.js';

const runtime = createSurfaceRuntime({ url: `${location.origin.replace('http', 'ws')}/oui/v1` });
hydrateRoot(/** @type {Element} */ (document.querySelector('#page')), createElement(Page, { runtime }));
