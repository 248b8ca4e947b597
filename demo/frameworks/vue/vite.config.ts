import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/** `oui-…` are custom elements: Vue leaves them alone. */
const template = { compilerOptions: { isCustomElement: (tag: string) => tag.startsWith('oui-') } };

export default defineConfig({ base: './', plugins: [vue({ template })] });
