/**
 * Registers the elements under their usual names. Containers first, so that their parts find them at once.
 * `<oui-approval>` comes with the first question: most pages never ask one.
 */
import './oui-runtime.define.js';
import './oui-surface.define.js';
import './oui-action.define.js';
import './oui-param.define.js';
import './oui-observation.define.js';
import './oui-hold.define.js';
import './oui-presence.define.js';
import './oui-frame.define.js';
import './oui-inspector.define.js';
