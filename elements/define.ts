/** Registers every element under its usual name. Containers first, so that their parts find them at once. */
import './oui-runtime.define.js';
import './oui-surface.define.js';
import './oui-action.define.js';
import './oui-param.define.js';
import './oui-observation.define.js';
import './oui-hold.define.js';
