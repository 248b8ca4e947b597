/** `oui-elements/plugins`: plugins in frames and workers take part in a page. */
export { mountFrame } from '../bridges/mount-frame.js';
export type { FrameOptions, MountedFrame } from '../bridges/mount-frame.js';
export { mountPlugin } from '../bridges/mount-plugin.js';
export type { MountedPlugin, PluginOptions } from '../bridges/mount-plugin.js';
