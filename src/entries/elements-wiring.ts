/**
 * Hands `<oui-runtime>` what it creates its runtime with, and the dialog it asks with. The first import of every entry
 * that has its class.
 */
import { setRuntimeWiring } from '../../elements/wiring.js';
import { packageWiring } from './package-wiring.js';

setRuntimeWiring({
  ...packageWiring,
  loadDialog: () => import('../../elements/approval-dialog.js'),
  loadPresence: () => import('../../elements/presence-panel.js'),
});
