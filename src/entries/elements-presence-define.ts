/** `oui-elements/elements/oui-presence/define`: defines `<oui-presence>`. */
import './elements-wiring.js';
import '../../elements/oui-presence.define.js';
