import { createSSRApp } from 'vue';
import { createSurfaceRuntime } from 'oui-elements/core';
import { surfaceRuntimeKey } from 'oui-elements/vue';
import Page from './Page.vue';

const runtime = createSurfaceRuntime({ url: `${location.origin.replace('http', 'ws')}/oui/v1` });
createSSRApp(Page).provide(surfaceRuntimeKey, runtime).mount('#page');
